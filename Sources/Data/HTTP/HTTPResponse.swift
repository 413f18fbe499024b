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

extension HTTPResponse {
  /// Without a token that the server repeated. Documents, which come with success, are left as they are.
  func withoutEcho(of token: Secret) -> HTTPResponse {
    let text = token.reveal()
    guard !(200...299).contains(status), !text.isEmpty else { return self }
    var response = self
    response.headers = HTTPHeaders(
      headers.fields.map {
        HTTPHeaders.Field(name: $0.name, value: String(decoding: Array($0.value.utf8).hiding(text), as: UTF8.self))
      })
    response.body = body.hiding(text)
    return response
  }
}

extension [UInt8] {
  fileprivate func hiding(_ secret: String) -> [UInt8] {
    replacing(Array(secret.utf8), with: Array("•••".utf8))
  }
}
