package import Domain
package import JSON

/// A resource as stored.
package struct ResourceRecord: Hashable, Sendable {
  /// What is known of it at the server.
  package enum State: Int64, Hashable, Sendable {
    /// The server does not know it yet, or was never asked.
    case unknown = 0
    case present = 1
    case deleted = 2
  }

  package var rowID: Int64
  package var key: ResourceKey
  /// The server's last known document, kept when it was deleted there.
  package var base: JSONValue?
  package var version: String?
  package var etag: String?
  package var state: State
  /// When the server last confirmed it, in milliseconds since 1970.
  package var confirmed: Int64?
  /// What readers see: base with all entries applied.
  package var view: JSONValue?
  package var isVisible: Bool
  package var pending: Int
  package var inReview: Int
  package var needsRefresh: Bool
  /// Since when the server refuses it to this account, in milliseconds since 1970.
  package var withheld: Int64?
}

extension ResourceRecord {
  /// What a conditional read names: the server's own tag, else the one that its version gives; `nil` when there is
  /// nothing here that an unchanged answer could confirm.
  var entityTag: String? {
    guard state == .present, base != nil, !needsRefresh else { return nil }
    return etag ?? version.map { ETag(versionId: $0).text }
  }
}

extension StoreTransaction {
  private static let columns =
    "rowid, type, id, base, version, etag, state, confirmed, view, visible, pending, review, refresh, withheld"

  /// The resource with an id, or that had it once.
  func resource(_ key: ResourceKey) throws(AppError) -> ResourceRecord? {
    if let record = try exactResource(key) { return record }
    guard let current = try currentKey(of: key) else { return nil }
    return try exactResource(current)
  }

  /// The key that a former key has now; `nil` when it never had another.
  func currentKey(of key: ResourceKey) throws(AppError) -> ResourceKey? {
    try first("SELECT id FROM alias WHERE type = ? AND alias = ?", [.text(key.type), .text(key.id)]) {
      row throws(SQLiteError) in ResourceKey(type: key.type, id: row.text(0))
    }
  }

  /// The ids that a resource had before.
  func aliases(of key: ResourceKey) throws(AppError) -> [String] {
    try all("SELECT alias FROM alias WHERE type = ? AND id = ? ORDER BY alias", [.text(key.type), .text(key.id)]) {
      row throws(SQLiteError) in row.text(0)
    }
  }

  private func exactResource(_ key: ResourceKey) throws(AppError) -> ResourceRecord? {
    let found = try first(
      "SELECT \(Self.columns) FROM resource WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)], Self.raw)
    return try found?.parsed()
  }

  func resource(rowID: Int64) throws(AppError) -> ResourceRecord? {
    let found = try first("SELECT \(Self.columns) FROM resource WHERE rowid = ?", [.integer(rowID)], Self.raw)
    return try found?.parsed()
  }

  /// Resources that have to be read again, and of which nothing is with the server now.
  package func resourcesToRefresh(limit: Int) throws(AppError) -> [ResourceKey] {
    try all(
      """
      SELECT type, id FROM resource r WHERE refresh = 1 AND NOT EXISTS (
        SELECT 1 FROM outbox o WHERE o.type = r.type AND o.id = r.id AND o.state IN ('sending', 'ambiguous'))
      ORDER BY rowid LIMIT ?
      """, [SQLValue(limit)]
    ) { row throws(SQLiteError) in ResourceKey(type: row.text(0), id: row.text(1)) }
  }

  /// The row of a resource, made if it is not there.
  func makeResource(_ key: ResourceKey) throws(AppError) -> ResourceRecord {
    if let record = try resource(key) { return record }
    try run("INSERT INTO resource (type, id, visible) VALUES (?, ?, 0)", [.text(key.type), .text(key.id)])
    guard let record = try exactResource(key) else {
      throw AppError(.internalFault, "a row that was just written cannot be read")
    }
    return record
  }

  /// The columns of one row, before the documents are parsed.
  struct RawResource: Sendable {
    var record: ResourceRecord
    var base: [UInt8]?
    var view: [UInt8]?

    func parsed() throws(AppError) -> ResourceRecord {
      var record = record
      if let base { record.base = try JSONValue(stored: base) }
      record.view = if let view { try JSONValue(stored: view) } else { record.base }
      if !record.isVisible { record.view = nil }
      return record
    }
  }

  private static func raw(_ row: borrowing Row) throws(SQLiteError) -> RawResource {
    RawResource(
      record: ResourceRecord(
        rowID: row.integer(0), key: ResourceKey(type: row.text(1), id: row.text(2)), base: nil,
        version: row.optionalText(4), etag: row.optionalText(5),
        state: ResourceRecord.State(rawValue: row.integer(6)) ?? .unknown, confirmed: row.optionalInteger(7), view: nil,
        isVisible: row.flag(9), pending: Int(row.integer(10)), inReview: Int(row.integer(11)),
        needsRefresh: row.flag(12), withheld: row.optionalInteger(13)),
      base: row.optionalBlob(3), view: row.optionalBlob(8))
  }
}

extension JSONValue {
  /// Parses what the store holds.
  init(stored bytes: [UInt8]) throws(AppError) {
    do throws(JSONError) { try self.init(parsing: bytes) } catch {
      throw AppError(.storeCorrupt, "a stored document cannot be read: \(error.message)")
    }
  }
}
