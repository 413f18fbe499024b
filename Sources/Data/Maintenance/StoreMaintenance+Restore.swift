import Domain
import Foundation

extension StoreMaintenance {
  func restore(from file: String, confirmed: Bool) async throws(AppError) -> StoreRestoration {
    try await verify(file)
    guard confirmed else {
      throw AppError(
        .needsConfirmation,
        "put \(file) in the place of the store at \(files.directory)? What was written since that copy is set aside with "
          + "the present store")
    }
    await closeConnections()
    try files.prepare()
    let lock = try SyncLock.take(files.lock, note: "\(processName), restoring")
    defer { lock.release() }
    let fresh = files.directory + "/restoring-\(effects.ids.next().prefix(8)).sqlite"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(fresh + suffix) } }
    let (unsent, made, former) = try await copy(file, to: fresh)
    try await leaveAlone()
    let aside = try setAside()
    // The copy is an older state, on purpose.
    unlink(files.mark)
    guard rename(fresh, files.database) == 0 else { throw failure(files.database) }
    OwnerOnlyFile.synchronizeFolder(of: files.database)
    let isCopied = former.flatMap { former in effects.place(files)?.isCopy(of: former) } ?? false
    return StoreRestoration(
      setAside: aside, unsent: unsent, isFromElsewhere: isCopied || made != nil && machine != nil && made != machine)
  }

  /// Refuses what is no store, before anything is asked or touched.
  private func verify(_ file: String) async throws(AppError) {
    guard access(file, R_OK) == 0 else {
      throw AppError(.fileUnreadable, "\(file) cannot be read: \(String(cString: strerror(errno)))", field: "file")
    }
    let source = DatabaseActor(
      path: file, mode: .readOnly, executor: effects.makeExecutor("clinic.store.maintenance"))
    var marks: (application: Int64, schema: Int64) = (0, 0)
    do throws(AppError) {
      marks = try await source.withConnection { connection throws(AppError) in
        try AppError.wrapping { () throws(SQLiteError) in
          (
            try connection.first("PRAGMA application_id") { row throws(SQLiteError) in row.integer(0) } ?? 0,
            try connection.first("PRAGMA user_version") { row throws(SQLiteError) in row.integer(0) } ?? 0
          )
        }
      }
    } catch {
      // What SQLite cannot read at all is no store either.
      guard error.code == .storeCorrupt else { throw error }
    }
    await source.close()
    guard marks.application == Schema.applicationID, marks.schema > 0 else {
      throw AppError(.fileUnreadable, "\(file) is no copy of a store", hint: "name a file that \"store backup\" made")
    }
    guard marks.schema <= Schema.version else {
      throw AppError(
        .storeNewer, "\(file) was written by a newer version (schema \(marks.schema))", hint: "upgrade this program")
    }
  }

  /// Copies a store into a new file of the folder, and checks the copy.
  ///
  /// - Returns: how much is unsent in it, and the machine and the place that it belongs to.
  private func copy(
    _ file: String, to fresh: String
  ) async throws(AppError) -> (unsent: Int, machine: String?, place: StorePlace?) {
    let descriptor = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(fresh) }
    defer { close(descriptor) }
    let source = DatabaseActor(
      path: file, mode: .readOnly, executor: effects.makeExecutor("clinic.store.maintenance"))
    let unsent = try await unsent(source)
    try await source.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in try connection.run("VACUUM INTO ?", [.text(fresh)]) }
    }
    await source.close()
    let copied = DatabaseActor(
      path: fresh, mode: .readOnly, executor: effects.makeExecutor("clinic.store.maintenance"))
    let (problems, machine, place) = try await copied.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        (
          try connection.all("PRAGMA integrity_check") { row throws(SQLiteError) in row.text(0) }.filter { $0 != "ok" },
          try Self.meta("machine", connection), try Self.meta("place", connection).flatMap(StorePlace.init)
        )
      }
    }
    await copied.close()
    if let problem = problems.first { throw AppError(.storeCorrupt, "\(file) is damaged: \(problem)") }
    guard fsync(descriptor) == 0 else { throw failure(fresh) }
    return (unsent, machine, place)
  }

  private static func meta(_ key: String, _ connection: Connection) throws(SQLiteError) -> String? {
    try connection.first("SELECT value FROM meta WHERE key = ?", [.text(key)]) { row throws(SQLiteError) in row.text(0)
    }
  }

  /// Makes sure that nobody else has the store open, and that all of it is in one file.
  ///
  /// Leaving the write-ahead log is possible only for the last connection (sqlite.org/wal.html). A store that is too
  /// damaged for that is set aside as it is.
  func leaveAlone() async throws(AppError) {
    guard files.exists else { return }
    let database = DatabaseActor(
      path: files.database, mode: .readWrite, executor: effects.makeExecutor("clinic.store.maintenance"))
    do throws(AppError) {
      let mode = try await database.withConnection { connection throws(AppError) in
        try AppError.wrapping { () throws(SQLiteError) in
          try connection.first("PRAGMA journal_mode=DELETE") { row throws(SQLiteError) in row.text(0) }
        }
      }
      guard mode == "delete" else { throw inUse }
    } catch {
      await database.close()
      guard error.code == .storeCorrupt else { throw error.code == .storeUnavailable ? inUse : error }
    }
    await database.close()
  }

  private var inUse: AppError {
    AppError(.storeUnavailable, "another process has the store open", hint: "end it, then try again")
  }

  /// Gives the present store another name, with whatever of it is left in a log.
  func setAside() throws(AppError) -> String? {
    guard files.exists else { return nil }
    let stamp = effects.clock.now().utcText.prefix(19).filter { $0.isNumber || $0 == "T" }
    let aside = files.directory + "/set-aside-\(stamp)-\(effects.ids.next().prefix(4)).sqlite"
    for suffix in ["-wal", "-shm"] where rename(files.database + suffix, aside + suffix) != 0 && errno != ENOENT {
      throw failure(files.database + suffix)
    }
    // A second name, so that at no moment there is no store; where the folder has no such names, the only one moves.
    guard link(files.database, aside) == 0 || rename(files.database, aside) == 0 else { throw failure(files.database) }
    OwnerOnlyFile.synchronizeFolder(of: files.database)
    FailPoint.storeSetAside.pass()
    return aside
  }

  func failure(_ path: String) -> AppError {
    AppError(
      errno == ENOSPC || errno == EDQUOT ? .storeFull : .storeUnavailable,
      "\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
