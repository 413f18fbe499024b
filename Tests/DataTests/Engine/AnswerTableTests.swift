import Data
import Domain
import JSON
import TestSupport
import Testing

@Suite("Answers: every one has a class")
struct AnswerTableTests {
  typealias Verdict = AnswerTable.Class

  /// The whole table, written down a second time: status ranges by strategy, the first row that fits counts.
  static func expected(_ status: Int, _ strategy: WriteStrategy) -> Verdict {
    switch (status, strategy) {
    case (200, _), (201, _), (204, _): .done
    case (401, _): .signIn
    case (408, _), (425, _), (429, _), (503, _): .tryAgain
    case (400, .createByPut), (404, .createByPut), (405, .createByPut): .refusesClientID
    case (404, .delete), (410, .delete): .done
    case (404, .update), (410, .update), (410, .createByPut): .findOut
    case (409, _): .stale
    case (412, .createByPost): .manyMatches
    case (412, _): .stale
    case (400...499, _), (501, _), (505, _): .refused
    default: .findOut
    }
  }

  @Test("every status code, for every way of writing", arguments: WriteStrategy.allCases)
  func statuses(strategy: WriteStrategy) {
    let different = (100...599).filter {
      AnswerTable.classify(status: $0, strategy: strategy) != Self.expected($0, strategy)
    }
    #expect(different == [])
  }

  @Test("no answer from 400 on counts as done, but for a delete of what is gone; nothing from 500 on counts as refused")
  func safety() {
    for strategy in WriteStrategy.allCases {
      let done = (100...599).filter { AnswerTable.classify(status: $0, strategy: strategy) == .done }
      #expect(done == (strategy == .delete ? [200, 201, 204, 404, 410] : [200, 201, 204]))
      let refused = (500...599).filter { AnswerTable.classify(status: $0, strategy: strategy) == .refused }
      #expect(refused == [501, 505])
    }
  }

  static let kinds: [TransportError.Kind] = [
    .cancelled, .couldNotResolve, .couldNotConnect, .tls, .proxy, .timedOutConnecting, .timedOut, .stalled, .reset,
    .emptyAnswer, .truncated, .tooLarge, .resendPrevented, .unsupportedURL, .unsupportedRequest, .refusedPlainHTTP,
    .noToken, .malformedAnswer, .other(code: 99),
  ]

  @Test(
    "no failure of the network settles an entry: with bytes sent it is found out, without it goes again",
    arguments: kinds)
  func transport(kind: TransportError.Kind) {
    let sent = AnswerTable.classify(TransportError(kind, "x", sentNothing: false))
    let unsent = AnswerTable.classify(TransportError(kind, "x", sentNothing: true))
    switch kind {
    case .noToken: #expect([sent, unsent] == [.signIn, .signIn])
    case .unsupportedRequest: #expect([sent, unsent] == [.findOut, .refused])
    default: #expect([sent, unsent] == [.findOut, .unreachable])
    }
  }

  struct Body: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var status: Int
    var strategy: WriteStrategy
    var type: String
    var text: String
    var expected: Verdict
  }

  static let patient = #"{"resourceType":"Patient","id":"p"}"#
  static let outcome = #"{"resourceType":"OperationOutcome","issue":[]}"#
  static let html = "<html><body>Sign in</body></html>"
  static let examples: [Body] = [
    Body(testDescription: "our resource", status: 200, strategy: .update, type: "json", text: patient, expected: .done),
    Body(
      testDescription: "another id", status: 200, strategy: .update, type: "json",
      text: #"{"resourceType":"Patient","id":"q"}"#, expected: .findOut),
    Body(
      testDescription: "an id that the server chose", status: 201, strategy: .createByPost, type: "json",
      text: #"{"resourceType":"Patient","id":"q"}"#, expected: .done),
    Body(
      testDescription: "another type", status: 200, strategy: .update, type: "json",
      text: #"{"resourceType":"Group","id":"p"}"#, expected: .findOut),
    Body(
      testDescription: "JSON that is no resource", status: 200, strategy: .update, type: "json", text: #"{"ok":true}"#,
      expected: .findOut),
    Body(
      testDescription: "cut JSON", status: 200, strategy: .update, type: "json", text: #"{"resourceType":"Pat"#,
      expected: .findOut),
    Body(testDescription: "nothing", status: 204, strategy: .update, type: "", text: "", expected: .done),
    Body(testDescription: "an outcome", status: 200, strategy: .update, type: "json", text: outcome, expected: .done),
    Body(
      testDescription: "a page with 200", status: 200, strategy: .update, type: "html", text: html, expected: .findOut),
    Body(
      testDescription: "a page with 201", status: 201, strategy: .createByPost, type: "html", text: html,
      expected: .findOut),
    Body(
      testDescription: "a page with 404", status: 404, strategy: .createByPut, type: "html", text: html,
      expected: .findOut),
    Body(
      testDescription: "a page with 422", status: 422, strategy: .update, type: "html", text: html, expected: .findOut),
    Body(
      testDescription: "a page with 412", status: 412, strategy: .update, type: "html", text: html, expected: .findOut),
    Body(
      testDescription: "a page with 404 to a delete", status: 404, strategy: .delete, type: "html", text: html,
      expected: .findOut),
    Body(
      testDescription: "a page with 503", status: 503, strategy: .update, type: "html", text: html, expected: .tryAgain),
    Body(
      testDescription: "a delete with an outcome", status: 200, strategy: .delete, type: "json", text: outcome,
      expected: .done),
    Body(
      testDescription: "a refusal in JSON of its own", status: 400, strategy: .update, type: "json",
      text: #"{"error":{"code":400}}"#, expected: .refused),
  ]

  @Test("the body counts too", arguments: examples)
  func bodies(_ body: Body) {
    let type = body.type == "html" ? "text/html; charset=utf-8" : body.type.isEmpty ? "" : "application/fhir+json"
    let response = HTTPResponse(
      status: body.status, headers: ["Content-Type": type], body: Array(body.text.utf8), effectiveURL: "")
    let answer = FHIRAnswer(response, nowSeconds: 0)
    #expect(AnswerTable.classify(answer, strategy: body.strategy, type: "Patient", id: "p") == body.expected)
  }
}

@Suite("Backoff: full jitter, with a cap")
struct BackoffTests {
  @Test(
    "the longest pause doubles up to five minutes",
    arguments: [
      (0, 2_000), (1, 2_000), (2, 4_000), (5, 32_000), (8, 256_000), (9, 300_000), (12, 300_000), (1_000, 300_000),
    ] as [(Int, Int64)])
  func bounds(attempts: Int, limit: Int64) {
    #expect(Backoff.delay(attempts: attempts, unit: 0) == 0)
    #expect(abs(Backoff.delay(attempts: attempts, unit: 0.999_999_99) - limit) <= 1)
  }

  @Test("a hundred clients come back spread over the whole pause")
  func spread() {
    var state: UInt64 = 5
    let delays = (0..<100).map { _ in Backoff.delay(attempts: 6, unit: Double(SplitMix.next(&state) >> 11) * 0x1p-53) }
    let busiest = Dictionary(grouping: delays) { $0 / 6_400 }.values.map(\.count).max() ?? 0
    #expect(busiest <= 25)
  }
}
