import Domain
import JSON

/// Decides what the answer to a write means for its entry.
package enum SendDecision {
  /// The moment and the luck of a decision.
  package struct Circumstances: Sendable {
    /// Milliseconds since 1970.
    package var now: Int64
    /// A random number in `0..<1`.
    package var unit: Double

    package init(now: Int64, unit: Double) {
      self.now = now
      self.unit = unit
    }
  }

  /// Decides by an answer.
  package static func decide(
    _ entry: OutboxEntry, _ attempt: Attempt, _ answer: FHIRAnswer, _ circumstances: Circumstances
  ) -> Decision {
    let number = entry.number
    let words = ServerWords.describe(answer)
    switch AnswerTable.classify(answer, strategy: attempt.strategy, type: entry.key.type, id: entry.key.id) {
    case .done:
      return Decision(accepted(entry, attempt, answer))
    case .tryAgain:
      return tryAgain(entry, answer, words, circumstances)
    case .signIn:
      return Decision(
        .tryAgain(number, notBefore: nil, countsAttempt: false, reason: "the server asks for a sign-in"), halt: .signIn)
    case .findOut:
      let pause = Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
      return Decision(
        .ambiguous(number, notBefore: circumstances.now + pause, reason: "unknown, will check: \(words)"),
        halt: ServerWords.halt(answer))
    case .stale:
      // A 412 is about the version; a 409 may also be a lock that somebody else holds for a moment.
      let isPrecondition = answer.status == 412 && entry.kind != .create
      let pause = Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
      return Decision(
        .stale(
          number, refusedVersion: isPrecondition ? entry.baseVersion ?? "" : nil,
          notBefore: isPrecondition ? nil : circumstances.now + pause, reason: words),
        showsIfMatch: isPrecondition)
    case .refused:
      return Decision(
        .review(
          number, .refusal, explanation: words, disputes: [], theirs: nil, outcome: answer.outcome))
    case .refusesClientID:
      return Decision(.createByPost(number, reason: "the server takes no ids of ours: \(words)"))
    case .manyMatches:
      return Decision(
        .review(
          number, .doubleMatch, explanation: "more than one record at the server carries our identifier", disputes: [],
          theirs: nil, outcome: answer.outcome))
    case .unreachable:
      return Decision(.tryAgain(number, notBefore: nil, countsAttempt: false, reason: words))
    }
  }

  /// Decides when no answer came.
  package static func decide(
    _ entry: OutboxEntry, _ error: TransportError, _ circumstances: Circumstances
  ) -> Decision {
    switch AnswerTable.classify(error) {
    case .unreachable:
      return Decision(
        .tryAgain(
          entry.number, notBefore: nil, countsAttempt: false,
          reason: "the server could not be reached: \(error.message)"),
        halt: .unreachable(AppError(error)))
    case .signIn:
      return Decision(
        .tryAgain(entry.number, notBefore: nil, countsAttempt: false, reason: error.message), halt: .signIn)
    case .refused:
      return Decision(
        .review(
          entry.number, .refusal, explanation: error.message, disputes: [], theirs: nil, outcome: nil))
    default:
      let pause = Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
      return Decision(
        .ambiguous(
          entry.number, notBefore: circumstances.now + pause, reason: "unknown, will check: \(error.message)"))
    }
  }

  private static func accepted(_ entry: OutboxEntry, _ attempt: Attempt, _ answer: FHIRAnswer) -> Settlement {
    let expected = attempt.strategy == .createByPost ? nil : entry.key.id
    let document = answer.resource(type: entry.key.type, id: expected)
    let located = answer.location.flatMap(FHIRLocation.parse)
    let serverID =
      attempt.strategy == .createByPost
      ? document?["id"]?.string ?? (located?.type == entry.key.type ? located?.id : nil) : nil
    if attempt.strategy == .createByPost, serverID == nil {
      // It was made, but nothing says under which id: our identifier will find it.
      return .ambiguous(entry.number, notBefore: nil, reason: "created, but the answer does not say under which id")
    }
    return .accepted(
      entry.number, document: document, version: answer.version, etag: answer.etag?.text, serverID: serverID,
      how: "accepted (\(answer.status))")
  }

  /// Later again, certainly not applied; and silence towards the server where it asks for that.
  static func tryAgain(
    _ entry: OutboxEntry, _ answer: FHIRAnswer, _ words: String, _ circumstances: Circumstances
  ) -> Decision {
    let pause = Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
    let asked = answer.retryAfter.map { min($0.milliseconds, Throttle.longest) }
    // A server that names a time, or says that it is too much, means all of us.
    let isThrottled = asked != nil || answer.status == 429
    return Decision(
      .tryAgain(entry.number, notBefore: circumstances.now + pause, countsAttempt: true, reason: words),
      halt: isThrottled ? .throttled(until: circumstances.now + max(asked ?? 0, pause)) : nil)
  }
}

/// The bounds of what a server may ask for.
package enum Throttle {
  /// The longest silence that is kept, in milliseconds: a day.
  package static let longest: Int64 = 86_400_000
}

extension Duration {
  /// Whole milliseconds, rounded up.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
