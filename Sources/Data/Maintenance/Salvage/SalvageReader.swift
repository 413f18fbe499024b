import CSQLite
import Domain
import JSON

/// What could be read of a damaged store: rows as column names and values.
struct SalvagedRows {
  typealias Row = [String: SQLValue]

  var tables: [String: [Row]] = [:]
  /// Tables that could not be read to their end.
  var torn: Set<String> = []

  func rows(_ table: String) -> [Row] { tables[table] ?? [] }
}

/// Reads a damaged store through SQLite as far as that goes: from the front, from the back, and row by row in between.
enum SalvageReader {
  /// What is carried over, in the order in which it is written. All else is derived, or the server's to give again.
  static let tables = ["meta", "alias", "audit", "journal", "resource", "outbox", "review"]

  /// How many numbers are tried one by one between what can be read from both ends.
  private static let longestGap: Int64 = 50_000

  static func read(_ path: String) -> SalvagedRows {
    var salvaged = SalvagedRows()
    guard let connection = try? Connection(path: path, mode: .readWrite) else {
      salvaged.torn = Set(tables)
      return salvaged
    }
    try? connection.execute("PRAGMA cell_size_check=ON; PRAGMA foreign_keys=OFF")
    for table in tables {
      let (rows, isTorn) = read(table, connection)
      salvaged.tables[table] = rows
      if isTorn { salvaged.torn.insert(table) }
    }
    return salvaged
  }

  private static func read(_ table: String, _ connection: Connection) -> ([SalvagedRows.Row], isTorn: Bool) {
    let columns = try? connection.all("PRAGMA table_info(\(table))") { row throws(SQLiteError) in
      (name: row.text(1), key: row.integer(5))
    }
    guard let columns, !columns.isEmpty else { return ([], true) }
    let names = columns.map(\.name)
    let key = columns.first { $0.key == 1 }?.name ?? names[0]
    let select = "SELECT \(names.joined(separator: ", ")) FROM \(table)"
    var found: [SQLValue: SalvagedRows.Row] = [:]
    var order: [SQLValue] = []
    func take(_ tail: String, _ values: [SQLValue] = []) -> Bool {
      do throws(SQLiteError) {
        try connection.forEach("\(select) \(tail)", values) { row throws(SQLiteError) in
          var values: SalvagedRows.Row = [:]
          for (index, name) in names.enumerated() { values[name] = row.value(Int32(index)) }
          // A table without row ids has a key of several columns.
          let identity = columns.count { $0.key > 0 } > 1 ? SQLValue.text("\(names.map { values[$0] })") : values[key]
          if let identity, found.updateValue(values, forKey: identity) == nil { order.append(identity) }
        }
        return true
      } catch { return false }
    }
    if take("ORDER BY \(key)") { return (order.compactMap { found[$0] }, false) }
    let front = order.last
    _ = take("ORDER BY \(key) DESC")
    if case .integer(let low)? = front, case .integer(let high)? = order.last, high > low, high - low < longestGap {
      for number in low...high { _ = take("WHERE \(key) = ?", [.integer(number)]) }
    }
    return (order.compactMap { found[$0] }, true)
  }
}

extension Row {
  /// A column as it is.
  func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }
}
