import Domain

/// To which server, to which machine and into which folder a store belongs.
enum StoreIdentity {
  /// Opens a store, notes the server, the machine and the folder in a new one, and checks the server of an old one.
  ///
  /// - Throws: as opening a store does; `storeMismatch` when the store belongs to another server.
  static func open(
    _ files: StoreFiles, server: String?, machine: String?, effects: Effects, vfs: String?
  ) async throws(AppError) -> Store {
    // Read before the database: what others commit meanwhile moves the mark behind it.
    let mark = StoreMark.read(files.mark)
    let (store, isBound) = try await Store.open(files, server: server, effects: effects, vfs: vfs) {
      transaction throws(AppError) in
      try transaction.checkStanding(against: mark)
      guard try transaction.meta("store") != nil else { return false }
      if let machine, try transaction.meta("opened-on") != machine { return false }
      if let place = effects.place(files), try transaction.meta("place") != place.text,
        try transaction.original(of: place) == nil
      {
        return false
      }
      if let server, try transaction.meta("server") != server { return false }
      return true
    }
    // What is known already costs no commit.
    if !isBound { try await bind(store, server: server, machine: machine) }
    return store
  }

  private static func bind(_ store: Store, server: String?, machine: String?) async throws(AppError) {
    let place = store.effects.place(store.files)
    try await store.write { transaction throws(AppError) in
      try transaction.checkStanding(against: StoreMark.read(store.files.mark))
      if try transaction.meta("store") == nil {
        try transaction.setMeta("store", transaction.ids.next())
        if let machine { try transaction.setMeta("machine", machine) }
      }
      if let machine { try transaction.setMeta("opened-on", machine) }
      if let place, try transaction.original(of: place) == nil { try transaction.setMeta("place", place.text) }
      guard let server else { return }
      guard let bound = try transaction.meta("server") else { return try transaction.setMeta("server", server) }
      if bound != server {
        throw AppError(
          .storeMismatch, "this store belongs to \(bound), not to \(server)",
          hint: "name another folder with --store DIR; or, where the records moved to \(server): store adopt")
      }
    }
  }

  /// Refuses to send from a copy: two copies would send the same writes.
  ///
  /// - Throws: `storeMismatch`.
  static func check(_ store: Store) async throws(AppError) {
    let place = store.effects.place(store.files)
    let (made, opened, original) = try await store.read { transaction throws(AppError) in
      (
        try transaction.meta("machine"), try transaction.meta("opened-on"),
        try place.flatMap { place throws(AppError) in try transaction.original(of: place) }
      )
    }
    if let made, let opened, made != opened {
      throw AppError(
        .storeMismatch, "this store was copied from another machine, which may send the same writes",
        hint: "store adopt, when the other machine does not send any more; else start with a new folder here")
    }
    if let original {
      throw AppError(
        .storeMismatch, "this store was copied from \(original), where the same writes may be sent",
        hint: "store adopt, when that one does not send any more; else go on there")
    }
  }
}

extension StoreTransaction {
  /// The folder of the store that the one in this place is a copy of; `nil` when it is no copy.
  func original(of place: StorePlace) throws(AppError) -> String? {
    guard let former = try meta("place").flatMap(StorePlace.init), place.isCopy(of: former) else { return nil }
    return former.folder
  }
}
