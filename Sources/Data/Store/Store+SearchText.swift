import Domain
import JSON

extension Store {
  /// Makes the words by which patients are found anew, where an older version of the program made them.
  func renewSearchText() async throws(AppError) {
    if try await read({ transaction throws(AppError) in try transaction.hasCurrentSearchText() }) { return }
    var after: Int64 = 0
    while true {
      let begin = after
      let reached = try await write(durability: .normal, evenIfCancelled: true) { transaction throws(AppError) in
        try transaction.renewSearchText(after: begin, limit: 500)
      }
      guard let reached else { break }
      after = reached
    }
    try await write(durability: .normal, evenIfCancelled: true) { transaction throws(AppError) in
      try transaction.setMeta(searchTextKey, SearchText.version)
    }
  }
}

/// Under which the version of the words stands.
private let searchTextKey = "searchText"

extension StoreTransaction {
  /// Whether the words by which patients are found are those of this version.
  func hasCurrentSearchText() throws(AppError) -> Bool { try meta(searchTextKey) == SearchText.version }

  /// - Returns: the last row that was made anew; `nil` when there is none left.
  fileprivate func renewSearchText(after row: Int64, limit: Int) throws(AppError) -> Int64? {
    let rows = try all(
      "SELECT resource FROM patient WHERE resource > ? ORDER BY resource LIMIT ?", [.integer(row), SQLValue(limit)]
    ) { row throws(SQLiteError) in row.integer(0) }
    for row in rows {
      guard let record = try resource(rowID: row) else { continue }
      try deriveIndexes(of: record.key, rowID: row, view: record.view)
    }
    return rows.last
  }
}
