import Dispatch
import Foundation
import TestSupport

/// The least of an HTTP client: one connection a request, to this machine.
enum PlainHTTP {
  /// Sends a request and gives the body of its answer.
  static func send(_ port: Int, _ method: String, _ target: String, body: String = "") async throws -> String {
    let result: Result<String, ProgramFailure> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: exchange(port, method, target, body)) }
    }
    return try result.get()
  }

  private static func exchange(
    _ port: Int, _ method: String, _ target: String, _ body: String
  ) -> Result<String, ProgramFailure> {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { return .failure(ProgramFailure("no connection to port \(port)")) }
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let head = """
      \(method) \(target) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/fhir+json\r
      Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n
      """
    let request = Array((head + body).utf8)
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return .failure(ProgramFailure("\(method) \(target) was not sent")) }
      sent += count
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(client, &piece, piece.count, 0)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else {
      return .failure(ProgramFailure("\(method) \(target) got no answer"))
    }
    return .success(String(text[end.upperBound...]))
  }
}
