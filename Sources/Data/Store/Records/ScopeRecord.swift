import Domain
import JSON

/// How far a scope was pulled.
struct ScopeRecord: Hashable, Sendable {
  var name: String
  var type: String
  /// What all members match, as a query; empty for a whole type.
  var filter: String
  /// The server's stamp up to which everything is here.
  var watermark: Instant?
  /// The number of the pass that runs, or ran last.
  var pass: Int64
  /// The number of the pull to which the cursor belongs: the one that began last.
  var turn: Int64 = 0
  /// The next page of an unfinished pass.
  var cursor: String?
  /// The latest stamp seen in the unfinished pass.
  var passWatermark: Instant?
  /// When a pass was last completed, in milliseconds since 1970.
  var completed: Int64?
  /// What the last attempt met.
  var error: String?
}

extension StoreTransaction {
  /// How far a scope was pulled.
  func scope(_ scope: PullScope) throws(AppError) -> ScopeRecord {
    try first(
      "SELECT watermark, pass, cursor, pass_watermark, completed, error, turn FROM scope WHERE name = ?",
      [.text(scope.name)]
    ) { row throws(SQLiteError) in
      ScopeRecord(
        name: scope.name, type: scope.type, filter: scope.query, watermark: row.optionalText(0).flatMap(Instant.init),
        pass: row.integer(1), turn: row.integer(6), cursor: row.optionalText(2),
        passWatermark: row.optionalText(3).flatMap(Instant.init),
        completed: row.optionalInteger(4), error: row.optionalText(5))
    } ?? ScopeRecord(name: scope.name, type: scope.type, filter: scope.query, pass: 0)
  }

  /// How far all scopes of a pass were pulled.
  func scopes(of pass: PullPass) throws(AppError) -> [ScopeRecord] {
    var records: [ScopeRecord] = []
    for scope in pass.scopes { records.append(try self.scope(scope)) }
    return records
  }

  func store(_ scope: ScopeRecord) throws(AppError) {
    try run(
      """
      INSERT INTO scope (name, type, filter, watermark, pass, cursor, pass_watermark, completed, attempted, error, turn)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET watermark = excluded.watermark, pass = excluded.pass, cursor = excluded.cursor,
        pass_watermark = excluded.pass_watermark, completed = excluded.completed, attempted = excluded.attempted,
        error = excluded.error, turn = excluded.turn
      """,
      [
        .text(scope.name), .text(scope.type), .text(scope.filter), SQLValue(scope.watermark?.text),
        .integer(scope.pass),
        SQLValue(scope.cursor), SQLValue(scope.passWatermark?.text), SQLValue(scope.completed),
        .integer(nowMilliseconds), SQLValue(scope.error), .integer(scope.turn),
      ])
    noteServer()
  }

  func addMember(_ key: ResourceKey, of scope: ScopeRecord) throws(AppError) {
    try run(
      "INSERT OR REPLACE INTO scope_member (scope, type, id, pass) VALUES (?, ?, ?, ?)",
      [.text(scope.name), .text(key.type), .text(key.id), .integer(scope.pass)])
  }

  /// What the scope's unfinished pass has seen so far, deletions too; nothing when none is unfinished.
  func membersSeen(in scope: ScopeRecord) throws(AppError) -> Set<ResourceKey> {
    guard scope.cursor != nil else { return [] }
    return Set(
      try all(
        "SELECT type, id FROM scope_member WHERE scope = ? AND pass = ?", [.text(scope.name), .integer(scope.pass)]
      ) { row throws(SQLiteError) in ResourceKey(type: row.text(0), id: row.text(1)) })
  }

  /// The members that the last pass has not seen.
  func membersUnseen(in scope: ScopeRecord) throws(AppError) -> [ResourceKey] {
    try all(
      "SELECT type, id FROM scope_member WHERE scope = ? AND pass < ?", [.text(scope.name), .integer(scope.pass)]
    ) { row throws(SQLiteError) in ResourceKey(type: row.text(0), id: row.text(1)) }
  }

  /// Ends the membership in one scope.
  func removeMember(_ key: ResourceKey, of scope: ScopeRecord) throws(AppError) {
    try run(
      "DELETE FROM scope_member WHERE scope = ? AND type = ? AND id = ?",
      [.text(scope.name), .text(key.type), .text(key.id)])
  }

  /// Ends the membership of what was seen to be deleted, also of what was gone before we ever knew it.
  func removeDeletedMembers(of scope: ScopeRecord) throws(AppError) {
    try run(
      """
      DELETE FROM scope_member WHERE scope = ?1 AND pass = ?2 AND NOT EXISTS (
        SELECT 1 FROM resource r WHERE r.type = scope_member.type AND r.id = scope_member.id AND r.state <> 2)
      """, [.text(scope.name), .integer(scope.pass)])
  }

  func removeMember(_ key: ResourceKey) throws(AppError) {
    try run(
      """
      DELETE FROM scope_member WHERE scope IN (SELECT name FROM scope WHERE type = ?1) AND type = ?1 AND id = ?2
      """, [.text(key.type), .text(key.id)])
  }

  /// Keeps what could not be understood, whole.
  func keepUnreadable(_ document: JSONValue, scope: String, reason: String) throws(AppError) {
    let bytes = document.bytes()
    let known = try first(
      "SELECT 1 FROM unreadable WHERE scope = ? AND document = ?", [.text(scope), .blob(bytes)]
    ) { _ throws(SQLiteError) in true }
    guard known == nil else { return }
    try run(
      "INSERT INTO unreadable (scope, at, reason, document) VALUES (?, ?, ?, ?)",
      [.text(scope), .text(now.text), .text(reason), .blob(bytes)])
  }
}
