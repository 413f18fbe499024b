import CSQLite
package import Domain

extension AppError {
  /// What a failure of SQLite means to the user.
  package init(_ error: SQLiteError) {
    switch error.code {
    case SQLITE_FULL:
      self.init(.storeFull, "the disk that holds the store is full", hint: "free some space, then repeat the line")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .storeCorrupt, "the store is damaged: \(error.message)",
        hint: "keep a copy of its folder; store salvage saves what can be read, store restore FILE puts a copy in its "
          + "place")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .storeUnavailable, "another process keeps the store busy", hint: "wait for it to end, then repeat the line")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
      self.init(
        .storeUnavailable, "the store cannot be opened for writing: \(error.message)",
        hint: "check the owner and the permissions of its folder, or name another with --store DIR")
    case SQLITE_IOERR where error.extendedCode == Self.sharedMemoryCannotGrow:
      self.init(.storeFull, "the disk that holds the store is full", hint: "free some space, then repeat the line")
    case SQLITE_IOERR:
      self.init(
        .storeUnavailable, "the disk that holds the store fails: \(error.message)",
        hint: "look at the disk, then at the store: store check")
    default:
      self.init(.internalFault, error.description)
    }
  }
}

extension AppError {
  /// `SQLITE_IOERR_SHMSIZE` (sqlite.org/rescode.html), a macro that is not imported: the file beside the log, which is a
  /// few pages long, could not be made longer.
  private static let sharedMemoryCannotGrow = SQLITE_IOERR | 19 << 8

  /// Runs `body`, and turns a failure of SQLite into what it means to the user.
  package static func wrapping<Value>(_ body: () throws(SQLiteError) -> Value) throws(AppError) -> Value {
    do throws(SQLiteError) { return try body() } catch { throw AppError(error) }
  }
}
