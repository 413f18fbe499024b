/// Sends one request and returns its answer, whatever the status. Retrying, redirects and sign-in are the caller's.
package protocol HTTPTransport: Sendable {
  /// - Throws: ``TransportError``; when the task is cancelled, one of kind `cancelled`, at once.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
