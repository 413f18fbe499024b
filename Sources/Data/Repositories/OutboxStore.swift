import Domain
import JSON

/// ``OutboxRepository`` over the store.
struct OutboxStore: OutboxRepository {
  let context: StoreContext
  let sender: @Sendable () -> Engine.Sender

  func outbox() -> Snapshots<[OutboxItem]> {
    LiveQuery(
      store: context.store, types: [], followsSync: true, policy: .localOnly,
      read: { [sender] transaction throws(AppError) in
        let items = try transaction.outboxItems(sender: sender())
        return Snapshot(
          value: items, freshness: .missing, pendingWrites: items.count,
          writesInReview: items.count { $0.state == .review })
      }, revalidate: nil
    ).snapshots()
  }

  func outboxItem(_ number: OutboxNumber) async throws(AppError) -> OutboxItemDetail {
    try await context.store.read { [sender] transaction throws(AppError) in
      guard let entry = try transaction.outboxEntry(number) else { throw Self.notFound(number) }
      let items = try transaction.outboxItems(sender: sender())
      return try transaction.detail(entry, items: items)
    }
  }

  func discard(_ number: OutboxNumber, confirmed: Bool) async throws(AppError) -> [OutboxItem] {
    let author = context.author()
    return try await context.store.write { [sender] transaction throws(AppError) in
      guard let entry = try transaction.outboxEntry(number) else { throw Self.notFound(number) }
      let items = try transaction.outboxItems(sender: sender())
      let fallen = try transaction.discard(entry, confirmed: confirmed, by: author)
      FailPoint.discardBeforeCommit.pass()
      return items.filter { item in fallen.contains { $0.number == item.number } }
    }
  }

  func export(to file: String, replaces: Bool) async throws(AppError) -> OutboxExport {
    let (bundle, entries) = try await context.store.read { transaction throws(AppError) in
      (
        try transaction.exportBundle(base: try transaction.meta("server") ?? context.store.ownBase),
        try transaction.outboxEntries()
      )
    }
    _ = try await OwnerOnlyFile.write(
      bundle.bytes(), to: file, id: context.store.effects.ids.next(), replaces: replaces)
    return OutboxExport(
      file: file, records: bundle["entry"]?.array?.count ?? 0, entries: entries.count,
      inReview: entries.count { $0.state == .review }, ambiguous: entries.count(where: \.isFrozen))
  }

  func explain(_ key: ResourceKey) async throws(AppError) -> RecordExplanation {
    try await context.store.read { [sender] transaction throws(AppError) in
      guard let record = try transaction.resource(key) else {
        throw AppError(.notFound, "\(key) is not known here")
      }
      let items = try transaction.outboxItems(sender: sender())
      var details: [OutboxItemDetail] = []
      for entry in try transaction.outboxEntries(on: record.key) {
        details.append(try transaction.detail(entry, items: items))
      }
      return RecordExplanation(
        key: record.key, aliases: try transaction.aliases(of: record.key), serverVersion: record.version,
        base: record.base?.text(), view: record.view?.text(),
        confirmedAt: record.confirmed.map { Instant(milliseconds: $0) }, entries: details,
        settled: try transaction.settledEntries(on: record.key))
    }
  }

  private static func notFound(_ number: OutboxNumber) -> AppError {
    AppError(.notFound, "there is no outbox entry \(number)", hint: "outbox lists those that wait")
  }
}

extension StoreTransaction {
  /// All entries for display, with what each waits for.
  func outboxItems(sender: Engine.Sender) throws(AppError) -> [OutboxItem] {
    let knowledge = try serverKnowledge()
    let queue = try engineEntries(server: knowledge)
    let obstacles = Obstacles(queue, sender: sender)
    let byNumber = Dictionary(queue.map { ($0.number, $0) }) { first, _ in first }
    var items: [OutboxItem] = []
    for entry in try outboxEntries() {
      let obstacle = byNumber[entry.number].flatMap { obstacles.obstacle(to: $0)?.words }
      let due = byNumber[entry.number].flatMap { waitingTime(of: $0, knowledge) }
      items.append(
        OutboxItem(
          number: entry.number, key: entry.key, kind: entry.kind, state: entry.state, summary: entry.summary,
          author: entry.author, writtenAt: Instant(entry.written) ?? now, attempts: entry.attempts,
          waitsFor: entry.state == .review ? nil : obstacle, nextAttempt: entry.state == .review ? nil : due,
          reason: entry.reason))
    }
    return items
  }

  private func waitingTime(of entry: Engine.Entry, _ knowledge: ServerKnowledge) -> Instant? {
    let due = [entry.notBefore, entry.state == .ambiguous ? entry.resolvableFrom : nil, knowledge.throttledUntil]
      .compactMap(\.self).filter { $0 > nowMilliseconds }.max()
    return due.map { Instant(milliseconds: $0) }
  }

