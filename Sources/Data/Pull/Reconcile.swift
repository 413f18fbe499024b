import Domain

/// The slower look after all records of a type: for what no list and no history tells, such as deletions at a server
/// without history, and records that this account may not see any more.
struct Reconcile: Sendable {
  let store: Store
  let client: FHIRClient

  /// How long a finished look is good for, in milliseconds: a day.
  static let interval: Int64 = 86_400_000

  /// Looks after a type when that is due, and goes on where an earlier look was cut.
  func run(type: String, mayGoOn: @Sendable () -> Bool) async throws(AppError) -> Puller.Result {
    var result = Puller.Result()
    guard var cursor = try await begin(type) else { return result }
    let recheck = Recheck(store: store, client: client)
    while true {
      let after = cursor
      let keys = try await store.read { transaction throws(AppError) in
        try transaction.presentKeys(ofType: type, after: after, limit: Recheck.batch)
      }
      guard let last = keys.last else { break }
      let (changed, _) = try await recheck.compare(keys, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
      try await recheck.fetch(changed, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
      cursor = last.id
      let reached = cursor
      try await store.write(durability: .normal) { transaction throws(AppError) in
        try transaction.noteReconcile(type, cursor: reached, isFinished: false)
      }
    }
    try await recheck.settle(type, &result, mayGoOn: mayGoOn)
    guard result.failure == nil, mayGoOn() else { return result }
    try await store.write(durability: .normal) { transaction throws(AppError) in
      try transaction.noteReconcile(type, cursor: nil, isFinished: true)
    }
    return result
  }

  /// Where to go on; `nil` when nothing is due. The first pull has just seen everything: a look is due a day later.
  private func begin(_ type: String) async throws(AppError) -> String? {
    try await store.write(durability: .normal) { transaction throws(AppError) in
      guard let (cursor, finished) = try transaction.reconcile(type) else {
        try transaction.noteReconcile(type, cursor: nil, isFinished: true)
        return nil
      }
      if let cursor { return cursor }
      let now = transaction.nowMilliseconds
      guard let finished, finished <= now else {
        try transaction.noteReconcile(type, cursor: nil, isFinished: true)
        return nil
      }
      return now - finished >= Self.interval ? "" : nil
    }
  }
}

extension StoreTransaction {
  /// How far the look after a type has come, and when the last one ended; `nil` when none was ever thought of.
  fileprivate func reconcile(_ type: String) throws(AppError) -> (cursor: String?, finished: Int64?)? {
    try first("SELECT cursor, finished FROM reconcile WHERE type = ?", [.text(type)]) { row throws(SQLiteError) in
      (row.optionalText(0), row.optionalInteger(1))
    }
  }

  fileprivate func noteReconcile(_ type: String, cursor: String?, isFinished: Bool) throws(AppError) {
    try run(
      """
      INSERT INTO reconcile (type, cursor, finished) VALUES (?1, ?2, ?3)
      ON CONFLICT (type) DO UPDATE SET cursor = ?2, finished = coalesce(?3, finished)
      """, [.text(type), SQLValue(cursor), isFinished ? .integer(nowMilliseconds) : .null])
  }

  /// Records that are at the server as far as is known, by id.
  fileprivate func presentKeys(ofType type: String, after id: String, limit: Int) throws(AppError) -> [ResourceKey] {
    try all(
      "SELECT id FROM resource WHERE type = ? AND id > ? AND state = 1 ORDER BY id LIMIT ?",
      [.text(type), .text(id), SQLValue(limit)]
    ) { row throws(SQLiteError) in ResourceKey(type: type, id: row.text(0)) }
  }
}
