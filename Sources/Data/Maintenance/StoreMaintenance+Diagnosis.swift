import Domain
import JSON

extension StoreMaintenance {
  func diagnose() async -> [Finding] {
    var findings = [await storeFinding()]
    findings += [libraryFinding, spaceFinding, permissionFinding, encryptionFinding]
    findings += await contentFindings()
    findings += await serverFindings()
    return findings
  }

  private func storeFinding() async -> Finding {
    let subject = "store"
    guard files.exists else {
      return Finding(subject, .attention, "there is none at \(files.directory) yet", next: "the first line makes it")
    }
    do throws(AppError) {
      let database = try database()
      let (version, problems) = try await database.withConnection { connection throws(AppError) in
        try AppError.wrapping { () throws(SQLiteError) in
          (
            try connection.first("PRAGMA user_version") { row throws(SQLiteError) in row.integer(0) } ?? 0,
            try connection.all("PRAGMA quick_check") { row throws(SQLiteError) in row.text(0) }.filter { $0 != "ok" }
          )
        }
      }
      await database.close()
      if let problem = problems.first {
        return Finding(
          subject, .fault, "\(files.directory) is damaged: \(problem)", next: "store restore FILE", code: .storeCorrupt)
      }
      return Finding(subject, .ok, "\(files.directory), schema \(version), sound")
    } catch {
      return Finding(subject, .fault, error.message, next: error.hint ?? "store restore FILE", code: error.code)
    }
  }

  private var libraryFinding: Finding {
    let sqlite = Libraries.sqlite
    let guarded =
      sqlite.number < 3_051_003
      ? "; its fault when a checkpoint meets a reset of the log (walresetbug) is guarded against" : ""
    let curl = Libraries.curl
    guard let version = curl.version else {
      return Finding(
        "libraries", .fault,
        "SQLite \(sqlite.text)\(guarded); libcurl cannot be used: \(curl.failure ?? "unknown"): nothing can be sent or read",
        next: "repair libcurl on this machine (package libcurl4)", code: .internalFault)
    }
    return Finding(
      "libraries", .ok,
      "SQLite \(sqlite.text)\(guarded); libcurl \(version), whose silent resending is prevented for writes")
  }

  private var spaceFinding: Finding {
    guard let free = files.freeSpace() else { return Finding("free space", .attention, "it cannot be told") }
    let text = "\(free >> 20) MB are free"
    if free < 16 << 20 {
      return Finding(
        "free space", .fault, text, next: "free some: without space nothing can be written", code: .storeFull)
    }
    return free < 256 << 20
      ? Finding("free space", .attention, text, next: "free some soon") : Finding("free space", .ok, text)
  }

  private var permissionFinding: Finding {
    guard files.exists else { return Finding("permissions", .ok, "nothing is there yet that others could read") }
    let faults = files.permissionFaults()
    return faults.isEmpty
      ? Finding("permissions", .ok, "only the owner may read the store")
      : Finding(
        "permissions", .attention, faults.joined(separator: "; "),
        next: "give the folder to its user, with mode 700, and its files mode 600")
  }

  private var encryptionFinding: Finding {
    switch files.isDiskEncrypted() {
    case true?: Finding("disk encryption", .ok, "the disk below the store is encrypted")
    case false?:
      Finding(
        "disk encryption", .attention, "no encryption by the kernel was found below the store",
        next: "encrypt the disk, unless its hardware or the folder does it")
    case nil: Finding("disk encryption", .attention, "it cannot be told here", next: "see that the disk is encrypted")
    }
  }

  /// What the store holds, and whose it is.
  private func contentFindings() async -> [Finding] {
    guard files.exists, let database = try? database() else { return [] }
    let (now, ids, server, machine) = (effects.clock.now(), effects.ids, server, machine)
    let (holder, place) = (SyncLock.holder(files.lock), effects.place(files))
    let findings = try? await database.read { connection throws(AppError) in
      let transaction = StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server)
      let status = try transaction.syncStatus(server: server, runningElsewhere: holder)
      return [
        Self.identity(
          bound: try transaction.meta("server"), server: server, made: try transaction.meta("machine"),
          machine: machine,
          original: try place.flatMap { place throws(AppError) in try transaction.original(of: place) }
        ),
        Self.sync(status, now: now), Self.outbox(status, now: now), Self.review(status),
      ]
    }
    await database.close()
    return findings ?? []
  }

  private static func identity(
    bound: String?, server: String?, made: String?, machine: String?, original: String?
  ) -> Finding {
    if let bound, let server, bound != server {
      return Finding(
        "identity", .fault, "the store belongs to \(bound), not to \(server)",
        next: "name another folder with --store DIR; or store adopt, where the records moved there",
        code: .storeMismatch)
    }
    if let made, let machine, made != machine {
      return Finding(
        "identity", .fault, "the store was copied from another machine, and sends nothing here", next: "store adopt",
        code: .storeMismatch)
    }
    if let original {
      return Finding(
        "identity", .fault, "the store was copied from \(original), and sends nothing here", next: "store adopt",
        code: .storeMismatch)
    }
    return Finding("identity", .ok, "the store is this machine's" + (bound.map { ", for \($0)" } ?? ""))
  }

  private static func sync(_ status: SyncStatus, now: Instant) -> Finding {
    if let holder = status.runningElsewhere { return Finding("sync", .ok, "one is running: \(holder)") }
    guard let last = status.lastComplete else {
      return Finding("sync", .attention, "none was completed yet", next: "sync")
    }
    let text = "the last complete one ended \(last.age(at: now)) ago"
    if let error = status.lastError {
      return Finding("sync", .attention, "\(text); the last attempt met: \(error.message)", next: error.hint ?? "sync")
    }
    return last.seconds(until: now) > 86_400
      ? Finding("sync", .attention, text, next: "sync") : Finding("sync", .ok, text)
  }

  private static func outbox(_ status: SyncStatus, now: Instant) -> Finding {
    guard status.unsent > 0 else { return Finding("outbox", .ok, "nothing is unsent") }
    let age = status.oldestUnsent.map { ", the oldest written \($0.age(at: now)) ago" } ?? ""
    let fate = status.ambiguous > 0 ? "; of \(status.ambiguous) it is not known whether the server has them" : ""
    let isOld = status.oldestUnsent.map { $0.seconds(until: now) > 86_400 } ?? false
    return Finding(
      "outbox", isOld || status.ambiguous > 0 ? .attention : .ok, "\(status.unsent) unsent\(age)\(fate)", next: "sync")
  }

  private static func review(_ status: SyncStatus) -> Finding {
    status.inReview == 0
      ? Finding("review", .ok, "nothing needs a decision")
      : Finding(
        "review", .attention,
        status.inReview == 1 ? "1 item needs a decision" : "\(status.inReview) items need a decision", next: "review")
  }
}

extension Instant {
  fileprivate func seconds(until now: Instant) -> Int64 { now.secondsSince1970 - secondsSince1970 }

  /// How long ago it was, roughly.
  fileprivate func age(at now: Instant) -> String {
    let minutes = max(0, seconds(until: now)) / 60
    return minutes < 120 ? "\(minutes) min" : minutes < 2_880 ? "\(minutes / 60) hours" : "\(minutes / 1_440) days"
  }
}
