/// What is the same for all requests of a ``CurlTransport``.
package struct CurlConfiguration: Hashable, Sendable {
  /// Whether plain http may leave this machine. Loopback is always allowed.
  package var allowsPlainHTTP: Bool
  /// A file of certificates (PEM) to trust instead of the system's, for a clinic with its own authority.
  package var certificateAuthorityFile: String?
  /// How many idle connections are kept for the next requests.
  package var idleConnections: Int

  package init(allowsPlainHTTP: Bool = false, certificateAuthorityFile: String? = nil, idleConnections: Int = 16) {
    self.allowsPlainHTTP = allowsPlainHTTP
    self.certificateAuthorityFile = certificateAuthorityFile
    self.idleConnections = idleConnections
  }

  /// The origin of a request that may be sent.
  ///
  /// Everything that could change the meaning of the request on the wire is refused here, before any connection.
  func check(_ request: HTTPRequest) throws(TransportError) -> Origin {
    guard let origin = Origin(request.url) else {
      throw .refused(.unsupportedURL, "The address is not a usable http or https address.")
    }
    guard origin.scheme == "https" || origin.isLoopback || allowsPlainHTTP else {
      throw .refused(
        .refusedPlainHTTP,
        "Plain http to \(origin) is refused: use https, or allow plain http for this profile.")
    }
    guard HTTPText.isToken(request.method.name) else {
      throw .refused(.unsupportedRequest, "The request method is not a valid name.")
    }
    guard request.body == nil || !request.method.isSafe else {
      throw .refused(.unsupportedRequest, "A \(request.method) request cannot have a body.")
    }
    for field in request.headers.fields { try check(field) }
    return origin
  }

  private func check(_ field: HTTPHeaders.Field) throws(TransportError) {
    guard HTTPText.isToken(field.name) else {
      throw .refused(.unsupportedRequest, "A header's name has a character that is not allowed.")
    }
    guard HTTPText.isFieldValue(field.value) else {
      throw .refused(
        .unsupportedRequest, "The value of the header \(field.name) has a control character, such as a line break.")
    }
    guard !Self.ownFields.contains(ASCII.lowercased(field.name)) else {
      throw .refused(.unsupportedRequest, "The header \(field.name) is set by the transport itself.")
    }
  }

  /// What frames a message: two opinions about it would make two messages of one.
  private static let ownFields: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
  ]
}

extension TransportError {
  fileprivate static func refused(_ kind: Kind, _ message: String) -> TransportError {
    TransportError(kind, message, sentNothing: true)
  }
}
