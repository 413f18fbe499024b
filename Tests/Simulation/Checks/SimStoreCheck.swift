import Data
package import Domain
package import JSON

/// What must hold inside a store at any moment.
package struct SimStoreCheck {
  /// A resource row.
  package struct Row: Sendable {
    package var key: ResourceKey
    package var base: JSONValue?
    package var view: JSONValue?
    package var state: Int64
    package var isVisible: Bool
    package var pending: Int64
    package var review: Int64
  }

  private struct Entry {
    var number: Int64
    var key: ResourceKey
    var kind: String
    var patch: [UInt8]
    var state: String
  }

  package private(set) var problems: [String] = []
  package private(set) var rows: [Row] = []
  package private(set) var outboxCount = 0
  package private(set) var openReviews = 0
  /// Members of scopes that have no record.
  package private(set) var strays: [String] = []
  /// How many rows each table has that could grow without end.
  package private(set) var tables: [String: Int64] = [:]

  /// Reads the store in a folder.
  package init(directory: String) {
    do throws(SQLiteError) { try read(directory) } catch {
      problems.append("the store cannot be read: \(error)")
    }
  }

  /// Whether a pull of a type was once complete.
  package static func wasPulled(_ type: String, directory: String) -> Bool {
    let found = try? Connection(path: directory + "/clinic.sqlite", mode: .readOnly).first(
      "SELECT 1 FROM scope WHERE type = ? AND completed IS NOT NULL", [.text(type)]
    ) { row throws(SQLiteError) in row.integer(0) }
    return found == 1
  }

  private mutating func read(_ directory: String) throws(SQLiteError) {
    let connection = try Connection(path: directory + "/clinic.sqlite", mode: .readOnly)
    try connection.execute("BEGIN")
    let damage = try connection.all("PRAGMA integrity_check") { row throws(SQLiteError) in row.text(0) }
    if damage != ["ok"] { problems.append("damaged: \(damage.joined(separator: "; "))") }
    let raw = try connection.all(
      "SELECT type, id, base, view, state, visible, pending, review FROM resource ORDER BY type, id"
    ) { row throws(SQLiteError) in
      (
        ResourceKey(type: row.text(0), id: row.text(1)), row.optionalBlob(2), row.optionalBlob(3), row.integer(4),
        row.flag(5), row.integer(6), row.integer(7)
      )
    }
    rows = raw.map { key, base, view, state, visible, pending, review in
      let base = base.flatMap { try? JSONValue(parsing: $0) }
      return Row(
        key: key, base: base, view: view.flatMap { try? JSONValue(parsing: $0) } ?? base, state: state,
        isVisible: visible, pending: pending, review: review)
    }
    let entries = try connection.all("SELECT number, type, id, kind, patch, state FROM outbox ORDER BY number") {
      row throws(SQLiteError) in
      Entry(
        number: row.integer(0), key: ResourceKey(type: row.text(1), id: row.text(2)), kind: row.text(3),
        patch: row.blob(4), state: row.text(5))
    }
    outboxCount = entries.count
    checkViews(entries)
    try checkReview(connection, entries)
    try checkCounters(connection, entries)
    strays = try connection.all(
      """
      SELECT scope || ' ' || type || '/' || id FROM scope_member m
      WHERE NOT EXISTS (SELECT 1 FROM resource r WHERE r.type = m.type AND r.id = m.id) ORDER BY 1
      """
    ) { row throws(SQLiteError) in row.text(0) }
    for table in ["alias", "outbox_reference", "journal", "review", "scope", "scope_member", "unreadable", "audit"] {
      tables[table] =
        try connection.first("SELECT count(*) FROM \(table)") { row throws(SQLiteError) in row.integer(0) }
    }
    try connection.execute("ROLLBACK")
  }

  private mutating func checkViews(_ entries: [Entry]) {
    let byKey = Dictionary(grouping: entries, by: \.key)
    for row in rows {
      let own = byKey[row.key] ?? []
      var view = row.base
      for entry in own {
        guard let json = try? JSONValue(parsing: entry.patch), let patch = Patch(json: json) else {
          problems.append("entry \(entry.number) cannot be read")
          continue
        }
        view = patch.apply(to: view)
      }
      if view != row.view {
        problems.append(
          "view of \(row.key) is not its base with its patches: \(row.view?.text() ?? "-") is not \(view?.text() ?? "-")"
        )
      }
      if Int64(own.count) != row.pending {
        problems.append("\(row.key) counts \(row.pending) entries and has \(own.count)")
      }
      let inReview = own.count { $0.state == "review" }
      if Int64(inReview) != row.review {
        problems.append("\(row.key) counts \(row.review) entries in review and has \(inReview)")
      }
    }
    let known = Set(rows.map(\.key))
    for entry in entries where !known.contains(entry.key) {
      problems.append("entry \(entry.number) is about \(entry.key), which is not there")
    }
  }

  private mutating func checkReview(_ connection: Connection, _ entries: [Entry]) throws(SQLiteError) {
    let open = try connection.all("SELECT outbox FROM review WHERE decision IS NULL ORDER BY outbox") {
      row throws(SQLiteError) in row.integer(0)
    }
    openReviews = open.count
    let held = entries.filter { $0.state == "review" }.map(\.number)
    if open != held { problems.append("open review items are about \(open), entries in review are \(held)") }
  }

  /// What was ever written is accepted, undone before it was sent, discarded, put to a person, waits, or is a Provenance that
  /// the server does not take: nothing else, and nothing twice.
  private mutating func checkCounters(_ connection: Connection, _ entries: [Entry]) throws(SQLiteError) {
    let written =
      try connection.first("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'") { row throws(SQLiteError) in
        row.integer(0)
      } ?? 0
    var count = ["accepted": 0, "undone": 0, "discarded": 0]
    var settled: Set<Int64> = []
    let ends = try connection.all("SELECT number, outcome FROM journal ORDER BY serial") { row throws(SQLiteError) in
      (row.integer(0), row.text(1))
    }
    for (number, outcome) in ends {
      guard let end = Self.ends.first(where: { outcome.hasPrefix($0.key) })?.value else {
        problems.append("entry \(number) ended in an unknown way: \(outcome)")
        continue
      }
      count[end, default: 0] += 1
      if !settled.insert(number).inserted { problems.append("entry \(number) is settled twice") }
    }
    let parked = entries.count { $0.state == "review" }
    let waiting = entries.count - parked
    if written != Int64(count.values.reduce(0, +) + parked + waiting) {
      problems.append(
        "\(written) entries were written, but \(count.sorted { $0.key < $1.key }), in review \(parked), waiting \(waiting)"
      )
    }
  }

  /// What the journal says of an end, and what it amounts to.
  private static let ends = [
    "accepted": "accepted", "found": "accepted", "already at the server": "accepted",
    "undone here": "undone", "discarded": "discarded", "left out": "left out",
  ]

  /// What grew beyond what the records of a world explain, at rest.
  package func growth(records: Int, writes: Int, decisions: Int64) -> [String] {
    let limits: [String: Int64] = [
      "alias": Int64(writes), "outbox_reference": 0, "journal": Int64(writes) * 2, "review": Int64(writes) * 4,
      "scope": 40, "scope_member": Int64(rows.count) * 3, "unreadable": 0, "audit": Int64(writes) * 6 + decisions,
    ]
    var problems = limits.sorted { $0.key < $1.key }.compactMap { table, limit in
      (tables[table] ?? 0) > limit ? "growth: \(tables[table] ?? 0) rows in \(table), not more than \(limit)" : nil
    }
    if !strays.isEmpty { problems.append("growth: members without a record: \(strays)") }
    // Who wrote a record is told by another one, which may have been taken back with it.
    let (told, others) = (rows.count { $0.key.type == "Provenance" }, rows.count { $0.key.type != "Provenance" })
    if others > records { problems.append("growth: \(others) rows of \(records) records") }
    if told > writes { problems.append("growth: \(told) rows that tell who wrote \(writes) records") }
    return problems
  }
}
