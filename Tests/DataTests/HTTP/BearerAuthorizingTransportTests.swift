import Synchronization
import Testing

@testable import Data

@Suite("BearerAuthorizingTransport")
struct BearerAuthorizingTransportTests {
  /// Answers everything with 200 and remembers what `Authorization` came with it.
  final class Recorder: HTTPTransport {
    private let seen = Mutex<[String?]>([])
    var authorizations: [String?] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      seen.withLock { $0.append(request.headers["Authorization"]) }
      return HTTPResponse(status: 200, effectiveURL: request.url)
    }
  }

  struct SignInFailed: Error {}

  let recorder = Recorder()

  func transport(_ source: @escaping BearerAuthorizingTransport.TokenSource) throws -> BearerAuthorizingTransport {
    BearerAuthorizingTransport(
      base: recorder, origin: try #require(Origin("https://clinic.example/fhir")), tokenSource: source)
  }

  @Test(
    "The token goes to its own origin only",
    arguments: [
      ("https://clinic.example/fhir/Patient", "Bearer t"), ("https://CLINIC.example:443/next", "Bearer t"),
      ("http://clinic.example/fhir", nil), ("https://clinic.example:8443/", nil), ("https://clinic.example.evil/", nil),
      ("https://evil/?https://clinic.example", nil), ("https://clinic.example@evil/", nil), ("/fhir", nil),
    ] as [(String, String?)])
  func origin(_ url: String, _ expected: String?) async throws {
    _ = try await transport { Secret("t") }.send(HTTPRequest(method: .get, url: url))
    #expect(recorder.authorizations == [expected])
  }

  @Test("Without a token the request goes out as it is; with one, an older header is replaced")
  func replaced() async throws {
    let request = HTTPRequest(method: .get, url: "https://clinic.example", headers: ["authorization": "old"])
    _ = try await transport { nil }.send(request)
    _ = try await transport { Secret("new") }.send(request)
    #expect(recorder.authorizations == ["old", "Bearer new"])
  }

  @Test(
    "A token that cannot be had ends the request before it is sent",
    arguments: [
      (SignInFailed(), .noToken), (CancellationError(), .cancelled),
      (TransportError(.reset, "", sentNothing: false), .reset),
    ] as [(any Error, TransportError.Kind)])
  func failing(_ failure: any Error, _ kind: TransportError.Kind) async throws {
    let transport = try transport { throw failure }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: .post, url: "https://clinic.example", body: [1]))
    }
    #expect(error?.kind == kind && error?.sentNothing == true)
    #expect(recorder.authorizations == [])
  }

  @Test("A secret shows itself to nobody who does not ask for it")
  func secret() {
    let secret = Secret("s3cret")
    var dumped = ""
    dump([secret], to: &dumped)
    let shown = ["\(secret)", String(reflecting: secret), String(describing: [Optional(secret)]), dumped]
    #expect(shown.filter { $0.contains("s3cret") || !$0.contains("•••") } == [])
    #expect(!(secret is any Encodable) && secret.reveal() == "s3cret")
  }
}
