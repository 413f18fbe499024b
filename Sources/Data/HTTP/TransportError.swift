/// Why no complete answer arrived. The message names no token, no query and no patient.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The caller gave up, or the transport was shut down.
    case cancelled
    /// The host's name has no address.
    case couldNotResolve
    /// No connection: refused, unreachable.
    case couldNotConnect
    /// The TLS handshake failed, or the server's certificate is not trusted.
    case tls
    /// The proxy could not be reached or did not let us through.
    case proxy
    /// No connection in the time allowed.
    case timedOutConnecting
    /// No complete answer in the time allowed.
    case timedOut
    /// The connection stood, but no byte moved for the time allowed.
    case stalled
    /// The connection broke while sending or receiving.
    case reset
    /// The connection was closed before the first byte of an answer.
    case emptyAnswer
    /// The answer began and was cut.
    case truncated
    /// The answer is larger than ``HTTPRequest/maximumBodyBytes``.
    case tooLarge
    /// A reused connection died, and the body was kept from being sent a second time. The first may have arrived.
    case resendPrevented
    /// The address cannot be used: malformed, or neither http nor https.
    case unsupportedURL
    /// A header, method or body that must not be sent, such as a line break in a header's value.
    case unsupportedRequest
    /// Plain http to another machine, which the configuration does not allow.
    case refusedPlainHTTP
    /// The token for this server could not be obtained.
    case noToken
    /// The answer is not HTTP that could be understood.
    case malformedAnswer
    /// libcurl cannot be used on this machine: no request can be made by this process.
    case noLibrary
    /// Anything else, with libcurl's code.
    case other(code: Int)
  }

  package var kind: Kind
  package var message: String
  /// True only where no byte of the request can have left: the server has certainly not processed it. Otherwise a write
  /// is ambiguous.
  package var sentNothing: Bool

  package init(_ kind: Kind, _ message: String, sentNothing: Bool) {
    self.kind = kind
    self.message = message
    self.sentNothing = sentNothing
  }

  package var description: String { message }
}
