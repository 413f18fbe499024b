import Domain
import JSON

extension StoreTransaction {
  /// The server has the write: the base moves to what it holds, the entry goes, all in this transaction.
  ///
  /// - Parameters:
  ///   - document: what the server holds now; `nil` when it did not say.
  ///   - how: for the journal.
  func accept(
    _ entry: OutboxEntry, document: JSONValue?, version: String?, etag: String?, serverID: String? = nil, how: String
  ) throws(AppError) {
    FailPoint.settleBegun.pass()
    var entry = entry
    if let serverID = serverID ?? document?["id"]?.string, serverID != entry.key.id {
      entry.key = try mapIdentity(entry.key, to: serverID)
      FailPoint.settleIdentityMapped.pass()
    }
    try remove(entry, outcome: how, version: version)
    let record = try makeResource(entry.key)
    let later = try outboxEntries(on: entry.key)
    let known = document ?? entry.patch.apply(to: record.base).map { $0.with(id: entry.key.id) }
    // The merge must see what later entries were made on: our write without what the server added to it.
    var seen = record
    seen.base = entry.patch.apply(to: record.base)
    let isDelete = entry.kind == .delete
    try move(
      seen, later,
      to: ServerDocument(
        key: entry.key, document: isDelete ? nil : known, version: version, etag: isDelete ? nil : etag))
    try run(
      "UPDATE resource SET settled = (SELECT max(serial) FROM journal) WHERE rowid = ?", [.integer(record.rowID)])
    // What the server made of it is read before the next update builds on it; and so is what arrived while it was with
    // the server, and had to be put off.
    if (document == nil && !isDelete) || record.needsRefresh { try markForRefresh(entry.key) }
  }

