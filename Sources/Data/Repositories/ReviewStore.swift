import Domain
import JSON

/// ``ReviewRepository`` over the store.
struct ReviewStore: ReviewRepository {
  let context: StoreContext

  func reviewItems() -> Snapshots<[ReviewItem]> {
    LiveQuery(
      store: context.store, types: [], followsSync: true, policy: .localOnly,
      read: { transaction throws(AppError) in
        var items: [ReviewItem] = []
        for stored in try transaction.openReviewItems() { items.append(try transaction.reviewItem(stored)) }
        return Snapshot(value: items, freshness: .missing, writesInReview: items.count)
      }, revalidate: nil
    ).snapshots()
  }

  func reviewItem(_ number: ReviewNumber) async throws(AppError) -> ReviewItem {
    try await context.store.read { transaction throws(AppError) in
      guard let stored = try transaction.openReviewItem(number) else { throw Self.notFound(number) }
      return try transaction.reviewItem(stored)
    }
  }

  func decide(_ number: ReviewNumber, _ decision: ReviewDecision, confirmed: Bool)
    async throws(AppError) -> ReviewOutcome
  {
    let author = context.author()
    let outcome = try await context.store.write { transaction throws(AppError) in
      guard let stored = try transaction.openReviewItem(number) else { throw Self.notFound(number) }
      return try transaction.decide(stored, decision, confirmed: confirmed, by: author)
    }
    FailPoint.reviewDecided.pass()
    return outcome
  }

  private static func notFound(_ number: ReviewNumber) -> AppError {
    AppError(.notFound, "there is no open review item \(number)", hint: "review lists those that wait")
  }
}

extension StoreTransaction {
  /// A stored item for display.
  func reviewItem(_ stored: StoredReviewItem) throws(AppError) -> ReviewItem {
    var entry: OutboxEntry?
    if let number = stored.entry { entry = try outboxEntry(number) }
    let subject = if let entry { entry.summary } else { try subjectLine(of: stored.key) }
    let waiting = try outboxEntries(on: stored.key).map(\.number).filter { $0 > stored.entry ?? 0 }
    return ReviewItem(
      number: stored.number, kind: stored.kind, key: stored.key, entry: stored.entry,
      author: entry?.author ?? .unknown,
      subject: subject, since: Instant(stored.since) ?? now,
      explanation: stored.explanation, elements: stored.elements,
      serverVersion: stored.details["serverVersion"]?.string, waiting: waiting)
  }

  /// Carries a decision out. It is recorded with its author in the same transaction.
  func decide(_ item: StoredReviewItem, _ decision: ReviewDecision, confirmed: Bool, by author: Author)
    throws(AppError) -> ReviewOutcome
  {
    guard let number = item.entry, let entry = try outboxEntry(number) else {
      throw AppError(.internalFault, "review item \(item.number) has lost its entry")
    }
    let outcome: ReviewOutcome
    switch decision {
    case .keepMine:
      try adopt(entry, by: author)
      try keepMine(entry, item)
      outcome = ReviewOutcome(
        summary: "entry \(number) will be sent over what the server has, if that is still the same")
    case .keepTheirs:
      guard item.kind == .conflict || item.kind == .deletedRemotely else { throw misfit("--keep theirs", item) }
      let fallen = try discard(entry, confirmed: confirmed, by: author)
      outcome = ReviewOutcome(
        summary: "the server's version stands; the edit is gone", discarded: fallen.map(\.number))
    case .retry:
      try retry(entry, item)
      outcome = ReviewOutcome(summary: "entry \(number) will be sent again")
    case .discard:
      let fallen = try discard(entry, confirmed: confirmed, by: author)
      outcome = ReviewOutcome(
        summary: fallen.count == 1 ? "entry \(number) is discarded" : "\(fallen.count) entries are discarded",
        discarded: fallen.map(\.number))
    }
    try closeReview(ofEntry: number, decision: "\(decision)", by: author)
    try run(
      "UPDATE review SET decision = ?, decided_by = ? WHERE number = ?",
      [.text("\(decision)"), .text("\(author.issuer)|\(author.subject)"), .integer(item.number)])
    try audit("decide \(decision)", entry.key, number: number, elements: nil, author: author)
    noteReview()
    return outcome
  }

  /// Our edit goes again, on the server's present document; before it is sent, that is read once more.
  private func keepMine(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) {
    guard item.kind == .conflict || item.kind == .deletedRemotely, let record = try resource(entry.key) else {
      throw misfit("--keep mine", item)
    }
    if record.state == .deleted {
      // The record is made anew, as it is seen here.
      guard let view = record.view else { throw misfit("--keep mine", item) }
      try run(
        "UPDATE resource SET base = NULL, version = NULL, etag = NULL, state = 0 WHERE rowid = ?",
        [.integer(record.rowID)])
      try replacePatch(entry.number, .create(view), baseVersion: nil)
      try reset(entry, reason: "kept by a person, over a deletion at the server")
    } else {
      var patch = entry.patch
      if case .update(let edits) = entry.patch {
        patch = .update(
          edits.map { ElementEdit(path: $0.path, old: record.base?.value(at: $0.path), new: $0.new) })
      }
      try replacePatch(entry.number, patch, baseVersion: record.version)
      try reset(entry, reason: "kept by a person, over the server's version \(record.version ?? "-")")
      try run("UPDATE resource SET refresh = 1 WHERE rowid = ?", [.integer(record.rowID)])
    }
    try refreshView(of: entry.key)
  }

  private func retry(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) {
    switch item.kind {
    case .refusal: try reset(entry, reason: "sent again by a person")
    case .doubleMatch, .unresolved:
      // It may be at the server: that is found out before anything is sent.
      try run("UPDATE outbox SET attempts = 0, not_before = NULL WHERE number = ?", [.integer(entry.number)])
      try move(entry, to: .ambiguous, reason: "looked for again by a person")
    case .conflict, .deletedRemotely: throw misfit("--retry", item)
    }
  }

  private func misfit(_ option: String, _ item: StoredReviewItem) -> AppError {
    let fitting =
      switch item.kind {
      case .conflict, .deletedRemotely: "--keep mine, --keep theirs or --discard"
      case .refusal, .doubleMatch, .unresolved: "--retry or --discard"
      }
    return AppError(
      .notAllowed, "\(option) does not settle review item \(item.number), a \(item.kind.rawValue)",
      hint: "use \(fitting)")
  }
}
