package import Domain
import JSON

/// Who writes, and in which user action.
package struct WriteContext: Hashable, Sendable {
  package var author: Author
  /// Entries of one action go together; a fresh id for each thing the user does.
  package var action: String
  /// Whether the write may join an entry that was never sent. Without it the same is sent in more requests.
  package var squashes = true
  /// Whether the server is told who wrote, where the record does not say it; otherwise outbox and audit alone know.
  package var recordsAuthor = false

  package init(author: Author, action: String) {
    self.author = author
    self.action = action
  }
}

extension StoreTransaction {
  /// Writes a new resource under a new id of ours.
  func create(_ document: JSONValue, type: String, summary: String, _ context: WriteContext)
    throws(AppError) -> WriteReceipt
  {
    let key = ResourceKey(type: type, id: ids.next())
    var document = try withCurrentReferences(document)
    document["id"] = .string(key.id)
    let record = try makeResource(key)
    FailPoint.writeResourceStored.pass()
    let number = try insert(
      OutboxEntry(key: key, patch: .create(document), baseVersion: nil, summary: summary, at: now, ids, context))
    FailPoint.writeEnqueued.pass()
    try storeView(of: record, entries: try outboxEntries(on: key))
    try audit("create", key, number: number, elements: nil, author: context.author)
    try attributeCreate(key, document, summary: summary, context)
    return WriteReceipt(key: key, entries: [number])
  }

  /// Writes an edit of a resource: its view becomes `document`.
  func update(_ record: ResourceRecord, edits: [ElementEdit], summary: String, _ context: WriteContext)
    throws(AppError) -> WriteReceipt
  {
    guard !edits.isEmpty else { return WriteReceipt(key: record.key, entries: []) }
    var edits = edits
    for index in edits.indices {
      if let new = edits[index].new { edits[index].new = try withCurrentReferences(new) }
    }
    let entries = try outboxEntries(on: record.key)
    let number = try enqueue(edits, on: record, after: entries, summary: summary, context)
    FailPoint.writeEnqueued.pass()
    try refreshView(of: record.key)
    try audit(
      "update", record.key, number: number, elements: edits.map(\.path.description).joined(separator: " "),
      author: context.author)
    if let number { try attributeUpdate(record.key, edits, number: number, summary: summary, context) }
    return WriteReceipt(key: record.key, entries: number.map { [$0] } ?? [])
  }

  /// A value in which references by a former id name the present one: the server never knew ours.
  private func withCurrentReferences(_ value: JSONValue) throws(AppError) -> JSONValue {
    var value = value
    for key in FHIRReference.keys(in: value, ownBase: ownBase) {
      guard let current = try currentKey(of: key) else { continue }
      value = FHIRReference.rewriting(value, from: key, to: current, ownBase: ownBase).document
    }
    return value
  }

  /// Puts edits into the last entry if that may still change, else into a new one.
  ///
  /// - Returns: the entry's number; `nil` when the edits took back all that was unsent.
  private func enqueue(
    _ edits: [ElementEdit], on record: ResourceRecord, after entries: [OutboxEntry], summary: String,
    _ context: WriteContext
  ) throws(AppError) -> OutboxNumber? {
    guard let last = entries.last, try mayAbsorb(edits, last, in: record, context) else {
      return try insert(
        OutboxEntry(
          key: record.key, patch: .update(edits), baseVersion: record.version, summary: summary, at: now, ids, context))
    }
    let before = entries.dropLast().reduce(record.base) { $1.patch.apply(to: $0) }
    guard let after = Patch.update(edits).apply(to: last.patch.apply(to: before)) else {
      throw AppError(.internalFault, "an edit of \(record.key) has nothing to change")
    }
    if case .create = last.patch {
      try replacePatch(last.number, .create(after), baseVersion: last.baseVersion)
      try amend(last)
      return last.number
    }
    let squashed = before.map { PatchDiff.edits(from: $0, to: after) } ?? edits
    if squashed.isEmpty {
      // Typed back to what the server has: there is nothing left to say.
      try removeAuthorships(of: last, outcome: "undone here before it was sent")
      try remove(last, outcome: "undone here before it was sent")
      return nil
    }
    try replacePatch(last.number, .update(squashed), baseVersion: last.baseVersion, summary: summary)
    try amend(last)
    return last.number
  }

