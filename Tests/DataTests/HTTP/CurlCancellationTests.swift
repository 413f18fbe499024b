import Foundation
import Testing

@testable import Data

@Suite("CurlTransport, cancelled", .timeLimit(.minutes(10)))
struct CurlCancellationTests {
  let transport = CurlTransport()

  private func error(_ task: Task<HTTPResponse, any Error>) async -> TransportError? {
    guard case .failure(let error) = await task.result else { return nil }
    return error as? TransportError
  }

  private func start(_ url: String, _ transport: CurlTransport) -> Task<HTTPResponse, any Error> {
    Task { try await transport.send(HTTPRequest(method: .post, url: url, body: [1])) }
  }

  @Test("A request in flight ends at once, closes its connection and is ambiguous")
  func inFlight() async throws {
    let server = try RawServer { $0.line.contains("/held") ? [.hold] : [RawServer.answer()] }
    defer { server.stop() }
    let task = start(server.base + "/held", transport)
    #expect(await eventually { server.requests.count == 1 })
    task.cancel()
    let failure = await error(task)
    #expect(failure?.kind == .cancelled && failure?.sentNothing == false)
    #expect(await eventually { server.openConnections == 0 })
    #expect(try await transport.send(HTTPRequest(method: .get, url: server.base)).status == 200)
  }

  @Test("A task that is already cancelled sends nothing, also as the first of all")
  func beforehand() async throws {
    let server = try RawServer { _ in [RawServer.answer()] }
    defer { server.stop() }
    let (url, transport) = (server.base, transport)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(HTTPRequest(method: .get, url: url))
    }
    let failure = await error(task)
    #expect(failure?.kind == .cancelled && failure?.sentNothing == true)
    #expect(server.accepted == 0)
  }

  @Test("Two thousand cancelled requests leave no descriptor behind")
  func manyCancelled() async throws {
    let server = try RawServer { $0.line.contains("/held") ? [.hold] : [RawServer.answer()] }
    defer { server.stop() }
    for round in 0..<40 {
      let tasks = (0..<50).map { _ in start(server.base + "/held", transport) }
      // Cancelled at every stage: some before they are sent, some while they connect, some when they are held.
      if round % 4 == 0 { #expect(await eventually { server.openConnections > 0 }) }
      if round % 4 == 1 { await Task.yield() }
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await error(task)?.kind == .cancelled) }
    }
    #expect(try await eventually { try server.descriptors() == 0 })
    #expect(try await transport.send(HTTPRequest(method: .get, url: server.base)).status == 200)
  }

  @Test("Shutting down ends what is in flight and closes kept connections; later requests are refused")
  func shutdown() async throws {
    let server = try RawServer { $0.line.contains("/held") ? [.hold] : [RawServer.answer()] }
    defer { server.stop() }
    _ = try await transport.send(HTTPRequest(method: .get, url: server.base))
    let task = start(server.base + "/held", transport)
    #expect(await eventually { server.requests.count == 2 })
    transport.shutdown()
    let failure = await error(task)
    #expect(failure?.kind == .cancelled && failure?.sentNothing == false)
    #expect(try await eventually { try server.descriptors() == 0 })
    let late = await error(start(server.base, transport))
    #expect(late?.kind == .cancelled && late?.sentNothing == true)
  }

  @Test("A transport that is released ends its thread and its connections")
  func released() async throws {
    let server = try RawServer { _ in [RawServer.answer()] }
    defer { server.stop() }
    _ = try await CurlTransport().send(HTTPRequest(method: .get, url: server.base))
    #expect(server.accepted == 1)
    #expect(try await eventually { try server.descriptors() == 0 })
  }
}
