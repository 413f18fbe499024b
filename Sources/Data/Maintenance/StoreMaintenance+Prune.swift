import Domain
import JSON

extension StoreMaintenance {
  func prune(keepingOpened count: Int, confirmed: Bool) async throws(AppError) -> StorePruning {
    let database = try database()
    let lock = try SyncLock.take(files.lock, note: "\(processName), pruning")
    defer { lock.release() }
    let (ids, now, server, author, plan) = (effects.ids, effects.clock.now(), server, author, plan)
    let (present, candidates, total) = try await database.read { connection throws(AppError) in
      let transaction = StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server)
      let present = try transaction.present(plan, keepingOpened: count)
      return (
        present, try transaction.recordsOutside(present, keepingOpened: count), try transaction.recordCount()
      )
    }
    guard !candidates.isEmpty else { return StorePruning(dropped: [], kept: total) }
    guard confirmed else {
      let counts = Self.counts(candidates.map(\.type)).map { "\($0.count) \($0.type)" }
      throw AppError(
        .needsConfirmation,
        "drop \(candidates.count) of \(total) records, which left the clinic's scopes: \(counts.joined(separator: ", "))? "
          + "They stay at the server")
    }
    try await database.write(durability: .full) { connection throws(AppError) in
      let transaction = StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server)
      // Before the records go: what enters a scope again later must be pulled from its beginning.
      try transaction.forgetScopes(but: present.scopes)
      try transaction.audit("prune", ResourceKey(type: "Store", id: "-"), number: nil, elements: nil, author: author)
    }
    var dropped: [String] = []
    var rest = candidates[...]
    // In small transactions: others write meanwhile.
    while !rest.isEmpty {
      let part = Array(rest.prefix(200))
      rest = rest.dropFirst(part.count)
      dropped += try await database.write(durability: .normal) { connection throws(AppError) in
        let transaction = StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server)
        var types: [String] = []
        for record in part where try transaction.drop(record) { types.append(record.type) }
        return types
      }
    }
    await database.close()
    return StorePruning(dropped: Self.counts(dropped), kept: total - dropped.count)
  }

  private static func counts(_ types: [String]) -> [StorePruning.TypeCount] {
    Dictionary(grouping: types, by: \.self).map { StorePruning.TypeCount(type: $0.key, count: $0.value.count) }
      .sorted { $0.type < $1.type }
  }
}

/// A record that may be dropped.
private struct DroppableRecord: Sendable {
  var rowID: Int64
  var type: String
}

/// What a sync pulls now, as JSON.
private struct PresentSelection: Sendable {
  /// The names of the scopes.
  var scopes: JSONValue
  /// The ids of the patients who are followed with their charts.
  var patients: JSONValue
}

extension StoreTransaction {
  fileprivate func recordCount() throws(AppError) -> Int {
    Int(try first("SELECT count(*) FROM resource") { row throws(SQLiteError) in row.integer(0) } ?? 0)
  }

  /// What a sync pulls now.
  fileprivate func present(_ plan: PullPlan, keepingOpened count: Int) throws(AppError) -> PresentSelection {
    var names = (plan.opening(at: now) + plan.planned(at: now)).flatMap { $0.scopes.map(\.name) }
    var followed: [ResourceKey] = []
    if plan.selection != nil {
      names.append(PullScope.followedPatients.name)
      followed = try followedPatients(plan, at: now, opened: count)
      for patient in followed { names += PullPlan.chartTypes.map { PullScope.chart($0, of: patient.id).name } }
    }
    return PresentSelection(
      scopes: .array(names.map(JSONValue.string)), patients: .array(followed.map { JSONValue.string($0.id) }))
  }

  fileprivate func forgetScopes(but scopes: JSONValue) throws(AppError) {
    try run("DELETE FROM scope WHERE name NOT IN (SELECT value FROM json_each(?))", [.text(scopes.text())])
  }

  /// What is in none of the scopes, has no work of ours, is no patient who is followed or was opened of late nor of one, and
  /// is not referred to by anything that stays.
  fileprivate func recordsOutside(
    _ present: PresentSelection, keepingOpened count: Int
  ) throws(AppError) -> [DroppableRecord] {
    try all(
      """
      WITH RECURSIVE
        seen (rowid, id) AS (
          SELECT rowid, id FROM resource WHERE type = 'Patient' AND opened IS NOT NULL ORDER BY opened DESC LIMIT ?1),
        kept (rowid) AS (
          SELECT rowid FROM resource WHERE state = 0 OR pending > 0 OR review > 0
          UNION SELECT rowid FROM seen
          UNION SELECT rowid FROM resource WHERE type = 'Patient' AND id IN (SELECT value FROM json_each(?3))
          UNION SELECT r.rowid FROM scope_member m JOIN resource r ON r.type = m.type AND r.id = m.id
            WHERE m.scope IN (SELECT value FROM json_each(?2))
          UNION SELECT r.rowid FROM outbox_reference o JOIN resource r ON r.type = o.type AND r.id = o.id
          UNION SELECT r.rowid FROM review v JOIN resource r ON r.type = v.type AND r.id = v.id WHERE v.decision IS NULL
          UNION SELECT resource FROM appointment WHERE patient IN (SELECT id FROM seen)
          UNION SELECT resource FROM observation WHERE patient IN (SELECT id FROM seen)
          UNION SELECT resource FROM chart WHERE patient IN (SELECT id FROM seen)
          UNION SELECT r.rowid FROM kept k JOIN reference f ON f.resource = k.rowid
            JOIN resource r ON r.type = f.type AND r.id = f.id
        )
      SELECT rowid, type FROM resource WHERE rowid NOT IN (SELECT rowid FROM kept) ORDER BY rowid
      """, [SQLValue(count), .text(present.scopes.text()), .text(present.patients.text())]
    ) { row throws(SQLiteError) in DroppableRecord(rowID: row.integer(0), type: row.text(1)) }
  }

  /// Takes a record out of the store, unless somebody began to work on it.
  ///
  /// - Returns: whether it went.
  fileprivate func drop(_ droppable: DroppableRecord) throws(AppError) -> Bool {
    guard let record = try resource(rowID: droppable.rowID), record.pending == 0, record.inReview == 0,
      try outboxEntries(on: record.key).isEmpty
    else { return false }
    try deriveIndexes(of: record.key, rowID: record.rowID, view: nil)
    try run("DELETE FROM resource WHERE rowid = ?", [.integer(record.rowID)])
    try noteReappearance(of: record.key)
    note(record.key)
    return true
  }
}
