/// A value bound to a statement.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// A text, or null.
  package init(_ text: String?) {
    self = text.map(SQLValue.text) ?? .null
  }

  /// A blob, or null.
  package init(_ bytes: [UInt8]?) {
    self = bytes.map(SQLValue.blob) ?? .null
  }

  /// An integer, or null.
  package init(_ value: Int64?) {
    self = value.map(SQLValue.integer) ?? .null
  }

  /// An integer.
  package init(_ value: Int) {
    self = .integer(Int64(value))
  }

  /// A flag as 0 or 1.
  package init(_ flag: Bool) {
    self = .integer(flag ? 1 : 0)
  }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(nilLiteral: ()) { self = .null }
}
