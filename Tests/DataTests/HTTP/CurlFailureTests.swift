import Foundation
import Testing

@testable import Data

/// What a caller is told when there is no answer, and whether the request can have been processed.
@Suite("CurlTransport without an answer", .timeLimit(.minutes(10)))
struct CurlFailureTests {
  let transport = CurlTransport()

  struct Outcome: Equatable {
    var kind: TransportError.Kind?
    var sentNothing: Bool?
    var status: Int?

    static func failed(_ kind: TransportError.Kind, sentNothing: Bool) -> Outcome {
      Outcome(kind: kind, sentNothing: sentNothing)
    }
    static func answered(_ status: Int) -> Outcome { Outcome(status: status) }
  }

  func outcome(_ request: HTTPRequest, _ transport: CurlTransport? = nil) async -> Outcome {
    do {
      return .answered(try await (transport ?? self.transport).send(request).status)
    } catch {
      return .failed(error.kind, sentNothing: error.sentNothing)
    }
  }

  static let ok = "HTTP/1.1 200 OK\r\n"

  @Test(
    "An answer that breaks off says how, and that the request may have been processed",
    arguments: [
      ([.send(ok + "Content-Length: 10\r\n\r\nabc"), .close], .truncated),
      ([.send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc"), .close], .truncated),
      ([.send(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), .close], .truncated),
      ([.send(ok + "Content-Len"), .close], .truncated),
      ([.send(ok + "Content-Type: a/b\r\n"), .close], .truncated),
      ([.send("HTTP/1.1 103 Early\r\n\r\n"), .close], .emptyAnswer),
      ([.close], .emptyAnswer),
      ([.reset], .reset),
      ([.send(ok + "Content-Length: 10\r\n\r\nabc"), .reset], .reset),
      ([.send("SSH-2.0-other\r\n"), .close], .malformedAnswer),
      ([.send(ok + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"), .close], .malformedAnswer),
      ([.send(ok + "Content-Length: 1000\r\n\r\n"), .hold], .tooLarge),
      (
        [.send(ok + "Transfer-Encoding: chunked\r\n\r\n200\r\n" + String(repeating: "x", count: 512)), .hold], .tooLarge
      ),
      ([.send(ok + "\r\n" + String(repeating: "x", count: 512)), .close], .tooLarge),
    ] as [([RawServer.Action], TransportError.Kind)])
  func broken(_ actions: [RawServer.Action], _ kind: TransportError.Kind) async throws {
    let server = try RawServer { _ in actions }
    defer { server.stop() }
    let request = HTTPRequest(method: .post, url: server.base, body: Array("{}".utf8), maximumBodyBytes: 100)
    #expect(await outcome(request) == .failed(kind, sentNothing: false))
    #expect(server.requests.count == 1)
  }

  @Test(
    "Each limit of time has its own name",
    arguments: [
      ([.hold], HTTPTimeouts(connect: .seconds(60), stall: .seconds(2), total: .seconds(60)), .stalled),
      (
        [.send(ok + "Content-Length: 10\r\n\r\nabc"), .hold],
        HTTPTimeouts(connect: .seconds(60), stall: .seconds(2), total: .zero), .stalled
      ),
      ([.hold], HTTPTimeouts(connect: .zero, stall: .zero, total: .seconds(2)), .timedOut),
    ] as [([RawServer.Action], HTTPTimeouts, TransportError.Kind)])
  func timeouts(_ actions: [RawServer.Action], _ timeouts: HTTPTimeouts, _ kind: TransportError.Kind) async throws {
    let server = try RawServer { _ in actions }
    defer { server.stop() }
    let request = HTTPRequest(method: .put, url: server.base, body: [1], timeouts: timeouts)
    #expect(await outcome(request) == .failed(kind, sentNothing: false))
    #expect(await eventually { server.openConnections == 0 })
  }

  @Test("A stall does not count while bytes move")
  func slowButMoving() async throws {
    let server = try RawServer { _ in
      [.send(Self.ok + "Content-Length: 8\r\n\r\n")]
        + "slowly!!".flatMap { [.pause(milliseconds: 400), .send(String($0))] }
    }
    defer { server.stop() }
    let timeouts = HTTPTimeouts(connect: .seconds(60), stall: .seconds(2), total: .seconds(60))
    let response = try await transport.send(HTTPRequest(method: .get, url: server.base, timeouts: timeouts))
    #expect(response.body == Array("slowly!!".utf8))
  }

  @Test("Where no connection came about, nothing was sent")
  func nothingSent() async throws {
    let (closed, port) = try RawServer.listen(backlog: 1)
    close(closed)
    let silent = try RawServer(greeting: [.hold]) { _ in [] }
    let plain = try RawServer(greeting: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close]) { _ in [] }
    defer { silent.stop(); plain.stop() }
    let short = HTTPTimeouts(connect: .milliseconds(80), stall: .seconds(9), total: .seconds(9))
    let shortTotal = HTTPTimeouts(connect: .seconds(9), stall: .seconds(9), total: .milliseconds(80))

    func post(_ url: String, _ timeouts: HTTPTimeouts = .standard) async -> Outcome {
      await outcome(HTTPRequest(method: .post, url: url, body: [1], timeouts: timeouts))
    }
    #expect(await post("http://127.0.0.1:\(port)/") == .failed(.couldNotConnect, sentNothing: true))
    #expect(await post("https://127.0.0.1:\(silent.port)/", short) == .failed(.timedOutConnecting, sentNothing: true))
    #expect(
      await post("https://127.0.0.1:\(silent.port)/", shortTotal) == .failed(.timedOutConnecting, sentNothing: true))
    #expect(await post("https://127.0.0.1:\(plain.port)/") == .failed(.tls, sentNothing: true))
    #expect(await post("https://no-such-host.invalid/") == .failed(.couldNotResolve, sentNothing: true))
  }

  @Test(
    "On a kept connection that dies, a write is never sent twice",
    arguments: [
      (HTTPMethod.post, [1, 2, 3], [RawServer.Action.close], .failed(.resendPrevented, sentNothing: false), 1),
      (.post, [1, 2, 3], [.reset], .failed(.resendPrevented, sentNothing: false), 1),
      (.put, [1, 2, 3], [.close], .failed(.resendPrevented, sentNothing: false), 1),
      (.put, [1, 2, 3], [.reset], .failed(.resendPrevented, sentNothing: false), 1),
      (.delete, nil, [.close], .failed(.emptyAnswer, sentNothing: false), 1),
      (.delete, [1], [.close], .failed(.resendPrevented, sentNothing: false), 1),
      (.post, nil, [.close], .failed(.emptyAnswer, sentNothing: false), 1),
      (.put, [], [.close], .failed(.emptyAnswer, sentNothing: false), 1),
      (HTTPMethod("PATCH"), [1], [.close], .failed(.resendPrevented, sentNothing: false), 1),
      (.get, nil, [.close], .answered(200), 2),
    ] as [(HTTPMethod, [UInt8]?, [RawServer.Action], Outcome, Int)])
  func deadConnection(
    _ method: HTTPMethod, _ body: [UInt8]?, _ death: [RawServer.Action], _ expected: Outcome, _ seen: Int
  ) async throws {
    // The first request for `/x` is read in full and then let down, on whatever connection it comes.
    let letDown = Flag()
    let server = try RawServer { request in
      request.line.contains("/x") && letDown.raise() ? death : [RawServer.answer()]
    }
    defer { server.stop() }
    #expect(await outcome(HTTPRequest(method: .get, url: server.base + "/first")) == .answered(200))
    #expect(await outcome(HTTPRequest(method: method, url: server.base + "/x", body: body)) == expected)
    #expect(server.requests.count { $0.line.contains("/x") } == seen)
  }

  @Test("A write after the server closed an idle connection goes out once, on a new one")
  func idleConnectionClosed() async throws {
    let server = try RawServer { request in
      request.line.contains("/first") ? [RawServer.answer(), .close] : [RawServer.answer(201)]
    }
    defer { server.stop() }
    #expect(await outcome(HTTPRequest(method: .get, url: server.base + "/first")) == .answered(200))
    #expect(await eventually { server.openConnections == 0 })
    #expect(await outcome(HTTPRequest(method: .post, url: server.base + "/x", body: [1])) == .answered(201))
    #expect(server.requests.map(\.connection) == [0, 1])
  }

  @Test(
    "What must not be sent is refused before any connection",
    arguments: [
      ("A", "b\r\nX: y", nil, .unsupportedRequest), ("A", "b\nX: y", nil, .unsupportedRequest),
      ("A", "b\0", nil, .unsupportedRequest), ("A\r\nB", "c", nil, .unsupportedRequest),
      ("A:", "c", nil, .unsupportedRequest), ("", "c", nil, .unsupportedRequest),
      ("Content-Length", "5", nil, .unsupportedRequest), ("transfer-encoding", "chunked", nil, .unsupportedRequest),
      ("Host", "elsewhere", nil, .unsupportedRequest),
      ("A", "b", "GET / HTTP/1.1\r\nX:", .unsupportedRequest), ("A", "b", "GET", .unsupportedRequest),
    ] as [(String, String, String?, TransportError.Kind)])
  func refused(_ name: String, _ value: String, _ method: String?, _ kind: TransportError.Kind) async throws {
    let server = try RawServer { _ in [RawServer.answer()] }
    defer { server.stop() }
    let request = HTTPRequest(
      method: method.map(HTTPMethod.init) ?? .post, url: server.base,
      headers: HTTPHeaders([.init(name: name, value: value)]),
      body: [1])
    #expect(await outcome(request) == .failed(kind, sentNothing: true))
    #expect(server.accepted == 0)
  }

  @Test(
    "Addresses are checked before any connection",
    arguments: [
      ("http://192.0.2.1/fhir", .refusedPlainHTTP), ("http://clinic.example/fhir", .refusedPlainHTTP),
      ("http://127.0.0.1.example/", .refusedPlainHTTP), ("http://localhost.example/", .refusedPlainHTTP),
      ("ftp://127.0.0.1/", .unsupportedURL), ("file:///etc/hosts", .unsupportedURL),
      ("127.0.0.1/fhir", .unsupportedURL),
      ("http://127.0.0.1@192.0.2.1/", .unsupportedURL), ("http://127.0.0.1:99999/", .unsupportedURL),
      ("http://127.0.0.1/a b", .unsupportedURL), ("http://127.0.0.1/a\r\nX: y", .unsupportedURL),
      ("http://127.0.0.1\\@192.0.2.1/", .unsupportedURL), ("", .unsupportedURL),
    ] as [(String, TransportError.Kind)])
  func addresses(_ url: String, _ kind: TransportError.Kind) async {
    #expect(await outcome(HTTPRequest(method: .get, url: url)) == .failed(kind, sentNothing: true))
  }

  @Test("Plain http to another machine is possible when the configuration allows it")
  func plainHTTP() throws {
    let request = HTTPRequest(method: .get, url: "http://192.0.2.1/fhir")
    #expect(try CurlConfiguration(allowsPlainHTTP: true).check(request).host == "192.0.2.1")
  }

  @Test("A proxy that refuses is named, and nothing reached the server")
  func proxyRefuses() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer { _ in [RawServer.answer(407)] }
      setenv("https_proxy", proxy.base, 1)
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
      let request = HTTPRequest(method: .post, url: "https://clinic.example/", body: [1])
      do {
        _ = try await CurlTransport().send(request)
        exit(1)
      } catch let error as TransportError {
        exit(
          error.kind == .proxy && error.sentNothing && proxy.requests[0].line.hasPrefix("CONNECT clinic.example:443")
            ? 0 : 2)
      }
    }
  }

  @Test("A message names the host and nothing else of the request")
  func messages() async throws {
    let server = try RawServer { _ in [.close] }
    defer { server.stop() }
    let request = HTTPRequest(
      method: .get, url: server.base + "/Patient?name=secret", headers: ["Authorization": "Bearer secret"])
    let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
    #expect(error?.message == "\(server.base) closed the connection without an answer.")
  }
}