  /// The resource is read from the server before anything of ours builds on it.
  func markForRefresh(_ key: ResourceKey) throws(AppError) {
    try run("UPDATE resource SET refresh = 1 WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)])
  }

  /// Certainly not applied, and nothing is wrong with it: the same again, not before a time.
  func retry(_ entry: OutboxEntry, notBefore: Int64?, countsAttempt: Bool, reason: String) throws(AppError) {
    let attempts = entry.attempts + (countsAttempt ? 1 : 0)
    let age = Instant(entry.written).map { nowMilliseconds - $0.milliseconds } ?? 0
    if countsAttempt, Backoff.isSpent(attempts: attempts, age: age) {
      return try hold(entry, .unresolved, "given up after \(attempts) attempts: \(reason)")
    }
    try run(
      "UPDATE outbox SET attempts = ?, not_before = ? WHERE number = ?",
      [SQLValue(attempts), SQLValue(notBefore), .integer(entry.number)])
    try move(entry, to: .pending, reason: reason)
    // A base does not move under what is with the server; but this may have waited for a person before.
    if let entry = try outboxEntry(entry.number) { _ = try merged(entry) }
  }

  /// Certainly not applied: the server holds another version, which is read before this goes again.
  func awaitNewVersion(_ entry: OutboxEntry, refused: String?, notBefore: Int64?, reason: String) throws(AppError) {
    try retry(entry, notBefore: notBefore, countsAttempt: true, reason: reason)
    try run(
      "UPDATE outbox SET refused_version = ? WHERE number = ?", [SQLValue(refused), .integer(entry.number)])
    try markForRefresh(entry.key)
  }

  /// Nobody knows whether it was applied.
  func markAmbiguous(_ entry: OutboxEntry, notBefore: Int64?, countsAttempt: Bool, reason: String) throws(AppError) {
    let attempts = entry.attempts + (countsAttempt ? 1 : 0)
    if attempts >= Backoff.maximumAttempts * 3 {
      return try hold(entry, .unresolved, "its fate could not be found out in \(attempts) attempts: \(reason)")
    }
    try run(
      "UPDATE outbox SET attempts = ?, not_before = ? WHERE number = ?",
      [SQLValue(attempts), SQLValue(notBefore), .integer(entry.number)])
    try move(entry, to: .ambiguous, reason: reason)
  }

  /// Forgets what was tried: the entry goes again as a new attempt, at once.
  func reset(_ entry: OutboxEntry, reason: String) throws(AppError) {
    try run(
      """
      UPDATE outbox SET attempts = 0, not_before = NULL, sent = 0, refused_version = NULL, attempt = NULL,
        strategy = NULL, method = NULL, target = NULL, headers = NULL, body = NULL WHERE number = ?
      """, [.integer(entry.number)])
    try move(entry, to: .pending, reason: reason)
  }

  /// Claims left by a process that died: what they sent, if anything, is to be found out. For the holder of the lock.
  func recoverClaims() throws(AppError) -> Int {
    let orphans = try outboxEntries().filter { $0.state == .sending }
    for entry in orphans { try move(entry, to: .ambiguous, reason: "the sync that sent it ended before the answer") }
    // The wait for the server's search begins anew when the clock was put back, and a pause is not made longer: the
    // silences that a server asks for are kept apart.
    try run(
      "UPDATE outbox SET ambiguous_since = ?1 WHERE ambiguous_since > ?1", [.integer(nowMilliseconds)])
    try run("UPDATE outbox SET not_before = ?1 WHERE not_before > ?1", [.integer(nowMilliseconds + Backoff.cap)])
    return orphans.count
  }

  /// Freezes an attempt and claims the entry, before its first byte leaves.
  func claim(_ entry: OutboxEntry, _ attempt: Attempt) throws(AppError) {
    let fields = attempt.headers.fields.map { JSONValue.array([.string($0.name), .string($0.value)]) }
    try run(
      """
      UPDATE outbox SET attempt = ?, strategy = ?, method = ?, target = ?, headers = ?, body = ?, sent = 1
      WHERE number = ?
      """,
      [
        .text(attempt.id), .text(attempt.strategy.rawValue), .text(attempt.method.name), .text(attempt.target),
        .blob(JSONValue.array(fields).bytes()), SQLValue(attempt.body), .integer(entry.number),
      ])
    try move(entry, to: .sending, reason: "claimed")
  }

  /// Our id gives way to the server's: in the resource, in what refers to it, and in what is queued. Ours stays an alias.
  func mapIdentity(_ key: ResourceKey, to serverID: String) throws(AppError) -> ResourceKey {
    let mapped = ResourceKey(type: key.type, id: serverID)
    let values: [SQLValue] = [.text(serverID), .text(key.type), .text(key.id)]
    if let twin = try resource(mapped), twin.key == mapped {
      // A pull brought the resource before the answer did: one record stays, the one that holds our edits.
      try deriveIndexes(of: mapped, rowID: twin.rowID, view: nil)
      try run("DELETE FROM resource WHERE rowid = ?", [.integer(twin.rowID)])
    }
    try run("UPDATE resource SET id = ? WHERE type = ? AND id = ?", values)
    try run("UPDATE alias SET id = ? WHERE type = ? AND id = ?", values)
    try run(
      "INSERT OR REPLACE INTO alias (type, alias, id) VALUES (?, ?, ?)",
      [.text(key.type), .text(key.id), .text(serverID)])
    try run("UPDATE outbox SET id = ? WHERE type = ? AND id = ?", values)
    try run("UPDATE review SET id = ? WHERE type = ? AND id = ?", values)
    try run(
      """
      UPDATE OR REPLACE scope_member SET id = ?1
      WHERE scope IN (SELECT name FROM scope WHERE type = ?2) AND type = ?2 AND id = ?3
      """, values)
    try rewriteReferences(from: key, to: mapped)
    note(key)
    return mapped
  }

  /// Turns what is queued with a reference to one record to another.
  func rewriteReferences(from key: ResourceKey, to mapped: ResourceKey) throws(AppError) {
    let referring = try all(
      "SELECT number FROM outbox_reference WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)]
    ) { row throws(SQLiteError) in row.integer(0) }
    var touched: Set<ResourceKey> = []
    for number in referring {
      guard let entry = try outboxEntry(number) else { continue }
      let patch = entry.patch.rewritingReferences(from: key, to: mapped, ownBase: ownBase)
      try run("UPDATE outbox SET patch = ? WHERE number = ?", [.blob(patch.json.bytes()), .integer(number)])
      touched.insert(entry.key)
    }
    try run(
      "UPDATE OR REPLACE outbox_reference SET id = ? WHERE type = ? AND id = ?",
      [.text(mapped.id), .text(key.type), .text(key.id)])
    for key in touched { try refreshView(of: key) }
  }
}

extension Patch {
  /// The patch with every reference to one resource turned to another.
  func rewritingReferences(from old: ResourceKey, to new: ResourceKey, ownBase: String?) -> Patch {
    func rewritten(_ value: JSONValue) -> JSONValue {
      FHIRReference.rewriting(value, from: old, to: new, ownBase: ownBase).document
    }
    return switch self {
    case .create(let document): .create(rewritten(document))
    case .update(let edits):
      .update(
        edits.map { edit in
          var edit = edit
          edit.path = edit.path.rewritingReferences(from: old, to: new)
          edit.old = edit.old.map(rewritten)
          edit.new = edit.new.map(rewritten)
          return edit
        })
    case .delete: .delete
    }
  }
}

extension ElementPath {
  /// The path with items that are identified by a reference identified by the new one.
  fileprivate func rewritingReferences(from old: ResourceKey, to new: ResourceKey) -> ElementPath {
    ElementPath(
      steps.map { step in
        guard case .item(var identity) = step else { return step }
        for index in identity.parts.indices where identity.parts[index].value == old.description {
          identity.parts[index].value = new.description
        }
        return .item(identity)
      })
  }
}

extension JSONValue {
  /// The document under another id.
  func with(id: String) -> JSONValue {
    var document = self
    document["id"] = .string(id)
    return document
  }
}
