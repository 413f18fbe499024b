import Domain

/// ``StoreMaintaining`` over the files of a store. It needs no store that can be opened: that is when it is needed most.
struct StoreMaintenance: StoreMaintaining {
  let files: StoreFiles
  let effects: Effects
  /// The server's base URL, as configured.
  let server: String?
  /// What asks the server; `nil` when no request may be made.
  let client: FHIRClient?
  /// Why the server is not asked, if it is not.
  let whyNotAsked: String
  /// What a sync pulls: what is outside of it may be dropped.
  let plan: PullPlan
  let tokenFile: String?
  let author: Author
  let machine: String?
  let processName: String
  /// Closes the connections that this process has to the store.
  let closeConnections: @Sendable () async -> Void

  func backup(to file: String, replaces: Bool) async throws(AppError) -> StoreCopy {
    let reader = try database()
    let unsent = try await unsent(reader)
    let size = try await OwnerOnlyFile.make(file, id: effects.ids.next(), replaces: replaces) {
      partial throws(AppError) in
      try await reader.withConnection { connection throws(AppError) in
        try AppError.wrapping { () throws(SQLiteError) in try connection.run("VACUUM INTO ?", [.text(partial)]) }
      }
    }
    await reader.close()
    return StoreCopy(file: file, size: size, unsent: unsent)
  }

  /// A connection of our own to the store.
  ///
  /// - Throws: `storeNewer`; `storeUnavailable` when there is none.
  func database() throws(AppError) -> DatabaseActor {
    try files.refuseForeign()
    guard files.exists else {
      throw AppError(.storeUnavailable, "there is no store at \(files.directory)", hint: "name it with --store DIR")
    }
    return DatabaseActor(
      path: files.database, mode: .readWrite, executor: effects.makeExecutor("clinic.store.maintenance"))
  }

  func unsent(_ database: DatabaseActor) async throws(AppError) -> Int {
    try await database.read { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        Int(try connection.first("SELECT count(*) FROM outbox") { row throws(SQLiteError) in row.integer(0) } ?? 0)
      }
    }
  }
}

extension StoreMaintenance {
  /// The care for the store that a configuration names.
  init(
    _ configuration: ClinicData.Configuration, effects: Effects, client: FHIRClient?,
    closeConnections: @escaping @Sendable () async -> Void
  ) {
    self.init(
      files: StoreFiles(directory: configuration.directory), effects: effects,
      server: configuration.server.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }, client: client,
      whyNotAsked: configuration.isOffline ? "no request may be made" : "the store cannot be used",
      plan: PullPlan(selection: configuration.selection), tokenFile: configuration.tokenFile,
      author: configuration.author, machine: MachineIdentity.current(),
      processName: MachineIdentity.processName(), closeConnections: closeConnections)
  }
}
