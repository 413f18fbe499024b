package import Domain

/// The local store of one clinic and one server: one writer, a few readers, and the news of commits.
package final class Store: Sendable {
  package let files: StoreFiles
  package let effects: Effects
  /// The base URL of the server that the store belongs to; `nil` before one is named.
  package let ownBase: String?
  package let hub = ChangeHub()
  private let memo = CapabilityMemo()
  private let vfs: String?
  let writer: DatabaseActor
  let readers: [DatabaseActor]
  private let turn: Turn

  private init(files: StoreFiles, server: String?, effects: Effects, vfs: String?) {
    self.files = files
    ownBase = server
    self.effects = effects
    self.vfs = vfs
    writer = DatabaseActor(
      path: files.database, mode: .readWrite, executor: effects.makeExecutor("clinic.store.writer"), vfs: vfs)
    readers = (1...2).map { number in
      DatabaseActor(
        path: files.database, mode: .readWrite, executor: effects.makeExecutor("clinic.store.reader.\(number)"),
        vfs: vfs)
    }
    turn = Turn(count: readers.count)
  }

  /// Opens a store, makes it if it is not there, and brings an older one up to date.
  ///
  /// - Throws: `storeNewer` for a store of a later version, which stays untouched; `storeCorrupt`; `storeUnavailable`;
  ///   `storeFull`.
  package static func open(
    _ files: StoreFiles, server: String?, effects: Effects, vfs: String? = nil
  ) async throws(AppError) -> Store {
    try await open(files, server: server, effects: effects, vfs: vfs) { _ in }.store
  }

  /// Opens a store like ``open(_:server:effects:vfs:)``, and reads from it.
  ///
  /// Most stores are up to date. Then all that a start wants to know is read in one transaction, and nothing is opened
  /// for writing.
  static func open<Value: Sendable>(
    _ files: StoreFiles, server: String?, effects: Effects, vfs: String? = nil,
    reading: @Sendable (StoreTransaction) throws(AppError) -> Value
  ) async throws(AppError) -> (store: Store, value: Value) {
    try files.refuseForeign()
    try files.prepare()
    let store = Store(files: files, server: server, effects: effects, vfs: vfs)
    let value: Value? = try await store.read { transaction throws(AppError) in
      guard try Self.isMigrated(transaction.connection), try transaction.hasCurrentSearchText() else { return nil }
      return try reading(transaction)
    }
    if let value { return (store, value) }
    try await store.migrate()
    try await store.renewSearchText()
    return (store, try await store.read(reading))
  }

  /// Runs `body` in a write transaction, and tells the readers after the commit.
  ///
  /// Cancelling the task has an effect only before the transaction begins, and none with `evenIfCancelled`.
  package func write<Value: Sendable>(
    durability: DatabaseActor.Durability = .full, evenIfCancelled: Bool = false,
    _ body: @Sendable (StoreTransaction) throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    if Task.isCancelled, !evenIfCancelled { throw AppError(.cancelled, "the write was cancelled before it began") }
    let (effects, ownBase, memo) = (effects, ownBase, memo)
    let (value, changes, mark) = try await writer.write(durability: durability) {
      connection throws(AppError) -> (Value, StoreChanges, StoreMark?) in
      let transaction = StoreTransaction(
        connection: connection, now: effects.clock.now(), ids: effects.ids, ownBase: ownBase, memo: memo)
      let value = try body(transaction)
      let mark = durability == .full && transaction.isAudited ? try transaction.standing() : nil
      return (value, transaction.changes, mark)
    }
    mark?.write(files.mark)
    hub.publish(changes)
    return value
  }

  /// Runs `body` in a read transaction: all that it sees is of one moment.
  package func read<Value: Sendable>(
    _ body: @Sendable (StoreTransaction) throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    let (effects, ownBase, memo) = (effects, ownBase, memo)
    let reader = turn.take()
    defer { turn.giveBack(reader) }
    return try await readers[reader].read { connection throws(AppError) in
      try body(
        StoreTransaction(
          connection: connection, now: effects.clock.now(), ids: effects.ids, ownBase: ownBase, memo: memo))
    }
  }

  /// A number that changes with every commit of another connection, also of another process. Costs microseconds.
  package func foreignCommits() async throws(AppError) -> Int64 {
    try await writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.first("PRAGMA data_version") { row throws(SQLiteError) in row.integer(0) } ?? 0
      }
    }
  }

  /// Copies the write-ahead log into the database, under the guard that makes it safe.
  ///
  /// SQLite before 3.51.3 can damage a database when a checkpoint of one connection overlaps with a commit of another
  /// that starts the log anew (sqlite.org/wal.html, "walresetbug"). So a checkpoint is taken only while another
  /// connection of this process holds the write lock: nobody can commit meanwhile. Only `PASSIVE` works in that position.
  ///
  /// - Returns: whether everything was copied.
  @discardableResult
  package func checkpoint() async throws(AppError) -> Bool {
    FailPoint.checkpointBegun.pass()
    let (path, vfs) = (files.database, vfs)
    let complete = try await writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.execute("BEGIN IMMEDIATE")
        defer { try? connection.execute("ROLLBACK") }
        let copier = try Connection(path: path, mode: .readWrite, vfs: vfs)
        return try copier.first("PRAGMA wal_checkpoint(PASSIVE)") { row throws(SQLiteError) in
          row.integer(0) == 0 && row.integer(1) == row.integer(2)
        } ?? false
      }
    }
    FailPoint.checkpointCopied.pass()
    return complete
  }

  /// The plans of all statements that readers have used so far.
  package func readerPlans() async throws(AppError) -> [String: [String]] {
    var plans: [String: [String]] = [:]
    for reader in readers {
      let found = try await reader.withConnection { connection throws(AppError) in
        try AppError.wrapping { () throws(SQLiteError) in try connection.plansOfUsedStatements() }
      }
      plans.merge(found) { first, _ in first }
    }
    return plans
  }

  /// Takes a checkpoint when the write-ahead log has grown, so that it stays bounded. Who only read leaves that to those
  /// who write: the log's file stays as long as it was, also when all of it is copied.
  package func checkpointIfLarge() async throws(AppError) {
    if writer.isOpen, files.logSize() > Self.largeLog { try await checkpoint() }
  }

  /// From which size on the log is copied, in bytes.
  private static let largeLog = 4 << 20

  /// Checks the whole file. Reads all of it.
  package func integrityErrors() async throws(AppError) -> [String] {
    try await writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.all("PRAGMA integrity_check") { row throws(SQLiteError) in row.text(0) }.filter { $0 != "ok" }
      }
    }
  }

  /// Closes all connections. Later calls open them again.
  package func close() async {
    for database in readers + [writer] where database.isOpen { await database.close() }
  }
}
