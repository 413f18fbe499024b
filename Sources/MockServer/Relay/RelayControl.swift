internal import Foundation
internal import Glibc
internal import JSON
internal import Synchronization

/// Lets other programs tell a relay what to do, over HTTP on a port of its own: it answers also while the relay is down.
///
/// | request | effect |
/// | --- | --- |
/// | `POST /rules` | adds one rule or a list |
/// | `DELETE /rules` | removes all |
/// | `GET /exchanges` | the last 10,000 requests, one JSON object a line |
/// | `POST /down`, `POST /up` | refuses connections, takes them again |
public final class RelayControl: Sendable {
  /// The port on 127.0.0.1.
  public let port: UInt16
  private let relay: MockRelay
  private let listener: Int32
  private let isStopped = Mutex(false)

  private init(relay: MockRelay, listener: Int32, port: UInt16) {
    self.relay = relay
    self.listener = listener
    self.port = port
  }

  /// Starts to listen, on a thread of its own.
  /// - Parameters:
  ///   - relay: what is controlled.
  ///   - port: 0 takes a free one.
  /// - Throws: `MockServerError` if the port cannot be had.
  public static func open(for relay: MockRelay, port: UInt16 = 0) throws(MockServerError) -> RelayControl {
    guard let (socket, bound) = Socket.listen(port: port) else {
      throw MockServerError(message: "cannot listen on 127.0.0.1:\(port)")
    }
    let control = RelayControl(relay: relay, listener: socket, port: bound)
    Thread.detachNewThread { control.serve() }
    return control
  }

  /// Ends it; the relay goes on.
  public func close() {
    isStopped.withLock { stopped in
      if !stopped { shutdown(listener, Int32(SHUT_RDWR)) }
      stopped = true
    }
  }

  private func serve() {
    while true {
      let client = Socket.accept(listener)
      if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard client >= 0 else { break }
      Thread.detachNewThread {
        self.answer(client)
        Glibc.close(client)
      }
    }
    // Here and not in `close`: until the wait has ended, the number must not become another's.
    isStopped.withLock { $0 = true }
    Glibc.close(listener)
  }

  /// Answers one request; the connection ends with it.
  private func answer(_ client: Int32) {
    var reader = MessageReader(socket: client)
    guard var request = reader.head() else { return }
    let head = request.bytes.count
    guard reader.body(of: &request, untilClose: false) else { return }
    let (status, content) = perform(
      String(request.startLine[0]), String(request.startLine[1]), body: Array(request.bytes[head...]))
    let kind = status == 200 ? "application/x-ndjson" : "text/plain; charset=utf-8"
    let headers =
      "HTTP/1.1 \(status) \(status < 300 ? "OK" : "Refused")\r\nContent-Type: \(kind)\r\n"
      + (status == 204 ? "" : "Content-Length: \(content.count)\r\n") + "Connection: close\r\n\r\n"
    _ = Socket.send(Array(headers.utf8) + content, to: client)
  }

  private func perform(_ method: String, _ target: String, body: [UInt8]) -> (status: Int, content: [UInt8]) {
    switch (method, target) {
    case ("POST", "/rules"):
      do { try relay.add(rulesIn: body) } catch { return (400, Array("\(error.message)\n".utf8)) }
    case ("DELETE", "/rules"): relay.removeRules()
    case ("GET", "/exchanges"): return (200, relay.exchanges.flatMap { $0.document.bytes() + [0x0A] })
    case ("POST", "/down"): relay.goDown()
    case ("POST", "/up"):
      do { try relay.comeUp() } catch { return (409, Array("\(error)\n".utf8)) }
    default: return (404, Array("there is no such control\n".utf8))
    }
    return (204, [])
  }
}
