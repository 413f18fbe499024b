import CSQLite
import Foundation
import TestSupport

/// A look into a store's file from outside: read only, so that nothing of it changes.
enum StoreFile {
  /// What SQLite finds wrong with it; nothing for a whole one.
  static func problems(_ path: String) throws -> [String] {
    let found = try texts(path, "PRAGMA integrity_check")
    return found == ["ok"] ? [] : found
  }

  /// The first column of a query.
  static func texts(_ path: String, _ query: String) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
      throw ProgramFailure("\(path) cannot be opened")
    }
    sqlite3_busy_timeout(database, 5_000)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
      throw ProgramFailure("\(query): \(String(cString: sqlite3_errmsg(database)))")
    }
    var texts: [String] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      let count = Int(sqlite3_column_bytes(statement, 0))
      let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count)
      texts.append(String(decoding: bytes, as: UTF8.self))
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw ProgramFailure("\(query): error \(code)") }
    return texts
  }
}

extension StoreFile {
  /// Runs statements on it. The log is left as it is, as the program's own connections do.
  static func alter(_ path: String, _ statements: String, checkpoints: Bool = false) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw ProgramFailure("\(path) cannot be opened")
    }
    sqlite3_busy_timeout(database, 5_000)
    if !checkpoints {
      sqlite3_wal_autocheckpoint(database, 0)
      _ = clinic_sqlite3_db_config_flag(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    guard sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK else {
      throw ProgramFailure("\(statements): \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}

extension Desk {
  /// Runs statements on the store.
  func alter(_ statements: String, checkpoints: Bool = false) throws {
    try StoreFile.alter("\(store)/clinic.sqlite", statements, checkpoints: checkpoints)
  }

  /// The first column of a query on the store.
  func query(_ query: String) throws -> [String] {
    try StoreFile.texts("\(store)/clinic.sqlite", query)
  }

  /// The number of entries in the outbox.
  func unsent() throws -> Int { Int(try query("SELECT count(*) FROM outbox").first ?? "") ?? -1 }
}
