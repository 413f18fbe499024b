import Domain

/// What the store knew when a request began: an answer says nothing about what came after.
package struct ReadMark: Hashable, Sendable {
  /// The journal: what of ours was settled.
  var settled: Int64
  /// The transactions in which documents of the server arrived.
  var moves: Int64
}

extension StoreTransaction {
  /// A mark to be taken before a request begins. It grows with every entry that is settled, and every base that moves.
  func readMark() throws(AppError) -> ReadMark {
    let marks = try first("SELECT (SELECT coalesce(max(serial), 0) FROM journal), moves FROM server") {
      row throws(SQLiteError) in ReadMark(settled: row.integer(0), moves: row.integer(1))
    }
    return marks ?? ReadMark(settled: 0, moves: 0)
  }

  /// The marks of a resource: when an entry of it was last settled, and its base last moved.
  private func marks(of record: ResourceRecord) throws(AppError) -> ReadMark? {
    try first("SELECT settled, moved FROM resource WHERE rowid = ?", [.integer(record.rowID)]) {
      row throws(SQLiteError) in ReadMark(settled: row.integer(0), moves: row.integer(1))
    }
  }

  /// What an answer is worth after what arrived since its request began.
  enum Standing: Hashable, Sendable {
    case good
    /// It is from before our last accepted write.
    case overtaken
    /// Another answer arrived meanwhile, and nothing tells which is newer: the record is read again.
    case unclear
  }

  /// Compares an answer with what arrived since its request began.
  func standing(_ arrived: ServerDocument, for record: ResourceRecord, asked: ReadMark?) throws(AppError) -> Standing {
    guard let asked, let marks = try marks(of: record) else { return .good }
    if marks.settled > asked.settled { return .overtaken }
    guard marks.moves > asked.moves else { return .good }
    // When a record was deleted is not known: its stamp is from before.
    return record.state == .present && record.isOlder(than: arrived) ? .good : .unclear
  }

  /// Counts this transaction, once, among those in which bases moved.
  func countMoves() throws(AppError) {
    guard !countsMoves else { return }
    countsMoves = true
    try run("UPDATE server SET moves = moves + 1")
  }
}
