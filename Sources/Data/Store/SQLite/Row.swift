import CSQLite

/// One row of a result, valid inside the closure it is given to.
package struct Row: ~Copyable {
  let statement: OpaquePointer

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// An integer column; 0 when null.
  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  /// An integer column, or `nil` when null.
  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// A flag column.
  package func flag(_ column: Int32) -> Bool {
    integer(column) != 0
  }

  /// A text column with every byte of it, NUL included; empty when null.
  package func text(_ column: Int32) -> String {
    optionalText(column) ?? ""
  }

  /// A text column, or `nil` when null.
  package func optionalText(_ column: Int32) -> String? {
    guard let pointer = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
  }

  /// A blob column; empty when null.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let pointer = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: pointer, count: count))
  }

  /// A blob column, or `nil` when null.
  package func optionalBlob(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : blob(column)
  }
}
