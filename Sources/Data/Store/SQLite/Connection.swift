import CSQLite

/// One connection to a database file: prepared statements are cached, every failure is thrown.
///
/// Not `Sendable`: a connection lives on the executor of the ``DatabaseActor`` that owns it.
package final class Connection {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// A prepared statement. One that is needed again while it runs has a twin, which is not kept.
  private final class Statement {
    let handle: OpaquePointer
    var isInUse = true

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }
  }

  /// How a file is opened.
  package enum Mode { case readWriteCreate, readWrite, readOnly }

  private static let countsNoMemory = clinic_sqlite3_count_no_memory()

  /// Opens a file.
  ///
  /// - Parameter vfs: the name of the virtual file system; `nil` for the default.
  package init(path: String, mode: Mode, vfs: String? = nil) throws(SQLiteError) {
    let flags =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    _ = Self.countsNoMemory
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
    guard result == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(extendedCode: result, message: message)
    }
    handle = opened
    // No checkpoint of its own, neither while working nor on close: see `Checkpoint`.
    sqlite3_wal_autocheckpoint(handle, 0)
    _ = clinic_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    // A damaged or hostile file must not be able to run code through its schema.
    _ = clinic_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    BusyHandler.install(on: handle)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs statements that take no values and give no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result, sql) }
  }

  /// Runs one statement with values.
  package func run(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) {
    try forEach(sql, values) { _ throws(SQLiteError) in }
  }

  /// Calls `body` for each row.
  package func forEach(
    _ sql: String, _ values: [SQLValue] = [], _ body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try statement(for: sql)
    defer { release(statement) }
    try bind(values, to: statement.handle, sql)
    while true {
      switch sqlite3_step(statement.handle) {
      case SQLITE_ROW: try body(Row(statement: statement.handle))
      case SQLITE_DONE: return
      case let result: throw failure(result, sql)
      }
    }
  }

  /// All rows, transformed.
  package func all<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ transform: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var found: [Value] = []
    try forEach(sql, values) { row throws(SQLiteError) in found.append(try transform(row)) }
    return found
  }

  /// The first row, transformed.
  package func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ transform: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    let statement = try statement(for: sql)
    defer { release(statement) }
    try bind(values, to: statement.handle, sql)
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return try transform(Row(statement: statement.handle))
    case SQLITE_DONE: return nil
    case let result: throw failure(result, sql)
    }
  }

  /// How SQLite carries out the statements that were used so far: their text, and the steps of their plans.
  package func plansOfUsedStatements() throws(SQLiteError) -> [String: [String]] {
    var plans: [String: [String]] = [:]
    let withoutPlan = ["PRAGMA", "EXPLAIN", "BEGIN", "COMMIT"]
    for sql in statements.keys.sorted() where !withoutPlan.contains(where: sql.hasPrefix) {
      plans[sql] = try all("EXPLAIN QUERY PLAN \(sql)") { row throws(SQLiteError) in row.text(3) }
    }
    return plans
  }

  /// The row id given to the last inserted row.
  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last statement changed.
  package var changedRows: Int { Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func statement(for sql: String) throws(SQLiteError) -> Statement {
    let known = statements[sql]
    if let known, !known.isInUse {
      known.isInUse = true
      return known
    }
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK, let prepared else { throw failure(result, sql) }
    let statement = Statement(prepared)
    if known == nil { statements[sql] = statement }
    return statement
  }

  private func release(_ statement: Statement) {
    sqlite3_reset(statement.handle)
    sqlite3_clear_bindings(statement.handle)
    statement.isInUse = false
  }

  private func bind(_ values: [SQLValue], to statement: OpaquePointer, _ sql: String) throws(SQLiteError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let result =
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .text(var text):
          text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { chars in
              // An empty buffer may have no address, which SQLite would take for null.
              chars.baseAddress.map { clinic_sqlite3_bind_text(statement, index, $0, UInt64(chars.count)) }
                ?? clinic_sqlite3_bind_text(statement, index, "", 0)
            }
          }
        case .blob(let bytes):
          bytes.withUnsafeBytes { raw in
            raw.baseAddress.map { clinic_sqlite3_bind_blob(statement, index, $0, UInt64(raw.count)) }
              ?? sqlite3_bind_zeroblob(statement, index, 0)
          }
        }
      guard result == SQLITE_OK else { throw failure(result, sql) }
    }
  }

  private func failure(_ result: Int32, _ sql: String) -> SQLiteError {
    let extended = sqlite3_extended_errcode(handle)
    return SQLiteError(
      extendedCode: extended == SQLITE_OK ? result : extended, message: String(cString: sqlite3_errmsg(handle)),
      sql: sql)
  }
}
