internal import CMicroHTTPD
internal import Glibc

/// libmicrohttpd with one epoll thread, on which requests are answered; an answer that is to be late suspends its connection instead.
final class HTTPListener: Sendable {
  let port: UInt16
  /// `MHD_Daemon` may be used from any thread, and is stopped once: `desk` sees to that.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let desk: HTTPDesk

  init(port: UInt16, answer: @escaping @Sendable (MockRequest) -> MockResponse) throws(MockServerError) {
    let desk = HTTPDesk(answer)
    self.desk = desk
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_SUPPRESS_DATE_NO_CLOCK.rawValue
    let started = withUnsafeMutablePointer(to: &address) { address -> OpaquePointer? in
      var options = [
        MHD_OptionItem(option: .SOCK_ADDR, value: 0, ptr_value: address),
        MHD_OptionItem(option: .URI_LOG_CALLBACK, value: unsafeBitCast(begin, to: Int.self), ptr_value: nil),
        MHD_OptionItem(option: .NOTIFY_COMPLETED, value: unsafeBitCast(completed, to: Int.self), ptr_value: nil),
        MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: 256 << 10, ptr_value: nil),
        MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
      ]
      return clinic_mhd_start(UInt32(flags), access, Unmanaged.passUnretained(desk).toOpaque(), &options)
    }
    guard let started else {
      throw MockServerError(message: "cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(errno)))")
    }
    daemon = started
    self.port = clinic_mhd_port(started)
  }

  deinit { stop() }

  /// Stops once; blocks until the daemon's thread has ended.
  func stop() {
    guard let waiting = desk.close() else { return }
    // The library must not be stopped while connections are suspended.
    for exchange in waiting { exchange.resume() }
    MHD_stop_daemon(daemon)
  }
}

/// The first callback of a request: makes its exchange, which becomes the request's context. Only here is the target given undecoded.
private let begin:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    _, target, _ in
    Unmanaged.passRetained(HTTPExchange(target: target.map { String(cString: $0) } ?? "/")).toOpaque()
  }

/// The last callback of a request: lets its exchange go.
private let completed: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let slot, let pointer = slot.pointee else { return }
  Unmanaged<HTTPExchange>.fromOpaque(pointer).release()
  slot.pointee = nil
}

/// Called once for the head, for every piece of the body, and at its end; again when a suspended connection was resumed.
private let access: MHD_AccessHandlerCallback = { context, connection, _, method, _, data, size, slot in
  guard let context, let connection, let method, let size, let pointer = slot?.pointee else { return .NO }
  let desk = Unmanaged<HTTPDesk>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  return exchange.take(connection, method: String(cString: method), data: data, size: &size.pointee, desk: desk)
}