  /// An entry with its edits and its history.
  func detail(_ entry: OutboxEntry, items: [OutboxItem]) throws(AppError) -> OutboxItemDetail {
    guard let item = items.first(where: { $0.number == entry.number }) else {
      throw AppError(.internalFault, "outbox entry \(entry.number) is not listed")
    }
    let changes: [ElementChange] =
      switch entry.patch {
      case .create(let document): [ElementChange(path: entry.key.type, old: nil, new: document.text())]
      case .update(let edits):
        edits.changes.map { ElementChange(path: $0.path.description, old: $0.old?.text(), new: $0.new?.text()) }
      case .delete: [ElementChange(path: entry.key.type, old: nil, new: nil)]
      }
    return OutboxItemDetail(
      item: item, changes: changes, baseVersion: entry.recreates ? nil : entry.baseVersion,
      history: try transitions(of: entry.number))
  }

  /// Takes an entry back, and what hangs on it.
  ///
  /// - Throws: `notAllowed` for what may be at the server; `needsConfirmation` when more than the entry falls.
  func discard(_ entry: OutboxEntry, confirmed: Bool, by author: Author) throws(AppError) -> [OutboxEntry] {
    let fallen = try dependents(of: entry)
    if let frozen = fallen.first(where: \.isFrozen) {
      throw AppError(
        .notAllowed, "entry \(frozen.number) may already be at the server",
        hint: "sync first: it is found out then what became of it")
    }
    // That somebody wrote it goes without saying.
    let others = fallen.filter { $0.number != entry.number && $0.key.type != Self.provenance }
    if !others.isEmpty, !confirmed {
      let others = others.map { "\($0.number) (\($0.summary))" }
      throw AppError(
        .needsConfirmation, "with entry \(entry.number) would fall: \(others.joined(separator: ", "))",
        hint: "add --yes to discard them all")
    }
    for entry in fallen.reversed() {
      let item = try openReviewItem(ofEntry: entry.number)
      if entry.key.type == Self.provenance {
        try removeAuthorship(entry, outcome: "discarded")
      } else {
        try remove(entry, outcome: "discarded")
      }
      try audit("discard", entry.key, number: entry.number, elements: nil, author: author)
      if let item, try hidesChange(entry, item) { try mergeFollowers(of: entry) }
    }
    for key in Set(fallen.map(\.key)) { try refreshView(of: key) }
    return fallen
  }

  /// Whether a discarded entry, which waited for a person, stood between later edits of its record and something that
  /// the server changed: they were merged with its values, and not with the server's.
  private func hidesChange(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) -> Bool {
    if item.kind == .conflict || item.kind == .deletedRemotely { return true }
    guard case .update(let edits) = entry.patch, let record = try resource(entry.key), record.state == .present else {
      return false
    }
    let earlier = try outboxEntries(on: record.key).filter { $0.number < entry.number }
    guard let theirs = earlier.reduce(record.base, { $1.patch.apply(to: $0) }) else { return false }
    let outcome = ThreeWayMerge.merge(
      entry.patch, type: entry.key.type, from: edits.reverted(in: theirs), to: theirs)
    if case .conflict = outcome { return true }
    return false
  }

  /// Later edits of a record were made on one that has been discarded in favour of the server's values: what they
  /// would write over those, nobody has merged yet.
  private func mergeFollowers(of discarded: OutboxEntry) throws(AppError) {
    guard let record = try resource(discarded.key) else { return }
    let entries = try outboxEntries(on: record.key)
    let theirs = record.state == .deleted ? nil : record.base
    let earlier = entries.filter { $0.number < discarded.number }
    let old = (earlier + [discarded]).reduce(record.base) { $1.patch.apply(to: $0) }
    let new = earlier.reduce(theirs) { $1.patch.apply(to: $0) }
    _ = try rebase(
      entries.filter { $0.number > discarded.number }, type: record.key.type, from: old,
      to: ServerDocument(key: record.key, document: new, version: record.version))
  }

  /// An entry and all that cannot be without it, in order: everything on a record whose create falls, and what refers to it.
  func dependents(of entry: OutboxEntry) throws(AppError) -> [OutboxEntry] {
    var fallen: [OutboxNumber: OutboxEntry] = [entry.number: entry]
    var creates = entry.kind == .create ? [entry.key] : []
    for authorship in try authorships(of: entry) { fallen[authorship.number] = authorship }
    while let key = creates.popLast() {
      let referring = try all(
        "SELECT number FROM outbox_reference WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)]
      ) { row throws(SQLiteError) in row.integer(0) }
      var hanging = try outboxEntries(on: key)
      for number in referring { if let found = try outboxEntry(number) { hanging.append(found) } }
      for found in hanging where fallen[found.number] == nil {
        fallen[found.number] = found
        if found.kind == .create { creates.append(found.key) }
      }
    }
    return fallen.values.sorted { $0.number < $1.number }
  }
}
