package import Domain
package import JSON

/// What the server said of a resource.
package struct ServerDocument: Hashable, Sendable {
  package var key: ResourceKey
  /// The document; `nil` when it is deleted there.
  package var document: JSONValue?
  package var version: String?
  package var etag: String?

  package init(key: ResourceKey, document: JSONValue?, version: String?, etag: String? = nil) {
    self.key = key
    self.document = document
    self.version = version
    self.etag = etag
  }

  /// A document, with the version it names itself.
  package init(key: ResourceKey, document: JSONValue, etag: String? = nil) {
    self.init(
      key: key, document: document,
      version: document["meta"]?["versionId"]?.string ?? etag.flatMap(ETag.init)?.opaque, etag: etag)
  }
}

extension StoreTransaction {
  /// What came of a document that arrived.
  enum Arrival: Hashable, Sendable {
    /// Nothing new.
    case known
    /// The base moved.
    case stored
    /// Something of ours is with the server: the document is read again once that is settled.
    case deferred
  }

  /// Takes what the server said of a resource: the base moves, and every entry on it is rebased, in this transaction.
  ///
  /// - Parameter asked: the ``readMark()`` when the request began: an answer to a request from before our last
  ///   accepted write of the resource is older than what we know, and is dropped; one that another answer has overtaken
  ///   is taken if it is surely newer.
  func receive(_ arrived: ServerDocument, asked: ReadMark? = nil) throws(AppError) -> Arrival {
    let record = try makeResource(arrived.key)
    let worth = try standing(arrived, for: record, asked: asked)
    if worth == .overtaken { return .known }
    if arrived.document != nil, record.state == .present, record.base != nil, arrived.version != nil,
      arrived.version == record.version,
      !record.hasAnotherStamp(than: arrived)
    {
      try holdRefusedByOwnVersion(record, version: arrived.version)
      // After an answer without the document the version is known, and what the server made of it is not.
      let isWhole = record.base.map { base in arrived.document.map(base.meansTheSame) ?? false } ?? false
      if !record.needsRefresh || isWhole {
        try run(
          "UPDATE resource SET confirmed = ?, refresh = 0, withheld = NULL WHERE rowid = ?",
          [.integer(nowMilliseconds), .integer(record.rowID)])
        try noteReappearance(of: record.key)
        return .known
      }
    }
    if worth == .unclear {
      try markForRefresh(record.key)
      return .deferred
    }
    let entries = try outboxEntries(on: record.key)
    if arrived.document == nil, record.state == .unknown, entries.first?.kind == .create {
      // That it is not there is why it is made.
      try run("UPDATE resource SET refresh = 0 WHERE rowid = ?", [.integer(record.rowID)])
      return .known
    }
    if let document = arrived.document, let create = entries.first, create.kind == .create,
      create.isFrozen || create.wasSent, !create.recreates || create.patch.isMade(by: document)
    {
      try accept(create, document: document, version: arrived.version, etag: arrived.etag, how: "found by a pull")
      return .stored
    }
    if entries.contains(where: \.isFrozen) {
      try run("UPDATE resource SET refresh = 1 WHERE rowid = ?", [.integer(record.rowID)])
      return .deferred
    }
    try move(record, entries, to: arrived)
    if record.isNewer(than: arrived) { try offerAgain(record, over: arrived) }
    return .stored
  }

  /// The server refused a version that it still shows: asking again would be refused again.
  private func holdRefusedByOwnVersion(_ record: ResourceRecord, version: String?) throws(AppError) {
    guard let entry = try outboxEntries(on: record.key).first, entry.state == .pending, entry.refusedVersion == version
    else { return }
    try hold(
      entry, .conflict, "the server refuses the version that it shows itself (\(version ?? "-"))",
      disputes: disputes(of: entry.patch, from: record.base, to: record.base), serverVersion: version)
  }

  /// Moves the base of a resource, and rebases its entries.
  func move(_ record: ResourceRecord, _ entries: [OutboxEntry], to arrived: ServerDocument) throws(AppError) {
    var moved = record
    moved.base = arrived.document ?? record.base
    moved.version = arrived.version
    moved.state = arrived.document == nil ? .deleted : .present
    try countMoves()
    try run(
      """
      UPDATE resource SET base = ?, version = ?, updated = ?, etag = ?, state = ?, confirmed = ?, refresh = 0,
        withheld = NULL, moved = (SELECT moves FROM server)
      WHERE rowid = ?
      """,
      [
        SQLValue(moved.base?.bytes()), SQLValue(moved.version), SQLValue(moved.base?["meta"]?["lastUpdated"]?.string),
        SQLValue(arrived.etag), .integer(moved.state.rawValue), .integer(nowMilliseconds), .integer(record.rowID),
      ])
    if arrived.document != nil { try noteReappearance(of: record.key) }
    let left = try rebase(entries, type: record.key.type, from: record.base, to: arrived)
    FailPoint.settleRebased.pass()
    try storeView(of: moved, entries: left)
  }

  /// What a patch changes, as a person would compare it.
  func disputes(of patch: Patch, from old: JSONValue?, to theirs: JSONValue?) -> [ThreeWayMerge.Dispute] {
    guard case .update(let edits) = patch else { return [] }
    return edits.changes.map { edit in
      ThreeWayMerge.Dispute(
        path: edit.path, base: old?.value(at: edit.path) ?? edit.old, mine: edit.new,
        theirs: theirs?.value(at: edit.path))
    }
  }
}