  /// Whether an entry may take further edits: never sent, of one author, on the present base, not out of a group, and not
  /// so that it would have to wait for something later than itself.
  ///
  /// A refused entry was certainly not applied, so its author's next edit amends it.
  private func mayAbsorb(
    _ edits: [ElementEdit], _ entry: OutboxEntry, in record: ResourceRecord, _ context: WriteContext
  ) throws(AppError) -> Bool {
    guard entry.author == context.author, entry.kind != .delete else { return false }
    let isAmendable = entry.state == .review ? try isRefused(entry) : false
    guard isAmendable || (context.squashes && entry.state == .pending && !entry.wasSent) else { return false }
    // What waits to be sent is merged with every base. What was refused may stand on an older one: its new edits would take
    // for granted what its author has not seen.
    if isAmendable, !isMerged(entry, with: record) { return false }
    let companions = try first(
      "SELECT count(*) FROM outbox WHERE action = ? AND number != ? AND type != ?",
      [.text(entry.action), .integer(entry.number), .text(Self.provenance)]
    ) { row throws(SQLiteError) in row.integer(0) }
    guard isAmendable || companions == 0 || entry.action == context.action else { return false }
    for key in Patch.update(edits).references(ownBase: ownBase) where key != record.key {
      let created = try first(
        "SELECT max(number) FROM outbox WHERE type = ? AND id = ? AND kind = 'create'",
        [.text(key.type), .text(key.id)]
      ) { row throws(SQLiteError) in row.optionalInteger(0) }
      if let number = created ?? nil, number > entry.number { return false }
    }
    return true
  }

  private func isRefused(_ entry: OutboxEntry) throws(AppError) -> Bool {
    try first(
      "SELECT 1 FROM review WHERE outbox = ? AND decision IS NULL AND kind IN ('refusal', 'half-applied')",
      [.integer(entry.number)]
    ) { _ throws(SQLiteError) in true } ?? false
  }

  /// A refused entry that was amended goes again, as a new attempt.
  private func amend(_ entry: OutboxEntry) throws(AppError) {
    guard entry.state == .review else { return }
    try closeReview(ofEntry: entry.number, decision: "amended")
    try reset(entry, reason: "amended after a refusal")
  }

  /// Deletes a resource; what was never sent just goes.
  func delete(_ record: ResourceRecord, summary: String, _ context: WriteContext) throws(AppError) -> WriteReceipt {
    var number: OutboxNumber?
    let isTakenBack = try takeBackUnsent(record, context)
    if !isTakenBack {
      number = try insert(
        OutboxEntry(
          key: record.key, patch: .delete, baseVersion: record.version, summary: summary, at: now, ids, context))
    }
    try refreshView(of: record.key)
    try audit("delete", record.key, number: number, elements: nil, author: context.author)
    return WriteReceipt(key: record.key, entries: number.map { [$0] } ?? [])
  }

  /// Takes back the unsent entries of a record that is being deleted, from the last one on.
  ///
  /// - Returns: whether the record's create was among them, so that nothing is left to delete.
  private func takeBackUnsent(_ record: ResourceRecord, _ context: WriteContext) throws(AppError) -> Bool {
    for entry in try outboxEntries(on: record.key).reversed() {
      guard try mayAbsorb([], entry, in: record, context) else { return false }
      let isReferredTo = try first(
        "SELECT 1 FROM outbox_reference r JOIN outbox o ON o.number = r.number "
          + "WHERE r.type = ?1 AND r.id = ?2 AND (o.type, o.id) != (?1, ?2) AND o.type != ?3",
        [.text(record.key.type), .text(record.key.id), .text(Self.provenance)]
      ) { _ throws(SQLiteError) in true }
      // What hangs on a create must not lose it unseen: the discard of the create names it.
      if entry.kind == .create, isReferredTo != nil { return false }
      try removeAuthorships(of: entry, outcome: "undone here before it was sent")
      try remove(entry, outcome: "undone here before it was sent")
      if entry.kind == .create { return true }
    }
    return false
  }

  /// Notes who did what to which record: for ever, in the transaction that does it. No values, only elements.
  func audit(_ act: String, _ key: ResourceKey, number: OutboxNumber?, elements: String?, author: Author)
    throws(AppError)
  {
    noteAudit()
    try run(
      "INSERT INTO audit (at, issuer, subject, act, type, id, number, elements) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(now.text), .text(author.issuer), .text(author.subject), .text(act), .text(key.type), .text(key.id),
        SQLValue(number), SQLValue(elements),
      ])
  }
}

extension OutboxEntry {
  /// An entry that was just written.
  init(
    key: ResourceKey, patch: Patch, baseVersion: String?, summary: String, at now: Instant, _ ids: IDSource,
    _ context: WriteContext
  ) {
    self.init(
      number: 0, entry: ids.next(), action: context.action, author: context.author, key: key, kind: patch.kind,
      patch: patch, baseVersion: baseVersion, state: .pending, reason: nil, summary: summary, written: now.text,
      attempts: 0, notBefore: nil, ambiguousSince: nil, wasSent: false, refusedVersion: nil,
      attempt: nil)
  }
}
