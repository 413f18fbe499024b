/// What SQLite answered when a call failed: its codes and its words, never the bound values.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary result code, e.g. 5 for `SQLITE_BUSY`.
  package var code: Int32 { extendedCode & 0xff }
  /// The extended result code.
  package var extendedCode: Int32
  /// SQLite's message.
  package var message: String
  /// The statement's text, with placeholders.
  package var sql: String?

  package init(extendedCode: Int32, message: String, sql: String? = nil) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " in «\($0)»" } ?? "")
  }
}
