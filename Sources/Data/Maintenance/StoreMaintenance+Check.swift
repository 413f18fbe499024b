import Domain
import JSON

extension StoreMaintenance {
  func check() async throws(AppError) -> StoreCheck {
    let database = try database()
    let (now, ids, server) = (effects.clock.now(), effects.ids, server)
    var check = StoreCheck(records: 0, entries: 0, problems: [])
    do throws(AppError) {
      check = try await database.read { connection throws(AppError) in
        var check = StoreCheck(records: 0, entries: 0, problems: [])
        check.problems += try AppError.wrapping { () throws(SQLiteError) in
          try connection.all("PRAGMA integrity_check") { row throws(SQLiteError) in row.text(0) }.filter { $0 != "ok" }
            + connection.all("PRAGMA foreign_key_check") { row throws(SQLiteError) in
              "\(row.text(0)) row \(row.integer(1)) refers to a missing row of \(row.text(2))"
            }
        }
        let version = try AppError.wrapping { () throws(SQLiteError) in
          try connection.first("PRAGMA user_version") { row throws(SQLiteError) in Int(row.integer(0)) } ?? 0
        }
        // What an older schema means is for its migration to say, which the next ordinary line runs.
        guard check.problems.isEmpty, version == Schema.version else { return check }
        try StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server).checkRecords(&check)
        return check
      }
    } catch {
      guard error.code == .storeCorrupt else { throw error }
      check.problems.append(error.message)
    }
    await database.close()
    return check
  }
}

extension StoreTransaction {
  /// Holds every record against what its base and its entries make of it.
  fileprivate func checkRecords(_ check: inout StoreCheck) throws(AppError) {
    var entries: [ResourceKey: [OutboxEntry]] = [:]
    for entry in try outboxEntries() {
      entries[entry.key, default: []].append(entry)
      check.entries += 1
    }
    var last: Int64 = 0
    while true {
      let rowIDs = try all("SELECT rowid FROM resource WHERE rowid > ? ORDER BY rowid LIMIT 500", [.integer(last)]) {
        row throws(SQLiteError) in row.integer(0)
      }
      guard let end = rowIDs.last else { break }
      for rowID in rowIDs {
        guard let record = try resource(rowID: rowID) else { continue }
        check.records += 1
        check.problems += Self.problems(of: record, entries: entries.removeValue(forKey: record.key) ?? [])
      }
      last = end
    }
    for (key, left) in entries.sorted(by: { $0.value[0].number < $1.value[0].number }) {
      check.problems.append("outbox entry \(left[0].number) is on \(key), which has no row")
    }
    let lost = try all(
      "SELECT number FROM review WHERE decision IS NULL AND outbox NOT IN (SELECT number FROM outbox)"
    ) { row throws(SQLiteError) in row.integer(0) }
    check.problems += lost.map { "review item \($0) has lost its entry" }
    let stuck = try all(
      """
      SELECT number FROM outbox WHERE state = 'review'
        AND number NOT IN (SELECT outbox FROM review WHERE decision IS NULL AND outbox IS NOT NULL)
      """
    ) { row throws(SQLiteError) in row.integer(0) }
    check.problems += stuck.map { "outbox entry \($0) waits for a decision that no review item asks for" }
  }

  private static func problems(of record: ResourceRecord, entries: [OutboxEntry]) -> [String] {
    let view = entries.reduce(record.base) { document, entry in entry.patch.apply(to: document) }
    let inReview = entries.count { $0.state == .review }
    let isVisible =
      view != nil && (record.state == .present || entries.contains { $0.kind == .create } || inReview > 0)
    var problems: [String] = []
    if record.isVisible != isVisible || (isVisible && record.view != view) {
      problems.append("\(record.key) is not shown as the server's document and the edits here make it")
    }
    if record.pending != entries.count || record.inReview != inReview {
      problems.append(
        "\(record.key) counts \(record.pending) edits, \(record.inReview) of them for review, and has "
          + "\(entries.count), \(inReview) of them for review")
    }
    return problems
  }
}
