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
      guard let stored = try transaction.openReviewItem(number) else { throw try transaction.notOpen(number) }
      return try transaction.reviewItem(stored)
    }
  }

  func decide(_ number: ReviewNumber, _ decision: ReviewDecision, confirmed: Bool)
    async throws(AppError) -> ReviewOutcome
  {
    let author = context.author()
    let outcome = try await context.store.write { transaction throws(AppError) in
      guard let stored = try transaction.openReviewItem(number) else { throw try transaction.notOpen(number) }
      let outcome = try transaction.decide(stored, decision, confirmed: confirmed, by: author)
      FailPoint.reviewBeforeCommit.pass()
      return outcome
    }
    FailPoint.reviewDecided.pass()
    return outcome
  }
}

extension StoreTransaction {
  /// Why an item is not among those that wait: what became of it, and what took its place.
  fileprivate func notOpen(_ number: ReviewNumber) throws(AppError) -> AppError {
    let closed = try first("SELECT decision, outbox FROM review WHERE number = ?", [.integer(number)]) {
      row throws(SQLiteError) in (row.optionalText(0), row.optionalInteger(1))
    }
    guard let (decision, entry) = closed, let decision else {
      return AppError(.notFound, "there is no review item \(number)", hint: "review lists those that wait")
    }
    let successor = try entry.flatMap { entry throws(AppError) in try openReviewItem(ofEntry: entry)?.number }
    return AppError(
      .notFound, "review item \(number) does not wait any more: \(ReviewDecision.words(decision))",
      hint: successor.map { "review show \($0), which took its place" } ?? "review lists those that wait")
  }

  /// A stored item for display.
  func reviewItem(_ stored: StoredReviewItem) throws(AppError) -> ReviewItem {
    var entry: OutboxEntry?
    if let number = stored.entry { entry = try outboxEntry(number) }
    let record = try resource(stored.key)
    let subject: String
    if let entry {
      subject = entry.summary
    } else if stored.kind == .massDisappearance {
      subject = "\(stored.details["count"]?.number?.text ?? "many") records of the type \(stored.key.type)"
    } else {
      subject = try subjectLine(of: stored.key)
    }
    return ReviewItem(
      number: stored.number, kind: stored.kind, key: stored.key, entry: stored.entry,
      author: entry?.author ?? .unknown, subject: subject,
      since: Instant(stored.since) ?? now, writtenAt: entry.flatMap { Instant($0.written) },
      explanation: stored.explanation, issues: stored.issues, elements: elements(stored, entry, record),
      serverVersion: stored.serverVersion ?? (stored.kind.isRefusal ? record?.version : nil),
      serverTime: serverTime(stored, record), waiting: try waiting(behind: entry),
      applied: try entry.map { entry throws(AppError) in try appliedParts(of: entry) } ?? [])
  }

  private func serverTime(_ stored: StoredReviewItem, _ record: ResourceRecord?) -> Instant? {
    guard record?.state == .present, stored.serverVersion == nil || stored.serverVersion == record?.version else {
      return nil
    }
    return record?.base?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init)
  }

  /// The elements in dispute; of a refusal, those that were written.
  private func elements(
    _ stored: StoredReviewItem, _ entry: OutboxEntry?, _ record: ResourceRecord?
  ) -> [ReviewItem.Element] {
    let disputes = stored.disputes
    if !disputes.isEmpty { return disputes.map(\.element) }
    switch entry?.patch {
    case .update: return self.disputes(of: entry?.patch ?? .delete, from: nil, to: record?.base).map(\.element)
    case .create(let document):
      return (document.withoutMeta.object?.members ?? []).filter { !["resourceType", "id"].contains($0.key) }.map {
        ThreeWayMerge.Dispute(path: ElementPath([.member($0.key)]), base: nil, mine: $0.value, theirs: nil).element
      }
    case .delete, nil: return []
    }
  }

  private func waiting(behind entry: OutboxEntry?) throws(AppError) -> [ReviewItem.WaitingEntry] {
    guard let entry else { return [] }
    let falling = try dependents(of: entry)
    let later = try (outboxEntries(on: entry.key) + outboxEntries(inAction: entry.action)).filter { later in
      later.number > entry.number && !falling.contains { $0.number == later.number }
    }
    var all: [OutboxNumber: ReviewItem.WaitingEntry] = [:]
    for (entries, falls) in [(later, false), (falling.filter { $0.number != entry.number }, true)] {
      for entry in entries {
        all[entry.number] = ReviewItem.WaitingEntry(number: entry.number, summary: entry.summary, falls: falls)
      }
    }
    return all.values.sorted { $0.number < $1.number }
  }
}

extension ThreeWayMerge.Dispute {
  /// The dispute for people.
  var element: ReviewItem.Element {
    func value(_ value: JSONValue?) -> ReviewItem.Value? {
      value.map { ReviewItem.Value(json: $0.text(), text: ElementWords.text($0)) }
    }
    return ReviewItem.Element(
      path: path.description, label: ElementWords.label(path), base: value(base), mine: value(mine),
      theirs: value(theirs))
  }
}
