public import JSON

/// A scripted misbehaviour of the server itself. (Broken connections are `MockRelay`'s.)
public struct MockFault: Sendable, Equatable, ScriptedRule {
  /// What happens to a request that the fault catches.
  public enum Effect: Sendable, Equatable {
    /// This answer instead; the request has no effect.
    case answer(status: Int, headers: [String: String], body: String)
    /// This answer, although the request took effect: the server broke after it stored.
    case answerAfterwards(status: Int, headers: [String: String], body: String)
    /// The true answer, later by so many milliseconds.
    case delay(milliseconds: Int)
    /// A sign-in page in HTML with status 200, as a captive network gives; the request has no effect.
    case portal
    /// 410 and an OperationOutcome, as for a page link that has expired.
    case expiredPage
    /// The true answer with these headers on top.
    case headers([String: String])
  }

  /// The method it catches; nil for any.
  public var method: String?
  /// A regular expression that must match somewhere in path and query; nil for any. One that does not compile catches nothing.
  public var path: String?
  /// How many matching requests pass unharmed before.
  public var skip: Int
  /// How many matching requests it catches; nil for all.
  public var times: Int?
  /// What happens.
  public var effect: Effect

  /// A fault; unless told otherwise it strikes once.
  public init(method: String? = nil, path: String? = nil, skip: Int = 0, times: Int? = 1, effect: Effect) {
    self.method = method
    self.path = path
    self.skip = skip
    self.times = times
    self.effect = effect
  }

  /// The answer with this status and an OperationOutcome.
  public static func status(
    _ status: Int, method: String? = nil, path: String? = nil, skip: Int = 0, times: Int? = 1,
    headers: [String: String] = [:]
  ) -> MockFault {
    let outcome = Outcome.document("error", status == 429 ? "throttled" : "transient", "scripted fault").text()
    return MockFault(
      method: method, path: path, skip: skip, times: times,
      effect: .answer(
        status: status, headers: headers.merging(["Content-Type": MockResponse.mediaType]) { own, _ in own },
        body: outcome))
  }

  static var portalPage: Answer {
    Answer(
      status: 200, headers: ["Content-Type": "text/html; charset=utf-8"],
      raw: Array(
        "<!DOCTYPE html><html><title>Sign in</title><body>Please sign in to use this network.</body></html>".utf8))
  }

  /// The answer that replaces processing, or nil if the request is to be processed.
  var answerInstead: MockResponse? {
    switch effect {
    case .answer(let status, let headers, let body):
      MockResponse(status: status, headers: headers, body: Array(body.utf8))
    case .portal: Self.portalPage.response()
    case .expiredPage:
      Refusal(410, "expired", "this page has expired: begin the search again").answer.response()
    case .answerAfterwards, .delay, .headers: nil
    }
  }

  /// Changes the answer after processing.
  func change(_ response: inout MockResponse) {
    switch effect {
    case .answerAfterwards(let status, let headers, let body):
      response = MockResponse(status: status, headers: headers, body: Array(body.utf8))
    case .delay(let milliseconds): response.delayMilliseconds = max(0, milliseconds)
    case .headers(let headers): response.headers.merge(headers) { _, own in own }
    case .answer, .portal, .expiredPage: break
    }
  }
}

extension MockFault {
  /// A fault from its JSON form, as the fault file and `POST /$mock/faults` take it:
  /// `{"method": "POST", "path": "^/fhir/Patient", "skip": 1, "times": 2, "status": 503, "headers": {"Retry-After": "20"}, "body": "…"}`.
  ///
  /// In place of `status` may stand `"delay": milliseconds` or `"page": "portal"` or `"page": "expired"`; `headers` alone adds to the true
  /// answer; `"afterwards": true` lets the request take effect before `status` is answered; `"times": 0` means always. `body` is a text or a
  /// document.
  /// - Throws: `MockFaultError` if a member is unknown or has the wrong kind.
  public init(_ document: JSONValue) throws(MockFaultError) {
    guard let object = document.object else { throw MockFaultError(message: "a fault must be an object") }
    let known: Set = ["method", "path", "skip", "times", "status", "headers", "body", "afterwards", "delay", "page"]
    if let unknown = object.first(where: { !known.contains($0.key) }) {
      throw MockFaultError(message: "a fault has no member \(unknown.key)")
    }
    var headers: [String: String] = [:]
    for member in object["headers"]?.object ?? [:] { headers[member.key] = member.value.string ?? member.value.text() }
    let body = object["body"].map { $0.string ?? $0.text() } ?? ""
    if object["body"]?.object != nil, headers["Content-Type"] == nil {
      headers["Content-Type"] = MockResponse.mediaType
    }
    let effect: Effect
    if let status = object["status"] {
      guard let status = status.int, (200...599).contains(status) else {
        throw MockFaultError(message: "status must be a number from 200 to 599")
      }
      effect =
        object["afterwards"] == true
        ? .answerAfterwards(status: status, headers: headers, body: body)
        : .answer(status: status, headers: headers, body: body)
    } else if let delay = object["delay"] {
      guard let delay = delay.int, delay >= 0 else {
        throw MockFaultError(message: "delay must be a number of milliseconds")
      }
      effect = .delay(milliseconds: delay)
    } else if let page = object["page"] {
      guard page == "portal" || page == "expired" else {
        throw MockFaultError(message: "page must be portal or expired")
      }
      effect = page == "portal" ? .portal : .expiredPage
    } else if !headers.isEmpty {
      effect = .headers(headers)
    } else {
      throw MockFaultError(message: "a fault needs status, delay, page or headers")
    }
    let path = object["path"]?.string
    if let path, (try? Regex(path)) == nil { throw MockFaultError(message: "path is no regular expression") }
    let times = object["times"]?.int ?? 1
    self.init(
      method: object["method"]?.string, path: path, skip: object["skip"]?.int ?? 0, times: times == 0 ? nil : times,
      effect: effect)
  }

  /// Faults from a JSON list, or one.
  public static func list(_ document: JSONValue) throws(MockFaultError) -> [MockFault] {
    var faults: [MockFault] = []
    for fault in document.array ?? [document] { faults.append(try MockFault(fault)) }
    return faults
  }
}

/// Why a text is no fault.
public struct MockFaultError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var message: String
  public var description: String { message }
}
