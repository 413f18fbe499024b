/// The final answer to a request. Interim answers (1xx) are not kept.
package struct HTTPResponse: Hashable, Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  /// The body after decompression.
  package var body: [UInt8]
  /// The address that answered; links in the body are resolved against it.
  package var effectiveURL: String

  package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], effectiveURL: String) {
    self.status = status
    self.headers = headers
    self.body = body
    self.effectiveURL = effectiveURL
  }
}
