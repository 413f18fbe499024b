import Domain

extension StoreMaintenance {
  func adopt(confirmed: Bool) async throws(AppError) {
    let writer = try database()
    let (ids, now, server) = (effects.ids, effects.clock.now(), server)
    let (author, machine, place) = (author, machine, effects.place(files))
    try await writer.write(durability: .full) { connection throws(AppError) in
      let transaction = StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server)
      let made = try transaction.meta("machine")
      let bound = try transaction.meta("server")
      let isCopied = machine != nil && made != nil && made != machine
      let original = try place.flatMap { place throws(AppError) in try transaction.original(of: place) }
      let leads = server != nil && bound != nil && bound != server
      guard isCopied || original != nil || leads else {
        throw AppError(.notAllowed, "this store is this machine's and this server's already", hint: "sync")
      }
      guard confirmed else {
        throw AppError(
          .needsConfirmation,
          [
            isCopied ? Self.machineQuestion : original.map(Self.question(copiedFrom:)),
            leads ? Self.question(from: bound, to: server) : nil,
          ].compactMap(\.self).joined(separator: " "))
      }
      if isCopied, let machine {
        try transaction.setMeta("machine", machine)
        try transaction.setMeta("opened-on", machine)
      }
      if let place { try transaction.setMeta("place", place.text) }
      if leads, let server { try transaction.follow(to: server) }
      try transaction.audit("adopt", ResourceKey(type: "Store", id: "-"), number: nil, elements: nil, author: author)
    }
    await writer.close()
  }

  private static let machineQuestion =
    "let this machine send what the store holds? If the machine that it was copied from sends too, the same edits are "
    + "made twice, and conflict."

  private static func question(copiedFrom folder: String) -> String {
    "let this copy send what it holds? If the store at \(folder) sends too, the same edits are made twice, and conflict."
  }

  private static func question(from old: String?, to new: String?) -> String {
    "give what the store holds to \(new ?? "-") in the place of \(old ?? "-")? Only where the same records moved: "
      + "elsewhere its ids are those of other people. Each record is read there before an edit of it is sent."
  }
}

extension StoreTransaction {
  /// The records moved to another server: nothing is known of it, all is pulled anew, and what has an edit is read first.
  fileprivate func follow(to server: String) throws(AppError) {
    try setMeta("server", server)
    try run(
      """
      UPDATE server SET capabilities = NULL, capabilities_read = NULL, refuses_client_ids = '', honours_if_match = NULL,
        refuses_transactions = 0, throttled_until = NULL, throttled_from = NULL, search_lag = 15000
      """)
    try run("UPDATE scope SET watermark = NULL, cursor = NULL, pass_watermark = NULL, completed = NULL")
    try run("UPDATE resource SET etag = NULL, confirmed = NULL, refresh = pending > 0")
  }
}
