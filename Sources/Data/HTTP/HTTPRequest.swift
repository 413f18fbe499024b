/// One request, complete: what is sent is exactly this and what HTTP itself needs (`Host`, `Content-Length`, `Accept-Encoding`).
package struct HTTPRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The absolute address, already percent-encoded. A fragment is not sent.
  package var url: String
  package var headers: HTTPHeaders
  /// The exact bytes of the body; nil sends none, an empty array sends `Content-Length: 0`.
  package var body: [UInt8]?
  package var timeouts: HTTPTimeouts
  /// The largest answer that is taken, in bytes after decompression; a longer one ends with ``TransportError/Kind/tooLarge``.
  package var maximumBodyBytes: Int
  package var redirects: RedirectPolicy

  package init(
    method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    timeouts: HTTPTimeouts = .standard, maximumBodyBytes: Int = HTTPRequest.standardMaximumBodyBytes,
    redirects: RedirectPolicy = .never
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.maximumBodyBytes = maximumBodyBytes
    self.redirects = redirects
  }

  /// 64 MiB: a page of a thousand large resources with room to spare.
  package static let standardMaximumBodyBytes = 64 << 20

  /// What happens with a 3xx answer.
  package enum RedirectPolicy: Hashable, Sendable {
    /// The answer is handed to the caller as it is. No transport follows a redirect by itself, so no token can.
    case never
  }
}

/// How long a request may take. A value of zero or less means "no such limit".
package struct HTTPTimeouts: Hashable, Sendable {
  /// Until a connection, with TLS, stands.
  package var connect: Duration
  /// Without one byte in either direction. Whole seconds: rounded up.
  package var stall: Duration
  /// From the start to the last byte of the answer.
  package var total: Duration

  package init(connect: Duration, stall: Duration, total: Duration) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }

  /// For one resource over a slow clinic line.
  package static let standard = HTTPTimeouts(connect: .seconds(10), stall: .seconds(30), total: .seconds(120))
}
