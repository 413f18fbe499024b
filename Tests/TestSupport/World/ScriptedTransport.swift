package import Data
package import JSON
import Synchronization

/// A server that a test plays by hand: each request is answered by a closure.
package final class ScriptedTransport: HTTPTransport {
  package typealias Script = @Sendable (_ method: String, _ target: String) -> HTTPResponse

  private let script: Mutex<Script>
  private let requests = Mutex<[String]>([])

  package init(_ script: @escaping Script) {
    self.script = Mutex(script)
  }

  /// Plays another script from now on.
  package func play(_ script: @escaping Script) {
    self.script.withLock { $0 = script }
  }

  /// All requests so far, as `METHOD target`, the target relative to the base.
  package var sent: [String] { requests.withLock { $0 } }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let target =
      request.url.hasPrefix(ModelTransport.base + "/")
      ? String(request.url.dropFirst(ModelTransport.base.count + 1)) : request.url
    requests.withLock { $0.append("\(request.method.name) \(target)") }
    return script.withLock { $0 }(request.method.name, target)
  }
}

extension HTTPResponse {
  /// An answer with a FHIR document.
  package static func document(
    _ document: JSONValue, status: Int = 200, headers: [(String, String)] = []
  ) -> HTTPResponse {
    answer(status, "application/fhir+json", document.bytes(), headers)
  }

  /// Any answer.
  package static func answer(
    _ status: Int, _ contentType: String = "application/fhir+json", _ body: [UInt8] = [],
    _ headers: [(String, String)] = []
  ) -> HTTPResponse {
    var fields = HTTPHeaders()
    fields.append("Content-Type", contentType)
    for (name, value) in headers { fields.append(name, value) }
    return HTTPResponse(status: status, headers: fields, body: body, effectiveURL: "")
  }

  /// A page of a search or a history.
  package static func page(
    _ entries: [JSONValue], next: String? = nil, type: String = "searchset", headers: [(String, String)] = []
  ) -> HTTPResponse {
    var bundle: JSONValue = ["resourceType": "Bundle", "type": .string(type), "entry": .array(entries)]
    if let next { bundle["link"] = [["relation": "next", "url": .string(next)]] }
    return document(bundle, headers: headers)
  }
}
