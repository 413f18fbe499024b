public import JSON

/// One HTTP request as the mock server's model takes it: no sockets involved.
public struct MockRequest: Sendable, Equatable {
  /// The method, in capitals.
  public var method: String
  /// Path and query as on the request line, still percent-encoded: `/fhir/Patient?_count=5`.
  public var target: String
  /// Header fields; names compare without regard to case.
  public var headers: [String: String]
  /// The body, empty if there is none.
  public var body: [UInt8]

  /// A request with a body of bytes.
  public init(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// A request whose body is a FHIR document, sent as `application/fhir+json`.
  public init(_ method: String, _ target: String, headers: [String: String] = [:], document: JSONValue) {
    self.init(
      method, target, headers: headers.merging(["Content-Type": MockResponse.mediaType]) { own, _ in own },
      body: document.bytes())
  }
}

/// One HTTP answer of the mock server's model.
public struct MockResponse: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// Header fields under their usual spelling (`ETag`, `Location`, `Last-Modified`, `Content-Type`, `Date`).
  public var headers: [String: String]
  /// The body, empty if there is none.
  public var body: [UInt8]
  /// How long the answer is to be held back, as a scripted fault demands. The listener waits that long; a simulation decides itself.
  public var delayMilliseconds: Int

  /// An answer.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], delayMilliseconds: Int = 0) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delayMilliseconds = delayMilliseconds
  }

  /// The body as a document, or nil if it is none. Parses on every call.
  public var document: JSONValue? {
    try? JSONValue(parsing: body, limits: JSONLimits(depth: 500))
  }

  static let mediaType = "application/fhir+json"
}

/// Type and id of a resource.
struct MockKey: Hashable, Sendable {
  var type: String
  var id: String
  var path: String { "\(type)/\(id)" }

  init(_ type: String, _ id: String) {
    self.type = type
    self.id = id
  }

  /// The last `Type/id` of a reference, relative or absolute, versioned or not; nil for anything else.
  init?(reference: String) {
    var parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count >= 4, parts[parts.count - 2] == "_history" { parts.removeLast(2) }
    guard parts.count >= 2, let id = parts.last, ResourceType.isKnown(parts[parts.count - 2]) else { return nil }
    self.init(String(parts[parts.count - 2]), String(id))
  }
}

/// A request that is answered with a status of 400 or more and an OperationOutcome.
struct Refusal: Error {
  var status: Int
  /// A code of the value set issue-type.
  var code: String
  var text: String
  var headers: [String: String] = [:]

  init(_ status: Int, _ code: String, _ text: String, headers: [String: String] = [:]) {
    self.status = status
    self.code = code
    self.text = text
    self.headers = headers
  }

  var answer: Answer {
    Answer(status: status, headers: headers, document: Outcome.document("error", code, text))
  }
}

/// An answer before it is turned into bytes, so that bundles can take it apart.
struct Answer {
  var status: Int
  var headers: [String: String] = [:]
  var document: JSONValue?
  var raw: [UInt8]?
  /// When the version was made that the answer is about.
  var time: Int64?

  func response(pretty: Bool = false) -> MockResponse {
    var response = MockResponse(status: status, headers: headers)
    if let raw {
      response.body = raw
    } else if let document {
      response.headers["Content-Type"] = "\(MockResponse.mediaType); charset=utf-8"
      response.body = document.bytes(pretty ? .pretty : .compact)
    }
    return response
  }
}

enum Outcome {
  /// An OperationOutcome with one issue.
  static func document(_ severity: JSONValue, _ code: String, _ text: String) -> JSONValue {
    [
      "resourceType": "OperationOutcome",
      "issue": [["severity": severity, "code": .string(code), "diagnostics": .string(text)]],
    ]
  }
}
