internal import CMicroHTTPD
internal import Dispatch
internal import Synchronization

/// What all connections share: who answers, and which of them wait.
final class HTTPDesk: Sendable {
  private struct State {
    var isClosed = false
    var waiting: [ObjectIdentifier: HTTPExchange] = [:]
  }

  let answer: @Sendable (MockRequest) -> MockResponse
  private let state = Mutex(State())

  init(_ answer: @escaping @Sendable (MockRequest) -> MockResponse) { self.answer = answer }

  /// No connection waits from now on. Returns those that did; nil if this was called before.
  func close() -> [HTTPExchange]? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
  }

  /// Suspends the exchange's connection for that long. False if the server is being stopped.
  func hold(_ exchange: HTTPExchange, milliseconds: Int) -> Bool {
    let isHeld = state.withLock { state in
      guard !state.isClosed else { return false }
      state.waiting[ObjectIdentifier(exchange)] = exchange
      exchange.suspend()
      return true
    }
    if isHeld {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        // Whoever takes it out of the table resumes it.
        let isWaiting = self.state.withLock { $0.waiting.removeValue(forKey: ObjectIdentifier(exchange)) != nil }
        if isWaiting { exchange.resume() }
      }
    }
    return isHeld
  }
}

/// One request with its answer.
///
/// Unchecked: its fields are touched on the daemon's thread only. Other threads call `resume`, which reads `connection`, written before the
/// connection was suspended and handed over through the desk's mutex.
final class HTTPExchange: @unchecked Sendable {
  private static let largestBody = 256 << 20

  private let target: String
  private var request: MockRequest?
  private var response: MockResponse?
  private var connection: OpaquePointer?

  init(target: String) { self.target = target }

  func suspend() { if let connection { MHD_suspend_connection(connection) } }
  func resume() { if let connection { MHD_resume_connection(connection) } }

  func take(
    _ connection: OpaquePointer, method: String, data: UnsafePointer<CChar>?, size: inout Int, desk: HTTPDesk
  ) -> MHD_Result {
    self.connection = connection
    if let response { return queue(response) }
    guard request != nil else {
      request = MockRequest(method, target, headers: headers())
      return .YES
    }
    if size > 0, let data {
      guard (request?.body.count ?? 0) + size <= Self.largestBody else { return .NO }
      data.withMemoryRebound(to: UInt8.self, capacity: size) { bytes in
        request?.body.append(contentsOf: UnsafeBufferPointer(start: bytes, count: size))
      }
      size = 0
      return .YES
    }
    guard let request else { return .NO }
    let response = desk.answer(request)
    self.response = response
    if response.delayMilliseconds > 0, desk.hold(self, milliseconds: response.delayMilliseconds) { return .YES }
    return queue(response)
  }

  private func headers() -> [String: String] {
    var headers: [String: String] = [:]
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { headers, _, name, value in
          guard let headers = headers?.assumingMemoryBound(to: [String: String].self), let name else { return .YES }
          let key = String(cString: name).lowercased()
          let text = value.map { String(cString: $0) } ?? ""
          headers.pointee[key] = headers.pointee[key].map { "\($0), \(text)" } ?? text
          return .YES
        }, headers)
    }
    return headers
  }

  private func queue(_ response: MockResponse) -> MHD_Result {
    var body = response.body
    guard let answer = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY) else { return .NO }
    defer { MHD_destroy_response(answer) }
    for (name, value) in response.headers { _ = MHD_add_response_header(answer, name, value) }
    return MHD_queue_response(connection, UInt32(response.status), answer)
  }
}
