import CSQLite
import Domain

extension Store {
  /// Brings the schema up to date, one step and one transaction after the other.
  func migrate() async throws(AppError) {
    try await writer.withConnection { connection throws(AppError) in try Self.migrate(connection) }
  }

  /// Whether no step is left to take.
  static func isMigrated(_ connection: Connection) throws(AppError) -> Bool {
    try AppError.wrapping { () throws(SQLiteError) in try version(connection) >= Schema.version }
  }

  /// Brings one database up to date.
  static func migrate(_ connection: Connection) throws(AppError) {
    while try step(connection) {}
  }

  /// Takes one step; for a new store, all at once.
  ///
  /// - Returns: whether one was left to take.
  private static func step(_ connection: Connection) throws(AppError) -> Bool {
    try AppError.wrapping { () throws(SQLiteError) in
      guard try version(connection) < Schema.version else { return false }
      try connection.execute("BEGIN IMMEDIATE")
      do throws(SQLiteError) {
        // Another process may have been quicker.
        let version = try version(connection)
        var next = version
        if version < Schema.version {
          try connection.execute(version == 0 ? Schema.new : Schema.migrations[version])
          next = version == 0 ? Schema.version : version + 1
          try connection.execute("PRAGMA user_version=\(next); PRAGMA application_id=\(Schema.applicationID)")
          FailPoint.migrationBeforeCommit.pass()
        }
        try connection.execute("COMMIT")
        return next < Schema.version
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
  }

  private static func version(_ connection: Connection) throws(SQLiteError) -> Int {
    Int(try connection.first("PRAGMA user_version") { row throws(SQLiteError) in row.integer(0) } ?? 0)
  }
}
