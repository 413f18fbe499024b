package import JSON

/// A FHIR server at a base URL: targets in, answers out.
package struct FHIRClient: Sendable {
  /// The base URL, without a slash at its end.
  package let base: String
  private let transport: any HTTPTransport
  private let timeouts: HTTPTimeouts
  private let nowSeconds: @Sendable () -> Int64

  /// Creates a client.
  ///
  /// - Parameter nowSeconds: the local time in seconds since 1970.
  package init(
    base: String, transport: any HTTPTransport, timeouts: HTTPTimeouts = .standard,
    nowSeconds: @escaping @Sendable () -> Int64
  ) {
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.transport = transport
    self.timeouts = timeouts
    self.nowSeconds = nowSeconds
  }

  /// The same, with its bytes counted.
  package func metered(by meter: ByteMeter) -> FHIRClient {
    FHIRClient(
      base: base, transport: MeteredTransport(base: transport, meter: meter), timeouts: timeouts, nowSeconds: nowSeconds
    )
  }

  /// Sends a prepared write.
  package func send(_ attempt: Attempt) async throws(TransportError) -> FHIRAnswer {
    try await answer(
      HTTPRequest(
        method: attempt.method, url: "\(base)/\(attempt.target)", headers: attempt.headers, body: attempt.body,
        timeouts: timeouts))
  }

  /// Sends a batch or transaction Bundle.
  package func transact(_ bundle: JSONValue, requestID: String) async throws(TransportError) -> FHIRAnswer {
    try await answer(
      HTTPRequest(
        method: .post, url: base,
        headers: [
          "Accept": "application/fhir+json", "Content-Type": "application/fhir+json; charset=utf-8",
          "Prefer": "return=representation", "X-Request-Id": requestID,
        ], body: bundle.bytes(), timeouts: timeouts))
  }

  /// Reads a target relative to the base.
  ///
  /// - Parameter etag: asks for the document only if it is not this one any more (RFC 9110 §13.1.2).
  package func read(_ target: String, unless etag: String? = nil) async throws(TransportError) -> FHIRAnswer {
    try await readPage("\(base)/\(target)", unless: etag)
  }

  /// Reads an absolute address, such as a page's link, exactly as it was given.
  package func readPage(_ url: String, unless etag: String? = nil) async throws(TransportError) -> FHIRAnswer {
    var headers: HTTPHeaders = ["Accept": "application/fhir+json", "Cache-Control": "no-cache"]
    headers["If-None-Match"] = etag
    return try await answer(HTTPRequest(method: .get, url: url, headers: headers, timeouts: timeouts))
  }

  private func answer(_ request: HTTPRequest) async throws(TransportError) -> FHIRAnswer {
    FHIRAnswer(try await transport.send(request), nowSeconds: nowSeconds())
  }
}
