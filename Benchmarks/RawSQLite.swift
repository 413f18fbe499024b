import CSQLite

/// The tables and rows of a registration through SQLite's C API, with prepared statements and nothing else.
final class RawSQLite {
  struct Failure: Error { var message: String }

  private var database: OpaquePointer?
  private var statements: [OpaquePointer?] = []
  private let document = Array(
    #"{"resourceType":"Patient","id":"00000000-0000-4000-8000-000000000000","name":[{"family":"Kept 0","given":["Ada"]}],"telecom":[{"system":"phone","value":"020 7946 0000","use":"home"}]}"#
      .utf8)

  init(path: String) throws {
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw Failure(message: "cannot open \(path)") }
    try execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;
      CREATE TABLE resource (rowid INTEGER PRIMARY KEY, type TEXT, id TEXT, view BLOB, UNIQUE (type, id));
      CREATE TABLE patient (resource INTEGER PRIMARY KEY, sort_name TEXT);
      CREATE INDEX patient_sort_name ON patient (sort_name, resource);
      CREATE VIRTUAL TABLE patient_text USING fts5 (terms, tokenize = "ascii", prefix = '1 2 3', detail = none);
      CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT UNIQUE, action TEXT, type TEXT, id TEXT, patch BLOB);
      CREATE INDEX outbox_resource ON outbox (type, id, number);
      CREATE INDEX outbox_action ON outbox (action, number);
      CREATE TABLE transition (serial INTEGER PRIMARY KEY, number INTEGER, at TEXT, reason TEXT);
      CREATE INDEX transition_number ON transition (number, serial);
      CREATE TABLE audit (serial INTEGER PRIMARY KEY, at TEXT, act TEXT, type TEXT, id TEXT);
      CREATE INDEX audit_resource ON audit (type, id, serial);
      """)
    for sql in [
      "BEGIN IMMEDIATE", "INSERT INTO resource (type, id, view) VALUES ('Patient', ?1, ?2)",
      "INSERT INTO patient VALUES (last_insert_rowid(), ?1)", "INSERT INTO patient_text (terms) VALUES ('kept ada')",
      "INSERT INTO outbox (entry, action, type, id, patch) VALUES (?1, ?1, 'Patient', ?1, ?2)",
      "INSERT INTO transition (number, at, reason) VALUES (last_insert_rowid(), '2026-11-30T10:00:00Z', 'written')",
      "INSERT INTO audit (at, act, type, id) VALUES ('2026-11-30T10:00:00Z', 'register', 'Patient', ?1)", "COMMIT",
    ] {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
      statements.append(statement)
    }
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  /// One registration in a transaction of its own.
  func write(_ number: Int) throws {
    let digits = String(number)
    let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    for statement in statements {
      let parameters = sqlite3_bind_parameter_count(statement)
      if parameters > 0 { _ = clinic_sqlite3_bind_text(statement, 1, id, sqlite3_uint64(id.utf8.count)) }
      if parameters > 1 { _ = clinic_sqlite3_bind_blob(statement, 2, document, sqlite3_uint64(document.count)) }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(statement)
    }
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func failure() -> Failure { Failure(message: String(cString: sqlite3_errmsg(database))) }
}
