package import Domain

/// One open transaction, with the time and the ids it may use, and the record of what it changed.
///
/// The rules of the store live in its extensions, by aspect. It never outlives the closure it was made for.
package final class StoreTransaction {
  let connection: Connection
  /// The moment of the transaction: it labels, and orders nothing.
  let now: Instant
  let ids: IDSource
  /// The server's base URL: absolute references to it are references to our own records.
  let ownBase: String?
  let memo: CapabilityMemo
  /// What readers have to be told after the commit.
  private(set) var changes = StoreChanges()
  /// Whether this transaction is counted among those in which bases moved.
  var countsMoves = false

  init(connection: Connection, now: Instant, ids: IDSource, ownBase: String?, memo: CapabilityMemo = CapabilityMemo()) {
    self.connection = connection
    self.now = now
    self.ids = ids
    self.ownBase = ownBase
    self.memo = memo
  }

  /// Milliseconds since 1970.
  var nowMilliseconds: Int64 { now.milliseconds }

  /// Whether somebody wrote or decided something.
  private(set) var isAudited = false

  func noteAudit() { isAudited = true }
  func note(_ key: ResourceKey) { changes.types.insert(key.type) }
  func noteOutbox() { changes.outbox = true }
  func noteReview() { changes.review = true }
  func noteServer() { changes.server = true }

  // MARK: Statements, with failures in the user's terms

  func run(_ sql: String, _ values: [SQLValue] = []) throws(AppError) {
    try AppError.wrapping { () throws(SQLiteError) in try connection.run(sql, values) }
  }

  func all<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ transform: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(AppError) -> [Value] {
    try AppError.wrapping { () throws(SQLiteError) in try connection.all(sql, values, transform) }
  }

  func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ transform: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(AppError) -> Value? {
    try AppError.wrapping { () throws(SQLiteError) in try connection.first(sql, values, transform) }
  }
}

/// What a transaction changed, coarsely: enough to know which readers have to look again.
package struct StoreChanges: Hashable, Sendable {
  /// The resource types of which something changed.
  package var types: Set<String> = []
  package var outbox = false
  package var review = false
  package var server = false

  package init() {}

  /// Everything may have changed: another process committed.
  package static var unknown: StoreChanges {
    var changes = StoreChanges()
    changes.outbox = true
    changes.review = true
    changes.server = true
    changes.isUnknown = true
    return changes
  }

  /// Whether any type may have changed.
  package var isUnknown = false

  /// Whether nothing changed.
  package var isEmpty: Bool { types.isEmpty && !outbox && !review && !server && !isUnknown }
}

extension Instant {
  /// Milliseconds since 1970, rounded down.
  package var milliseconds: Int64 { secondsSince1970 * 1_000 + Int64(nanoseconds / 1_000_000) }

  /// The instant so many milliseconds after 1970.
  package init(milliseconds: Int64) {
    let seconds = milliseconds >= 0 ? milliseconds / 1_000 : -((-milliseconds + 999) / 1_000)
    self.init(secondsSince1970: seconds, nanoseconds: Int(milliseconds - seconds * 1_000) * 1_000_000)
  }
}
