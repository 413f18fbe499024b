@testable import Data
import Domain
import JSON
import Synchronization
import TestSupport
import Testing

@Suite("Reads: one request for all who ask")
struct SharedReadTests {
  /// A server whose answers about one patient are held back until they are let go.
  private actor HeldTransport: HTTPTransport {
    private(set) var requests = 0
    private var held: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    nonisolated func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      guard request.url.hasSuffix("/Patient/p-1") else { return .answer(404) }
      await wait()
      return .document([
        "resourceType": "Patient", "id": "p-1", "meta": ["versionId": "1"], "name": [["family": "Ferrow"]],
      ])
    }

    private func wait() async {
      requests += 1
      if !isOpen { await withCheckedContinuation { held.append($0) } }
    }

    func letGo() {
      isOpen = true
      for continuation in held { continuation.resume() }
      held = []
    }
  }

  @Test("who asks while a request is under way, first or last, makes no second one, and gets its answer")
  func shared() async throws {
    let clinic = try await TestClinic.open()
    let transport = HeldTransport()
    let revalidator = Revalidator(
      store: clinic.data.store,
      client: FHIRClient(
        base: ModelTransport.base, transport: transport, timeouts: .standard, nowSeconds: { 0 }))
    let key = ResourceKey(type: "Patient", id: "p-1")
    let tasks = (0..<40).map { _ in Task { try await revalidator.revalidate(key) } }
    while revalidator.waiting < 40 { await Task.yield() }
    while await transport.requests == 0 { await Task.yield() }
    #expect(await transport.requests == 1)
    await transport.letGo()
    for task in tasks { #expect(try await task.value == []) }
    #expect(await transport.requests == 1)
    #expect(await clinic.patient("p-1")?.displayName == "Ferrow")
    // Its place is free again: who comes later asks anew.
    _ = try await revalidator.revalidate(key)
    #expect(await transport.requests == 2)
    await clinic.remove()
  }

  @Test("the token is read anew for every request, so that a renewed one is taken at once")
  func renewedToken() async throws {
    let seen = Mutex<[String?]>([])
    let tokens = Mutex(["one", "two", "two"])
    let base = HeaderTransport { headers in seen.withLock { $0.append(headers["Authorization"]) } }
    let origin = try #require(Origin("https://clinic.example/fhir"))
    let transport = BearerAuthorizingTransport(base: base, origin: origin) {
      Secret(tokens.withLock { $0.removeFirst() })
    }
    for _ in 0..<3 {
      _ = try await transport.send(HTTPRequest(method: .get, url: "https://clinic.example/fhir/Patient"))
    }
    #expect(seen.withLock { $0 } == ["Bearer one", "Bearer two", "Bearer two"])
  }

  /// Tells the headers of what it is given.
  private struct HeaderTransport: HTTPTransport {
    let told: @Sendable (HTTPHeaders) -> Void

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      told(request.headers)
      return .answer(200)
    }
  }
}
