import CSQLite
import Data
import Foundation
import Testing

@Suite("Statements: what is stored comes back, every byte of it")
struct StatementTests {
  @Test(
    "values of every kind come back as they were",
    arguments: [
      .null, .integer(.min), .integer(.max), .integer(0), .text(""), .text("a\0b\0"), .text("Ã\u{308}é👩‍⚕️"), .blob([]),
      .blob([0, 255, 0]), .text(String(repeating: "x", count: 1 << 20)),
    ] as [SQLValue])
  func roundTrip(value: SQLValue) throws {
    let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
    try connection.execute("CREATE TABLE t (v)")
    try connection.run("INSERT INTO t VALUES (?)", [value])
    let found = try connection.first("SELECT v, typeof(v), length(CAST(v AS BLOB)) FROM t") {
      row throws(SQLiteError) -> SQLValue in
      switch row.text(1) {
      case "null": return .null
      case "integer": return .integer(row.integer(0))
      case "text": return .text(row.text(0))
      default: return .blob(row.blob(0))
      }
    }
    #expect(found == value)
  }

  @Test("a failed statement says what failed, never with which values, and can be used again")
  func failure() throws {
    let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
    try connection.execute("CREATE TABLE t (v INTEGER PRIMARY KEY) STRICT")
    try connection.run("INSERT INTO t VALUES (?)", [1])
    #expect {
      try connection.run("INSERT INTO t VALUES (?)", [1])
    } throws: { error in
      (error as? SQLiteError)?.code == SQLITE_CONSTRAINT && !"\(error)".contains("Ferrow")
    }
    try connection.run("INSERT INTO t VALUES (?)", [2])
    #expect(try connection.all("SELECT v FROM t") { row throws(SQLiteError) in row.integer(0) } == [1, 2])
  }

  @Test("no connection checkpoints by itself, neither while working nor on close")
  func noCheckpoints() throws {
    let path = FileManager.default.temporaryDirectory.path + "/wal-\(UUID().uuidString).sqlite"
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    var connection: Connection? = try Connection(path: path, mode: .readWriteCreate)
    try connection?.execute("PRAGMA journal_mode=WAL; CREATE TABLE t (v TEXT)")
    let before = try Foundation.Data(contentsOf: URL(fileURLWithPath: path)).count
    for _ in 0..<3_000 {
      try connection?.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 3_000))])
    }
    connection = nil
    #expect(try Foundation.Data(contentsOf: URL(fileURLWithPath: path)).count == before)
    #expect(try Foundation.Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count > 3_000 * 3_000)
  }
}
