import Dispatch
import Glibc
import JSON
import MockServer

/// Requests against a model, written short.
extension MockModel {
  @discardableResult
  func send(_ method: String, _ target: String, _ headers: [String: String] = [:], _ body: JSONValue? = nil)
    -> MockResponse
  {
    if let body { return handle(MockRequest(method, "/fhir" + target, headers: headers, document: body)) }
    return handle(MockRequest(method, "/fhir" + target, headers: headers))
  }

  /// The ids of the entries that a search or history gives, over all its pages.
  func ids(_ target: String) -> [String] {
    var ids: [String] = []
    var next: String? = "/fhir" + target
    while let target = next {
      let bundle = handle(MockRequest("GET", target)).document
      ids += (bundle?["entry"]?.array ?? []).compactMap { $0["resource"]?["id"]?.string }
      next = nextTarget(bundle)
    }
    return ids
  }

  /// Path and query of the link `next`.
  func nextTarget(_ bundle: JSONValue?) -> String? {
    let link = (bundle?["link"]?.array ?? []).first { $0["relation"] == "next" }
    guard let url = link?["url"]?.string else { return nil }
    return url.hasPrefix("http://") ? String(url.dropFirst(7).drop { $0 != "/" }) : url
  }

  static func standing(_ profile: MockProfile = .standard) -> MockModel {
    MockModel(profile: profile, clock: MockClock("2026-11-30T08:00:00Z") ?? MockClock())
  }
}

func patient(_ id: String, _ family: String = "A") -> JSONValue {
  ["resourceType": "Patient", "id": .string(id), "name": [["family": .string(family)]]]
}

func outcomeCode(_ response: MockResponse) -> String? {
  response.document?["issue"]?[0]?["code"]?.string
}

/// What a plain client sees of one exchange.
struct Seen: Equatable {
  /// Nil if no status line came.
  var status: Int?
  var body = ""
  /// Whether the connection ended before the announced end of the body.
  var isCut = false
  /// Whether the connection was reset or refused.
  var isBroken = false
}

/// A small HTTP client on a plain socket, one connection a request.
enum PlainClient {
  static func send(_ port: UInt16, _ method: String, _ target: String, headers: String = "", body: String = "") async
    -> Seen
  {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: blockingSend(port, method, target, headers, body))
      }
    }
  }

  private static func blockingSend(
    _ port: UInt16, _ method: String, _ target: String, _ headers: String, _ body: String
  ) -> Seen {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { return Seen(isBroken: true) }
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let request = Array(
      "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(headers)Content-Type: application/fhir+json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        .utf8)
    _ = Glibc.send(client, request, request.count, Int32(MSG_NOSIGNAL))
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    var seen = Seen()
    while true {
      let count = recv(client, &piece, piece.count, 0)
      if count < 0 { seen.isBroken = true }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return seen }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    seen.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) }
    seen.body = String(text[end.upperBound...])
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }.flatMap {
      Int($0.split(separator: " ")[1])
    }
    seen.isCut = (length ?? 0) > seen.body.utf8.count && method != "HEAD"
    return seen
  }
}
