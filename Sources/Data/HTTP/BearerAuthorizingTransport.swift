/// Adds `Authorization: Bearer …` (RFC 6750 §2.1) to requests for one origin, and to no others.
///
/// Refusals that repeat the token are cleared of it: what servers say about an error is shown and kept.
///
/// The origin is compared for every request, so a link or a redirect that leads elsewhere is followed without the token.
package struct BearerAuthorizingTransport: HTTPTransport {
  /// Gives the current token, or nil to send without. What it throws ends the request before anything is sent.
  package typealias TokenSource = @Sendable () async throws -> Secret?

  private let base: any HTTPTransport
  private let origin: Origin
  private let tokenSource: TokenSource

  package init(base: any HTTPTransport, origin: Origin, tokenSource: @escaping TokenSource) {
    self.base = base
    self.origin = origin
    self.tokenSource = tokenSource
  }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard Origin(request.url) == origin else { return try await base.send(request) }
    var request = request
    guard let token = try await token() else { return try await base.send(request) }
    request.headers["Authorization"] = "Bearer \(token.reveal())"
    return try await base.send(request).withoutEcho(of: token)
  }

  private func token() async throws(TransportError) -> Secret? {
    do {
      return try await tokenSource()
    } catch let error as TransportError {
      // An answer that was lost on the way to a token says nothing about this request, which never left.
      throw TransportError(error.kind, error.message, sentNothing: true)
    } catch is CancellationError {
      throw TransportError(.cancelled, "The request was cancelled before it was sent.", sentNothing: true)
    } catch {
      throw TransportError(.noToken, "No token could be obtained for \(origin); sign in again.", sentNothing: true)
    }
  }
}
