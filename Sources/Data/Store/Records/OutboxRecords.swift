import Domain
import JSON

extension StoreTransaction {
  private static let columns = """
    number, entry, action, issuer, subject, practitioner, type, id, kind, patch, base_version, state, reason, summary, \
    written, attempts, not_before, ambiguous_since, sent, refused_version, attempt, strategy, method, target, \
    headers, body
    """

  /// All entries, in order.
  func outboxEntries() throws(AppError) -> [OutboxEntry] {
    try entries("ORDER BY number", [])
  }

  /// The entries on one resource, in order.
  func outboxEntries(on key: ResourceKey) throws(AppError) -> [OutboxEntry] {
    try entries("WHERE type = ? AND id = ? ORDER BY number", [.text(key.type), .text(key.id)])
  }

  /// The entries of one action, in order.
  func outboxEntries(inAction action: String) throws(AppError) -> [OutboxEntry] {
    try entries("WHERE action = ? ORDER BY number", [.text(action)])
  }

  /// One entry.
  func outboxEntry(_ number: OutboxNumber) throws(AppError) -> OutboxEntry? {
    try entries("WHERE number = ?", [.integer(number)]).first
  }

  private func entries(_ tail: String, _ values: [SQLValue]) throws(AppError) -> [OutboxEntry] {
    let raw = try all("SELECT \(Self.columns) FROM outbox \(tail)", values, RawEntry.init(row:))
    var entries: [OutboxEntry] = []
    for row in raw { entries.append(try row.entry()) }
    return entries
  }

  /// Appends an entry and returns its number.
  func insert(_ entry: OutboxEntry) throws(AppError) -> OutboxNumber {
    try run(
      """
      INSERT INTO outbox (entry, action, issuer, subject, practitioner, type, id, kind, patch, base_version, state,
        summary, written) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)
      """,
      [
        .text(entry.entry), .text(entry.action), .text(entry.author.issuer), .text(entry.author.subject),
        SQLValue(entry.author.practitioner?.rawValue), .text(entry.key.type), .text(entry.key.id),
        .text(entry.kind.rawValue), .blob(entry.patch.json.bytes()), SQLValue(entry.baseVersion), .text(entry.summary),
        .text(entry.written),
      ])
    let number = connection.lastInsertedRowID
    try storeReferences(of: entry.patch, number: number)
    try noteTransition(number, from: nil, to: .pending, reason: "written")
    noteOutbox()
    return number
  }

  /// Stores another patch in an entry that was never sent.
  func replacePatch(_ number: OutboxNumber, _ patch: Patch, baseVersion: String?, summary: String? = nil)
    throws(AppError)
  {
    try run(
      """
      UPDATE outbox SET patch = ?, kind = ?, base_version = ?, summary = coalesce(?, summary), attempt = NULL,
        strategy = NULL, method = NULL, target = NULL, headers = NULL, body = NULL WHERE number = ?
      """,
      [
        .blob(patch.json.bytes()), .text(patch.kind.rawValue), SQLValue(baseVersion), SQLValue(summary),
        .integer(number),
      ])
    try storeReferences(of: patch, number: number)
    noteOutbox()
  }

  /// Moves an entry to a state, with the reason.
  func move(_ entry: OutboxEntry, to state: OutboxEntry.State, reason: String) throws(AppError) {
    try run(
      "UPDATE outbox SET state = ?, reason = ?, ambiguous_since = ? WHERE number = ?",
      [
        .text(state.rawValue), .text(reason),
        state == .ambiguous ? .integer(entry.ambiguousSince ?? nowMilliseconds) : .null, .integer(entry.number),
      ])
    try noteTransition(entry.number, from: entry.state, to: state, reason: reason)
    noteOutbox()
    if state == .review || entry.state == .review { try recount(entry.key) }
  }

