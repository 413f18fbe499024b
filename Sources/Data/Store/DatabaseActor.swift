package import Domain
import Synchronization

/// The owner of one connection: all use of it happens here, one call after the other, off the cooperative pool.
package actor DatabaseActor {
  private let executor: any SerialExecutor
  private var connection: Connection?
  private let path: String
  private let mode: Connection.Mode
  private let vfs: String?
  private var synchronousIsFull: Bool?
  private nonisolated let opened = Atomic(false)

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(path: String, mode: Connection.Mode, executor: any SerialExecutor, vfs: String? = nil) {
    self.path = path
    self.mode = mode
    self.executor = executor
    self.vfs = vfs
  }

  /// How safe a commit is when the power fails.
  package enum Durability: Sendable {
    /// On disk when the call returns: for what a user was told is saved, for claims and for acknowledgements.
    case full
    /// May be lost with the power, never torn: for what the server can give again.
    case normal
  }

  /// Runs `body` with the connection, outside any transaction of ours.
  package func withConnection<Value: Sendable>(
    _ body: @Sendable (Connection) throws(AppError) -> Value
  ) throws(AppError) -> Value {
    try body(try open())
  }

  /// Runs `body` in one read transaction: everything it reads is of one moment.
  package func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(AppError) -> Value
  ) throws(AppError) -> Value {
    try transaction("BEGIN DEFERRED", body)
  }

  /// Runs `body` in one write transaction: all of it is stored, or nothing.
  package func write<Value: Sendable>(
    durability: Durability, _ body: @Sendable (Connection) throws(AppError) -> Value
  ) throws(AppError) -> Value {
    let full = durability == .full
    if synchronousIsFull != full {
      let connection = try open()
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.execute(full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
      }
      synchronousIsFull = full
    }
    return try transaction("BEGIN IMMEDIATE", body)
  }

  /// Whether there is a connection, told without a turn behind other calls.
  package nonisolated var isOpen: Bool { opened.load(ordering: .acquiring) }

  /// Closes the connection. Later calls open it again.
  package func close() {
    connection = nil
    opened.store(false, ordering: .releasing)
    synchronousIsFull = nil
  }

  private func transaction<Value: Sendable>(
    _ begin: String, _ body: @Sendable (Connection) throws(AppError) -> Value
  ) throws(AppError) -> Value {
    let connection = try open()
    try AppError.wrapping { () throws(SQLiteError) in try connection.run(begin) }
    do throws(AppError) {
      let value = try body(connection)
      try AppError.wrapping { () throws(SQLiteError) in try connection.run("COMMIT") }
      return value
    } catch {
      // SQLite ends some transactions by itself, e.g. when the disk is full; then there is nothing to roll back.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  private func open() throws(AppError) -> Connection {
    if let connection { return connection }
    let opened = try AppError.wrapping { () throws(SQLiteError) in
      let opened = try Connection(path: path, mode: mode, vfs: vfs)
      if mode != .readOnly { try BusyHandler.switchToWriteAheadLog(opened) }
      try opened.execute("PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY")
      return opened
    }
    connection = opened
    self.opened.store(true, ordering: .releasing)
    return opened
  }
}
