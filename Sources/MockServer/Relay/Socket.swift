internal import Glibc

/// The few calls on sockets that the relay needs.
enum Socket {
  /// A listening socket on 127.0.0.1, with its port.
  static func listen(port: UInt16) -> (socket: Int32, port: UInt16)? {
    guard let bound = reserve(port: port) else { return nil }
    guard Glibc.listen(bound.socket, 128) == 0 else {
      close(bound.socket)
      return nil
    }
    return bound
  }

  /// A socket that keeps a port of 127.0.0.1 from being given to others, and does not listen; 0 takes a free one.
  static func reserve(port: UInt16) -> (socket: Int32, port: UInt16)? {
    let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard holder >= 0 else { return nil }
    var one: Int32 = 1
    setsockopt(holder, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(holder, address, length) == 0 && getsockname(holder, address, &length) == 0
      }
    }
    guard isBound else {
      close(holder)
      return nil
    }
    return (holder, UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection; programs that are started later do not inherit it.
  static func accept(_ listener: Int32) -> Int32 {
    let client = Glibc.accept(listener, nil, nil)
    if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
    return client
  }

  static func connect(port: UInt16) -> Int32? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard client >= 0 else { return nil }
    var address = loopback(port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(client)
      return nil
    }
    return client
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Sends everything; false if the other side is gone.
  static func send(_ bytes: some Collection<UInt8>, to socket: Int32) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Makes the next `close` a reset instead of an orderly end.
  static func resetOnClose(_ socket: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether the other side has closed an idle connection.
  static func isClosed(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }

  /// `POLLRDHUP` of Linux, which the module map leaves out.
  private static let hangUp: Int16 = 0x2000

  /// Waits, but not beyond the end of the connection.
  static func pause(_ socket: Int32, milliseconds: Int) {
    var entry = pollfd(fd: socket, events: hangUp, revents: 0)
    poll(&entry, 1, Int32(clamping: milliseconds))
  }
}

/// Reads HTTP/1.1 messages from a socket, byte for byte as they came.
struct MessageReader {
  let socket: Int32
  private var buffer: [UInt8] = []

  init(socket: Int32) { self.socket = socket }

  struct Message {
    var bytes: [UInt8] = []
    var startLine: [Substring] = []
    var headers: [String: String] = [:]

    var closes: Bool { headers["connection"]?.lowercased() == "close" || startLine.first == "HTTP/1.0" }
  }

  /// The head of the next message; nil when the connection ends before it is complete.
  mutating func head() -> Message? {
    var checked = 0
    while true {
      if let end = Self.headEnd(buffer, from: max(0, checked - 3)) {
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        var message = Message(bytes: Array(buffer[..<end]))
        buffer.removeFirst(end)
        let lines = text.split(separator: "\r\n")
        message.startLine = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          let value = line[line.index(after: colon)...].drop { $0 == " " }
          message.headers[line[..<colon].lowercased()] = String(value)
        }
        return message.startLine.count >= 2 ? message : nil
      }
      checked = buffer.count
      guard checked < 1 << 20, fill() else { return nil }
    }
  }

  private static func headEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 3 < bytes.count {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        return index + 4
      }
      index += 1
    }
    return nil
  }

  /// Adds the body to a message. False when the connection ends before it is complete; what came is added all the same.
  mutating func body(of message: inout Message, untilClose: Bool) -> Bool {
    if message.headers["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true {
      while true {
        guard let line = line(into: &message) else { return false }
        guard let size = Int(line.prefix { $0 != ";" }.filter { $0 != " " }, radix: 16), (0..<1 << 40).contains(size)
        else { return false }
        if size == 0 { break }
        guard take(size + 2, into: &message) else { return false }
      }
      while let line = line(into: &message) {
        if line.isEmpty { return true }
      }
      return false
    }
    if let length = message.headers["content-length"] {
      guard let count = Int(length), count >= 0 else { return false }
      return take(count, into: &message)
    }
    if untilClose {
      while fill() {}
      message.bytes += buffer
      buffer = []
    }
    return true
  }

  private mutating func take(_ count: Int, into message: inout Message) -> Bool {
    while buffer.count < count, fill() {}
    let isComplete = buffer.count >= count
    message.bytes += buffer.prefix(count)
    buffer.removeFirst(min(count, buffer.count))
    return isComplete
  }

  /// A line without its end.
  private mutating func line(into message: inout Message) -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = buffer[...end]
        message.bytes += line
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        buffer.removeFirst(end + 1)
        return text.hasSuffix("\r") ? String(text.dropLast()) : text
      }
      guard fill() else { return nil }
    }
  }

  private mutating func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer += piece[..<count]
      return true
    }
  }
}