  /// Takes an entry out of the outbox and into the journal.
  func remove(_ entry: OutboxEntry, outcome: String, version: String? = nil) throws(AppError) {
    try run("DELETE FROM outbox WHERE number = ?", [.integer(entry.number)])
    try run(
      """
      INSERT INTO journal (number, entry, type, id, kind, outcome, attempt, version, settled, action, summary)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(entry.number), .text(entry.entry), .text(entry.key.type), .text(entry.key.id),
        .text(entry.kind.rawValue), .text(outcome), SQLValue(entry.attempt?.id), SQLValue(version), .text(now.text),
        .text(entry.action), .text(entry.summary),
      ])
    let serial = connection.lastInsertedRowID
    try noteTransition(entry.number, from: entry.state, to: nil, reason: outcome)
    try closeReview(ofEntry: entry.number, decision: outcome)
    if serial % 256 == 0 { try trimJournal(after: serial) }
    noteOutbox()
  }

  /// The earlier parts of an entry's action that the server has.
  func appliedParts(of entry: OutboxEntry) throws(AppError) -> [ReviewItem.AppliedEntry] {
    try all(
      """
      SELECT number, summary FROM journal WHERE action = ? AND action IS NOT NULL AND number < ?
        AND outcome NOT IN ('discarded', 'undone here before it was sent') ORDER BY number
      """, [.text(entry.action), .integer(entry.number)]
    ) { row throws(SQLiteError) in
      ReviewItem.AppliedEntry(number: row.integer(0), summary: row.optionalText(1) ?? "")
    }
  }

  /// What became of the last entries on a record that are settled, oldest first.
  func settledEntries(on key: ResourceKey) throws(AppError) -> [RecordExplanation.SettledEntry] {
    let fallback = now
    return try all(
      """
      SELECT number, coalesce(summary, ''), outcome, settled, version FROM journal
      WHERE type = ? AND id = ? ORDER BY serial DESC LIMIT 10
      """, [.text(key.type), .text(key.id)]
    ) { row throws(SQLiteError) in
      RecordExplanation.SettledEntry(
        number: row.integer(0), summary: row.text(1), outcome: row.text(2), at: Instant(row.text(3)) ?? fallback,
        version: row.optionalText(4))
    }.reversed()
  }

  /// How many settled entries are remembered, with their transitions.
  static let journalLength: Int64 = 10_000

  private func trimJournal(after serial: Int64) throws(AppError) {
    let oldest = SQLValue.integer(serial - Self.journalLength)
    try run(
      "DELETE FROM transition WHERE number IN (SELECT number FROM journal WHERE serial <= ?)", [oldest])
    try run("DELETE FROM journal WHERE serial <= ?", [oldest])
    FailPoint.journalTrimmed.pass()
  }

  private func noteTransition(
    _ number: OutboxNumber, from old: OutboxEntry.State?, to new: OutboxEntry.State?, reason: String
  ) throws(AppError) {
    try run(
      "INSERT INTO transition (number, at, old_state, new_state, reason) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(number), .text(now.text), SQLValue(old?.rawValue), .text(new?.rawValue ?? "gone"), .text(reason),
      ])
  }

  /// The history of an entry, oldest first.
  func transitions(of number: OutboxNumber) throws(AppError) -> [OutboxTransition] {
    let fallback = now
    return try all(
      "SELECT at, old_state, new_state, reason FROM transition WHERE number = ? ORDER BY serial", [.integer(number)]
    ) { row throws(SQLiteError) in
      OutboxTransition(
        at: Instant(row.text(0)) ?? fallback, from: row.optionalText(1), to: row.text(2), reason: row.text(3))
    }
  }

  func storeReferences(of patch: Patch, number: OutboxNumber) throws(AppError) {
    try run("DELETE FROM outbox_reference WHERE number = ?", [.integer(number)])
    for key in patch.references(ownBase: ownBase) {
      try run(
        "INSERT OR IGNORE INTO outbox_reference (number, type, id) VALUES (?, ?, ?)",
        [.integer(number), .text(key.type), .text(key.id)])
    }
  }
}

/// One row of the outbox, before its documents are parsed.
private struct RawEntry {
  var parsed: OutboxEntry
  var patch: [UInt8]
  var headers: [UInt8]?

  init(row: borrowing Row) throws(SQLiteError) {
    var attempt: Attempt?
    if let id = row.optionalText(20), let strategy = row.optionalText(21).flatMap(WriteStrategy.init(rawValue:)) {
      attempt = Attempt(
        id: id, strategy: strategy, method: HTTPMethod(row.text(22)), target: row.text(23), headers: [:],
        body: row.optionalBlob(25))
    }
    patch = row.blob(9)
    headers = row.optionalBlob(24)
    parsed = OutboxEntry(
      number: row.integer(0), entry: row.text(1), action: row.text(2),
      author: Author(
        issuer: row.text(3), subject: row.text(4), practitioner: row.optionalText(5).map { Practitioner.ID($0) }),
      key: ResourceKey(type: row.text(6), id: row.text(7)), kind: OutboxEntry.Kind(rawValue: row.text(8)) ?? .update,
      patch: .delete, baseVersion: row.optionalText(10),
      state: OutboxEntry.State(rawValue: row.text(11)) ?? .review, reason: row.optionalText(12), summary: row.text(13),
      written: row.text(14), attempts: Int(row.integer(15)), notBefore: row.optionalInteger(16),
      ambiguousSince: row.optionalInteger(17), wasSent: row.flag(18),
      refusedVersion: row.optionalText(19), attempt: attempt)
  }

  func entry() throws(AppError) -> OutboxEntry {
    var entry = parsed
    guard let patch = Patch(json: try JSONValue(stored: patch)) else {
      throw AppError(.storeCorrupt, "outbox entry \(entry.number) cannot be read")
    }
    entry.patch = patch
    if let headers, let fields = try JSONValue(stored: headers).array {
      var read = HTTPHeaders()
      for field in fields { read.append(field[0]?.string ?? "", field[1]?.string ?? "") }
      entry.attempt?.headers = read
    }
    return entry
  }
}

extension ElementPath {
  /// The resources by which the path tells list items apart.
  fileprivate func references(ownBase: String?) -> [ResourceKey] {
    steps.flatMap { step -> [ResourceKey] in
      guard case .item(let identity) = step else { return [] }
      return identity.parts.compactMap { part in
        guard part.element.hasSuffix("reference"), let value = part.value else { return nil }
        return FHIRReference.key(of: value, ownBase: ownBase)
      }
    }
  }
}

extension Patch {
  /// What the patch does, as a word.
  var kind: OutboxEntry.Kind {
    switch self {
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }

  /// The resources that its new values refer to, and those by which it names the list items that it changes.
  func references(ownBase: String?) -> Set<ResourceKey> {
    switch self {
    case .create(let document): Set(FHIRReference.keys(in: document, ownBase: ownBase))
    case .update(let edits):
      edits.changes.reduce(into: []) { found, edit in
        if let new = edit.new { found.formUnion(FHIRReference.keys(in: new, ownBase: ownBase)) }
        found.formUnion(edit.path.references(ownBase: ownBase))
      }
    case .delete: []
    }
  }
}
