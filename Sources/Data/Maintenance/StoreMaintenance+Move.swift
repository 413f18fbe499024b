import Domain
import Foundation

extension StoreMaintenance {
  func move(to directory: String) async throws(AppError) -> StoreMove {
    let target = StoreFiles(directory: absolute(directory))
    guard realPath(target.directory) != realPath(files.directory), !target.exists else {
      throw AppError(
        .invalidInput, "\(target.directory) has a store already", hint: "name a folder that has none", field: "dir")
    }
    let reader = try database()
    let unsent = try await unsent(reader)
    await reader.close()
    await closeConnections()
    try target.prepare()
    let lock = try SyncLock.take(files.lock, note: "\(processName), moving")
    defer { lock.release() }
    // Who opens the store from here on is told where it goes, or finds it still here.
    try files.noteMove(to: target.directory)
    do throws(AppError) {
      try await leaveAlone()
      try await bring(files.database, to: target)
    } catch {
      files.forgetMove()
      // Whoever had the store open goes on with it.
      throw error
    }
    target.forgetMove()
    OwnerOnlyFile.synchronizeFolder(of: target.database)
    OwnerOnlyFile.synchronizeFolder(of: files.database)
    return StoreMove(directory: target.directory, unsent: unsent)
  }

  /// Gives the file its new place: by name on one file system, else by a copy, which is complete before the old one goes.
  private func bring(_ old: String, to target: StoreFiles) async throws(AppError) {
    let new = target.database
    if rename(old, new) == 0 { return }
    guard errno == EXDEV else { throw failure(new) }
    let partial = new + ".moving"
    unlink(partial)
    do { try FileManager.default.copyItem(atPath: old, toPath: partial) } catch { throw failure(partial) }
    await note(target, in: partial)
    let descriptor = open(partial, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, rename(partial, new) == 0 else {
      defer { unlink(partial) }
      throw failure(new)
    }
    OwnerOnlyFile.synchronizeFolder(of: new)
    guard unlink(old) == 0 else { throw failure(old) }
  }

  /// What is another file in another folder would be taken for a copy: it says that it belongs there.
  private func note(_ target: StoreFiles, in partial: String) async {
    guard let place = StorePlace.place(of: partial, in: target) else { return }
    let database = DatabaseActor(
      path: partial, mode: .readWrite, executor: effects.makeExecutor("clinic.store.maintenance"))
    // A store that is too damaged for that is adopted by hand.
    try? await database.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('place', ?)", [.text(place.text)])
        // All of it in the one file that moves.
        try connection.execute("PRAGMA journal_mode=DELETE")
      }
    }
    await database.close()
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}

extension StoreFiles {
  private var moveNote: String { directory + "/moved-to" }

  /// Where a store went that was here; `nil` when it is here, or never was.
  func movedTo() -> String? {
    guard !exists, let text = try? String(contentsOfFile: moveNote, encoding: .utf8) else { return nil }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Notes where the store goes.
  func noteMove(to directory: String) throws(AppError) {
    let descriptor = open(moveNote, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    let text = Array("\(directory)\n".utf8)
    guard descriptor >= 0, write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
      throw AppError(.storeUnavailable, "\(moveNote) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// There is a store here, or there will be.
  func forgetMove() { unlink(moveNote) }
}
