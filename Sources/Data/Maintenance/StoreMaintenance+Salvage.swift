import Domain
import Foundation

extension StoreMaintenance {
  func salvage(confirmed: Bool) async throws(AppError) -> StoreSalvage {
    guard files.exists || StoreMark.read(files.mark) != nil else {
      throw AppError(.storeUnavailable, "there is no store at \(files.directory)", hint: "name it with --store DIR")
    }
    await closeConnections()
    guard try await isDamaged() else {
      throw AppError(.notAllowed, "the store is sound: there is nothing to salvage", hint: "store check tells more")
    }
    guard confirmed else {
      throw AppError(
        .needsConfirmation,
        "set the damaged store at \(files.directory) aside, and go on with what can be read of it? Where a copy is at hand "
          + "that is not old, \"store restore\" may be better")
    }
    try files.prepare()
    let lock = try SyncLock.take(files.lock, note: "\(processName), salvaging")
    defer { lock.release() }
    guard !files.isOpenElsewhere() else {
      throw AppError(.storeUnavailable, "another process has the store open", hint: "leave it there, then salvage")
    }
    let stem = files.directory + "/salvaging-\(effects.ids.next().prefix(8))"
    let (copy, fresh) = (stem + "-old.sqlite", stem + ".sqlite")
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { for path in [copy, fresh] { unlink(path + suffix) } } }
    try duplicate(files.database, copy)
    try duplicate(files.database + "-wal", copy + "-wal")
    let salvaged = SalvagedStore.read(copy, isWhole: isWhole(copy))
    var result = try await rebuild(fresh, salvaged)
    FailPoint.salvageFilled.pass()
    result.setAside = try setAside()
    unlink(files.mark)
    guard rename(fresh, files.database) == 0 else { throw failure(files.database) }
    OwnerOnlyFile.synchronizeFolder(of: files.database)
    return result
  }

  /// Whether a check finds anything, or the store is not the one that it was.
  private func isDamaged() async throws(AppError) -> Bool {
    guard files.exists else { return true }
    do throws(AppError) {
      if try await !check().problems.isEmpty { return true }
      let database = try database()
      let (now, ids, server, mark) = (effects.clock.now(), effects.ids, server, StoreMark.read(files.mark))
      try await database.read { connection throws(AppError) in
        try StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server).checkStanding(against: mark)
      }
      await database.close()
      return false
    } catch {
      guard error.code == .storeCorrupt else { throw error }
      return true
    }
  }

  /// Whether a copy of the files is what the mark says, so that no entry in it can be out of date.
  private func isWhole(_ path: String) -> Bool {
    guard let mark = StoreMark.read(files.mark), let connection = try? Connection(path: path, mode: .readWrite) else {
      return false
    }
    let standing = try? StoreTransaction(
      connection: connection, now: effects.clock.now(), ids: effects.ids, ownBase: server
    ).standing()
    return standing.flatMap(\.self).map { $0.store == mark.store && $0.serial >= mark.serial } ?? false
  }

  private func rebuild(_ path: String, _ salvaged: SalvagedStore) async throws(AppError) -> StoreSalvage {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let database = DatabaseActor(
      path: path, mode: .readWrite, executor: effects.makeExecutor("clinic.store.maintenance"))
    let (now, ids, server) = (effects.clock.now(), effects.ids, server)
    try await database.withConnection { connection throws(AppError) in try Store.migrate(connection) }
    let result = try await database.write(durability: .full) { connection throws(AppError) in
      try StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server).fill(salvaged)
    }
    // All of it in one file.
    try await database.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in try connection.execute("PRAGMA journal_mode=DELETE") }
    }
    await database.close()
    guard fsync(descriptor) == 0 else { throw failure(path) }
    return result
  }

  private func duplicate(_ path: String, _ other: String) throws(AppError) {
    guard access(path, F_OK) == 0 else { return }
    do {
      try FileManager.default.copyItem(atPath: path, toPath: other)
      chmod(other, 0o600)
    } catch {
      throw AppError(.storeUnavailable, "\(path) cannot be copied beside itself", hint: "free some space, then repeat")
    }
  }
}

extension StoreFiles {
  /// Whether another process has the database open: SQLite's connections hold a lock on it as long as they live.
  ///
  /// Source: sqlite.org/lockingv3.html: the shared range is 510 bytes, two behind the pending byte at 1 GB. Asking closes a
  /// descriptor of the file, which frees this process's own locks: its connections have to be closed before.
  func isOpenElsewhere() -> Bool {
    let descriptor = open(database, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0x4000_0002
    range.l_len = 510
    return fcntl(descriptor, F_GETLK, &range) == 0 && range.l_type != Int16(F_UNLCK)
  }
}
