import Domain
import JSON

extension StoreTransaction {
  /// Fills a new store with what was saved of a damaged one: the outbox first.
  ///
  /// - Returns: what came of it, but for the place of the old store.
  func fill(_ salvaged: SalvagedStore) throws(AppError) -> StoreSalvage {
    let rows = salvaged.rows
    for row in rows.rows("meta") { try carry(row, into: "meta") }
    let entries = try fillOutbox(salvaged)
    for table in ["alias", "audit", "journal"] { for row in rows.rows(table) { try carry(row, into: table) } }
    try fillReview(rows, doubtful: entries.filter { salvaged.doubtful.contains($0.entry) })
    let records = try fillResources(rows, entries)
    let lost = try noteLost(rows, entries)
    let numbers = ["journal", "audit"].flatMap { rows.rows($0).compactMap { $0["number"]?.integer } }
    try continueNumbers("outbox", after: numbers.max() ?? 0)
    try continueNumbers("review", after: rows.rows("review").compactMap { $0["number"]?.integer }.max() ?? 0)
    return StoreSalvage(
      setAside: nil, entries: entries.count, doubtful: entries.count { salvaged.doubtful.contains($0.entry) },
      records: records, lost: lost, torn: rows.torn.sorted())
  }

  /// Puts a row into a table; a row that breaks a rule of the table is left out.
  ///
  /// - Returns: whether it is in.
  @discardableResult
  private func carry(_ row: SalvagedRows.Row, into table: String) throws(AppError) -> Bool {
    let names = row.keys.sorted()
    let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let sql = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))"
    do throws(SQLiteError) {
      try connection.run(sql, names.map { row[$0] ?? .null })
      return true
    } catch {
      // A constraint, a type that does not fit, or a column of some other version: the row is damaged. A disk is not.
      guard [1, 19, 20].contains(error.code) else { throw AppError(error) }
      return false
    }
  }

  private func fillOutbox(_ salvaged: SalvagedStore) throws(AppError) -> [OutboxEntry] {
    let rows = salvaged.rows.rows("outbox").sorted { ($0["number"]?.integer ?? 0) < ($1["number"]?.integer ?? 0) }
    for row in rows {
      // Of a damaged row nothing may be left that cannot be understood later.
      guard let bytes = row["patch"]?.bytes, let json = try? JSONValue(parsing: bytes), let patch = Patch(json: json),
        patch.kind.rawValue == row["kind"]?.text, let number = row["number"]?.integer
      else { continue }
      if try carry(row, into: "outbox") { try storeReferences(of: patch, number: number) }
    }
    var entries: [OutboxEntry] = []
    for number in Set(rows.compactMap { $0["number"]?.integer }).sorted() {
      do throws(AppError) {
        if let entry = try outboxEntry(number) { entries.append(entry) }
      } catch {
        guard error.code == .storeCorrupt || error.code == .internalFault else { throw error }
        try run("DELETE FROM outbox WHERE number = ?", [.integer(number)])
      }
    }
    return entries
  }

  /// Carries decisions over, and puts what is doubtful to a person.
  private func fillReview(_ rows: SalvagedRows, doubtful: [OutboxEntry]) throws(AppError) {
    for row in rows.rows("review") where row["details"]?.bytes.flatMap({ try? JSONValue(parsing: $0) }) != nil {
      try carry(row, into: "review")
    }
    try run("DELETE FROM review WHERE decision IS NULL AND outbox NOT IN (SELECT number FROM outbox)")
    for entry in doubtful where entry.state != .review {
      try hold(entry, .unresolved, "it was saved from a damaged store: whether the server has it is not known")
    }
    for entry in try outboxEntries() where entry.state == .review {
      if try openReviewItem(ofEntry: entry.number) == nil {
        try hold(entry, .unresolved, "it was saved from a damaged store, without what a person was to decide")
      }
    }
  }

  private func fillResources(_ rows: SalvagedRows, _ entries: [OutboxEntry]) throws(AppError) -> Int {
    let isUnderstood = { (value: SQLValue?) in value?.bytes.map { (try? JSONValue(parsing: $0)) != nil } ?? true }
    for var row in rows.rows("resource") where isUnderstood(row["base"]) {
      (row["view"], row["pending"], row["review"]) = (.null, .integer(0), .integer(0))
      // What the journal counted is not certain any more.
      row["settled"] = .integer(0)
      try carry(row, into: "resource")
    }
    for key in Set(entries.map(\.key)) {
      if try resource(key) == nil { _ = try makeResource(key) }
    }
    let keys = try all("SELECT type, id FROM resource ORDER BY rowid") { row throws(SQLiteError) in
      ResourceKey(type: row.text(0), id: row.text(1))
    }
    for key in keys { try refreshView(of: key) }
    return keys.count
  }

  /// Names what was written and is neither settled nor saved, and closes the books on it.
  private func noteLost(_ rows: SalvagedRows, _ entries: [OutboxEntry]) throws(AppError) -> [OutboxNumber] {
    guard rows.torn.isDisjoint(with: ["audit", "journal"]) else { return [] }
    let lost = try all(
      """
      SELECT a.number, a.type, a.id, min(a.serial) FROM audit a
      WHERE a.number IS NOT NULL AND a.number > (SELECT coalesce(min(number), 1) FROM journal) - 1
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.number = a.number)
        AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.number = a.number)
      GROUP BY a.number ORDER BY a.number
      """
    ) { row throws(SQLiteError) in (row.integer(0), ResourceKey(type: row.text(1), id: row.text(2))) }
    for (number, key) in lost {
      try run(
        """
        INSERT INTO journal (number, entry, type, id, kind, outcome, settled)
        VALUES (?, ?, ?, ?, 'update', 'lost with the damaged store', ?)
        """,
        [.integer(number), .text(ids.next()), .text(key.type), .text(key.id), .text(now.text)])
    }
    return lost.map(\.0)
  }

  /// Numbers are never given twice.
  private func continueNumbers(_ table: String, after number: Int64) throws(AppError) {
    let known = try first("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]) { row throws(SQLiteError) in
      row.integer(0)
    }
    if let known {
      try run(
        "UPDATE sqlite_sequence SET seq = ? WHERE name = ?", [.integer(max(known, number)), .text(table)])
    } else {
      try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(number)])
    }
  }
}
