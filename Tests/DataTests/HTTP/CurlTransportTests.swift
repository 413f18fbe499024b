import Foundation
import Testing

@testable import Data

@Suite("CurlTransport", .timeLimit(.minutes(10)))
struct CurlTransportTests {
  let transport = CurlTransport()

  @Test("An answer comes back whole: status, fields in order, body, address")
  func answer() async throws {
    let server = try RawServer { _ in [RawServer.answer(404, "no such thing", fields: "X-One: 1\r\nx-one:  2 \r\n")] }
    defer { server.stop() }
    let url = server.base + "/fhir/./Patient?name=%c3%a9&x=1|2#part"
    let response = try await transport.send(
      HTTPRequest(method: .get, url: url, headers: ["Accept": "a/b", "X-Empty": ""]))
    #expect(
      response
        == HTTPResponse(
          status: 404, headers: ["X-One": "1", "X-One": "2", "Content-Length": "13"],
          body: Array("no such thing".utf8), effectiveURL: url))
    let request = try #require(server.requests.first)
    #expect(request.line == "GET /fhir/./Patient?name=%c3%a9&x=1|2 HTTP/1.1")
    #expect(request.field("Accept") == "a/b")
    #expect(request.field("X-Empty") == "")
  }

  @Test(
    "Bodies arrive decoded",
    arguments: [
      (
        "chunked",
        RawServer.Action.send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n"), "abcde"
      ),
      ("until the close", .send("HTTP/1.1 200 OK\r\n\r\nrest"), "rest"),
      (
        "after interim answers",
        .send("HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"), "b"
      ),
      (
        "compressed",
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n".utf8) + Self.gzipped),
        "compressed"
      ),
    ])
  func bodies(_ name: String, _ action: RawServer.Action, _ body: String) async throws {
    let server = try RawServer { _ in [action, .close] }
    defer { server.stop() }
    let response = try await transport.send(HTTPRequest(method: .get, url: server.base))
    #expect(String(decoding: response.body, as: UTF8.self) == body)
    #expect(response.headers["Link"] == nil && response.headers["T"] == nil)
  }

  /// "compressed", in gzip's format.
  static let gzipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 206, 207, 45, 40, 74, 45, 46, 78, 77, 1, 0, 30, 75, 86, 151, 10, 0, 0, 0,
  ]

  struct Sent: Equatable {
    var line: String
    var length: String?
    var type: String?
    var expect: String?
    var body: [UInt8]
  }

  @Test(
    "Each method is sent as HTTP/1.1 with exactly its body, and nothing invented",
    arguments: [
      (HTTPMethod.get, nil, "application/fhir+json", nil),
      (.head, nil, nil, nil),
      (.delete, nil, nil, nil),
      (.post, nil, nil, "0"),
      (.post, 0, nil, "0"),
      (.put, 0, nil, "0"),
      (.post, 100_000, "application/fhir+json", "100000"),
      (.put, 700_000, nil, "700000"),
      (HTTPMethod("PATCH"), 10, "application/json-patch+json", "10"),
      (.delete, 3, nil, "3"),
    ] as [(HTTPMethod, Int?, String?, String?)])
  func methods(_ method: HTTPMethod, _ size: Int?, _ type: String?, _ length: String?) async throws {
    let server = try RawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")] }
    defer { server.stop() }
    let body = size.map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) } }
    var request = HTTPRequest(method: method, url: server.base + "/x", body: body)
    request.headers["Content-Type"] = type
    let response = try await transport.send(request)
    #expect(response.status == 200)
    let sent = server.requests.map {
      Sent(
        line: $0.line, length: $0.field("Content-Length"), type: $0.field("Content-Type"), expect: $0.field("Expect"),
        body: $0.body)
    }
    #expect(sent == [Sent(line: "\(method) /x HTTP/1.1", length: length, type: type, expect: nil, body: body ?? [])])
  }

  @Test("A HEAD answer's length is neither waited for nor counted")
  func head() async throws {
    let server = try RawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\nETag: W/\"3\"\r\n\r\n")] }
    defer { server.stop() }
    let response = try await transport.send(HTTPRequest(method: .head, url: server.base, maximumBodyBytes: 10))
    #expect(response.headers["etag"] == "W/\"3\"")
    #expect(response.body.isEmpty)
  }

  @Test("A redirect is an answer, and is not followed")
  func redirect() async throws {
    let server = try RawServer { _ in [RawServer.answer(302, fields: "Location: /elsewhere\r\n")] }
    defer { server.stop() }
    let response = try await transport.send(HTTPRequest(method: .get, url: server.base))
    #expect(response.status == 302 && response.headers["location"] == "/elsewhere")
    #expect(server.requests.count == 1)
  }

  @Test("Connections are kept and used again")
  func reuse() async throws {
    let server = try RawServer { _ in [RawServer.answer()] }
    defer { server.stop() }
    for method in [HTTPMethod.get, .head, .get] {
      _ = try await transport.send(HTTPRequest(method: method, url: server.base))
    }
    _ = try await transport.send(HTTPRequest(method: .put, url: server.base, body: [1]))
    #expect(server.requests.map(\.connection) == [0, 0, 0, 0])
  }

  @Test("Sixty-four requests at once each get their own answer")
  func parallel() async throws {
    let server = try RawServer { request in [RawServer.answer(200, request.line)] }
    defer { server.stop() }
    let base = server.base
    let lines = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<64 {
        group.addTask {
          let response = try await transport.send(HTTPRequest(method: .get, url: "\(base)/\(number)"))
          return (number, String(decoding: response.body, as: UTF8.self))
        }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(lines == Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, "GET /\($0) HTTP/1.1") }))
  }

  @Test("A proxy from the environment is not used for loopback")
  func proxy() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://127.0.0.1:1", 1)
      setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
      let server = try RawServer { _ in [RawServer.answer()] }
      let response = try await CurlTransport().send(HTTPRequest(method: .get, url: server.base))
      exit(response.status == 200 ? 0 : 1)
    }
  }
}
