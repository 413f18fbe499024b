public import Domain

/// How old an answer is, what is being done about it, and what in it the server has not accepted yet.
public struct AnswerStatus: Hashable, Sendable {
  /// How old the server's part of the answer is.
  public var freshness: Freshness
  /// What is being done about it.
  public var revalidation: Revalidation
  /// Local edits inside the answer that the server has not accepted yet.
  public var pendingWrites: Int
  /// How many of them wait for a person.
  public var writesInReview: Int
  /// The server's version under the local edits.
  public var serverVersion: String?
  /// Whether the store may hold only a part of the answer.
  public var mayBeIncomplete: Bool
  /// Whether the server says that the record was deleted.
  public var isDeleted: Bool
  /// What could not be understood.
  public var warnings: [String]

  /// Takes over everything of a snapshot but its value.
  public init<Value>(_ snapshot: Snapshot<Value>) {
    freshness = snapshot.freshness
    revalidation = snapshot.revalidation
    pendingWrites = snapshot.pendingWrites
    writesInReview = snapshot.writesInReview
    serverVersion = snapshot.serverVersion
    mayBeIncomplete = snapshot.mayBeIncomplete
    isDeleted = snapshot.isDeleted
    warnings = snapshot.warnings
  }

  /// States in one or two words. Empty for a fresh answer that the server knows.
  public var badges: [Badge] {
    var badges: [Badge] = []
    if isDeleted { badges.append(.deleted) }
    switch freshness {
    case .stale: badges.append(.stale)
    case .expired: badges.append(.expired)
    case .missing, .fresh: break
    }
    if case .failed = revalidation { badges.append(.offline) }
    if pendingWrites > 0 { badges.append(Badge("\(pendingWrites) unsent")) }
    if writesInReview > 0 { badges.append(Badge("\(writesInReview) for review", role: .danger)) }
    if mayBeIncomplete { badges.append(.incomplete) }
    return badges
  }

  /// What stands below an answer: its age, and what to do where something is amiss.
  public func blocks(zone: ClinicZone) -> [Block] {
    var blocks: [Block] = []
    if !badges.isEmpty { blocks.append(.badges(badges)) }
    blocks.append(.paragraph(ageText(zone: zone), role: .muted))
    if case .failed(let error) = revalidation {
      blocks.append(.notice(Notice(.warning, "could not ask the server: \(error.message)", next: error.hint)))
    }
    if writesInReview > 0 {
      blocks.append(
        .notice(Notice(.danger, "\(writesInReview) of the edits shown here wait for a decision", next: "review")))
    }
    if mayBeIncomplete {
      blocks.append(
        .notice(Notice(.info, "this store may hold only a part of what the server has", next: "sync")))
    }
    return blocks
  }

  /// For programs, as a line of its own behind those of the answer.
  public func record(count: Int, zone: ClinicZone) -> Record {
    Record(
      "answer",
      [
        "count": .integer(count), "freshness": .string(freshnessWord),
        "asOf": freshness.asOf.map(zone.record) ?? .null, "pendingWrites": .integer(pendingWrites),
        "writesInReview": .integer(writesInReview), "serverVersion": .optional(serverVersion),
        "mayBeIncomplete": .bool(mayBeIncomplete), "deleted": .bool(isDeleted),
        "revalidationError": .optional(revalidationCode),
      ])
  }

  private var revalidationCode: String? {
    if case .failed(let error) = revalidation { error.code.rawValue } else { nil }
  }

  private var freshnessWord: String {
    switch freshness {
    case .missing: "missing"
    case .fresh: "fresh"
    case .stale: "stale"
    case .expired: "expired"
    }
  }

  private func ageText(zone: ClinicZone) -> String {
    let asking = revalidation == .running ? "; the server is being asked" : ""
    switch freshness {
    case .missing: return "not confirmed by the server yet" + asking
    case .fresh(let instant): return "as of \(zone.text(instant))" + asking
    case .stale(let instant): return "as of \(zone.text(instant)), may be out of date" + asking
    case .expired(let instant): return "as of \(zone.text(instant)), too old to rely on" + asking
    }
  }
}
