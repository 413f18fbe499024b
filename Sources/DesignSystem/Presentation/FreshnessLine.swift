public import Domain

/// How old an answer is and what is on its way, in words: `as of 09:12, refreshing, 2 unsent edits`.
public struct FreshnessLine: Sendable, Hashable {
  private var freshness: Freshness
  private var revalidation: Revalidation
  private var pendingWrites: Int
  private var writesInReview: Int
  private var mayBeIncomplete: Bool

  /// Takes what a snapshot tells about itself.
  public init<Value>(_ snapshot: Snapshot<Value>) {
    freshness = snapshot.freshness
    revalidation = snapshot.revalidation
    pendingWrites = snapshot.pendingWrites
    writesInReview = snapshot.writesInReview
    mayBeIncomplete = snapshot.mayBeIncomplete
  }

  /// The line, in lower case and without a full stop.
  /// - Parameters:
  ///   - zone: The clinic's zone, whose clock is shown.
  ///   - now: The present: times of another day are shown with their day.
  public func text(zone: ClinicZone, now: Instant) -> String {
    var parts = [age(zone: zone, today: zone.local(now).day)]
    switch revalidation {
    case .idle: break
    case .running: parts.append("refreshing")
    case .failed(let error): parts.append("not refreshed: \(error.message)")
    }
    if mayBeIncomplete { parts.append("may be incomplete") }
    let unsent = pendingWrites - writesInReview
    if unsent > 0 { parts.append(unsent == 1 ? "1 unsent edit" : "\(unsent) unsent edits") }
    if writesInReview > 0 {
      parts.append(writesInReview == 1 ? "1 edit needs a decision" : "\(writesInReview) edits need a decision")
    }
    return parts.joined(separator: ", ")
  }

  /// The line as a block; with a warning's role when the answer may mislead.
  public func block(zone: ClinicZone, now: Instant) -> Block {
    .paragraph(text(zone: zone, now: now), role: mayMislead ? .warning : .muted)
  }

  /// The same for programs: the kind `freshness`.
  public var record: Record {
    let (state, failure): (String, AppError?) =
      switch revalidation {
      case .idle: ("idle", nil)
      case .running: ("running", nil)
      case .failed(let error): ("failed", error)
      }
    return Record(
      "freshness",
      [
        "freshness": .string(word), "asOf": .optional(freshness.asOf?.text), "revalidation": .string(state),
        "failure": .optional(failure?.code.rawValue), "pendingWrites": .integer(pendingWrites),
        "writesInReview": .integer(writesInReview), "mayBeIncomplete": .bool(mayBeIncomplete),
      ])
  }

  /// Whether the answer may mislead: too old, not refreshed, in part, or with edits that need a decision.
  var mayMislead: Bool {
    if case .failed = revalidation { return true }
    if case .expired = freshness { return true }
    return mayBeIncomplete || writesInReview > 0
  }

  private var word: String {
    switch freshness {
    case .missing: "missing"
    case .fresh: "fresh"
    case .stale: "stale"
    case .expired: "expired"
    }
  }

  private func age(zone: ClinicZone, today: CalendarDay) -> String {
    func clock(_ instant: Instant) -> String {
      let local = zone.local(instant)
      return local.day == today ? local.timeText : "\(local.day) \(local.timeText)"
    }
    return switch freshness {
    case .missing: "not fetched yet"
    case .fresh(let instant): "as of \(clock(instant))"
    case .stale(let instant): "as of \(clock(instant)), stale"
    case .expired(let instant): "as of \(clock(instant)), out of date"
    }
  }
}
