import Foundation
import Synchronization

/// A server on loopback that does exactly what a test tells it, byte for byte, and remembers what it was sent.
final class RawServer: Sendable {
  struct Request: Sendable, Equatable {
    /// Counted from 0 in the order of accepting.
    var connection: Int
    /// Counted from 0 on this connection.
    var index: Int
    /// Request line and fields, without the blank line.
    var head: String
    var body: [UInt8]

    var line: String { String(head.prefix { $0 != "\r\n" }) }

    func field(_ name: String) -> String? {
      for line in head.split(separator: "\r\n").dropFirst() where line.lowercased().hasPrefix(name.lowercased() + ":") {
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
      }
      return nil
    }
  }

  enum Action: Sendable {
    case send(String)
    case bytes([UInt8])
    /// Closes in order.
    case close
    /// Closes with a reset.
    case reset
    /// Does nothing until the client closes or the server stops.
    case hold
    case pause(milliseconds: UInt32)
  }

  private struct State {
    var requests: [Request] = []
    var accepted = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let greeting: [Action]
  private let answer: @Sendable (Request) -> [Action]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - greeting: done on every connection before a request is read.
  ///   - answer: what is done for each request; then the next is read from the same connection.
  init(greeting: [Action] = [], answer: @escaping @Sendable (Request) -> [Action]) throws {
    (listener, port) = try Self.listen(backlog: 128)
    self.greeting = greeting
    self.answer = answer
    Thread { [self] in acceptAll() }.start()
  }

  var base: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }
  var accepted: Int { state.withLock { $0.accepted } }
  /// Connections that neither side has closed.
  var openConnections: Int { state.withLock { $0.open.count } }

  func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// A listening socket on a free loopback port.
  static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(descriptor, raw, length) == 0 && Glibc.listen(descriptor, backlog) == 0
          && getsockname(descriptor, raw, &length) == 0
      }
    }
    guard result else { throw POSIXError(.EADDRINUSE) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      let number: Int? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.open.insert(descriptor)
        defer { state.accepted += 1 }
        return state.accepted
      }
      guard let number else {
        close(descriptor)
        break
      }
      Thread { [self] in serve(descriptor, number) }.start()
    }
    close(listener)
  }

  private func serve(_ descriptor: Int32, _ number: Int) {
    defer {
      // Inside the lock, so that `stop` never shuts down a descriptor that was given away again.
      state.withLock { state in
        state.open.remove(descriptor)
        close(descriptor)
      }
    }
    var buffer: [UInt8] = []
    guard perform(greeting, descriptor) else { return }
    var index = 0
    while let (head, body) = readRequest(descriptor, &buffer) {
      let request = Request(connection: number, index: index, head: head, body: body)
      index += 1
      state.withLock { $0.requests.append(request) }
      guard perform(answer(request), descriptor) else { return }
    }
  }

  /// - Returns: whether the connection goes on.
  private func perform(_ actions: [Action], _ descriptor: Int32) -> Bool {
    for action in actions {
      switch action {
      case .send(let text): guard write(Array(text.utf8), descriptor) else { return false }
      case .bytes(let bytes): guard write(bytes, descriptor) else { return false }
      case .close: return false
      case .reset:
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        return false
      case .pause(let milliseconds): usleep(milliseconds * 1000)
      case .hold:
        var ignored = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &ignored, ignored.count, 0) > 0 {}
        return false
      }
    }
    return true
  }

  private func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func readRequest(_ descriptor: Int32, _ buffer: inout [UInt8]) -> (head: String, body: [UInt8])? {
    var searched = 0
    while true {
      if let end = buffer.endOfHead(from: max(0, searched - 3)) {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        let request = Request(connection: 0, index: 0, head: head, body: [])
        let length = request.field("Content-Length").flatMap { Int($0) } ?? 0
        while buffer.count < end + 4 + length { guard read(descriptor, &buffer) else { return nil } }
        let body = Array(buffer[(end + 4)..<(end + 4 + length)])
        buffer.removeFirst(end + 4 + length)
        return (head, body)
      }
      searched = buffer.count
      guard read(descriptor, &buffer) else { return nil }
    }
  }

  private func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }
}

extension [UInt8] {
  /// Where the blank line begins.
  fileprivate func endOfHead(from start: Int) -> Int? {
    guard count >= 4, start <= count - 4 else { return nil }
    return (start...(count - 4)).first {
      self[$0] == 13 && self[$0 + 1] == 10 && self[$0 + 2] == 13 && self[$0 + 3] == 10
    }
  }
}

extension RawServer {
  /// An answer with a length, after which the connection is kept.
  static func answer(_ status: Int = 200, _ body: String = "", fields: String = "") -> Action {
    .send("HTTP/1.1 \(status) Reason\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Descriptors of this process that are connected to this server, from either side.
  func descriptors() throws -> Int {
    let hexPort = String(port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - hexPort.count) + hexPort
    let rows = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
    let inodes = rows.compactMap { row -> String? in
      let columns = row.split(separator: " ")
      let isListening = columns[3] == "0A"
      return !isListening && (columns[1].hasSuffix(suffix) || columns[2].hasSuffix(suffix)) ? String(columns[9]) : nil
    }
    let wanted = Set(inodes.filter { $0 != "0" }.map { "socket:[\($0)]" })
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)).map(wanted.contains)
        ?? false
    }
  }
}

/// Asks again and again, for at most a minute, whether something has come about.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(60))
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return try condition()
}

/// Something that happens once.
final class Flag: Sendable {
  private let raised = Atomic(false)

  /// True the first time only.
  func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
