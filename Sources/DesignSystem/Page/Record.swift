/// One line of machine output, without the members that every line has (`format`, `kind`).
///
/// Field names are lower camel case and documented in `Docs/Formats.md`. The renderer sorts them.
public struct Record: Sendable, Equatable {
  /// What the line is about, in lower camel case: `patient`, `appointment`.
  public var kind: String
  public var fields: [Field]

  public init(_ kind: String, _ fields: KeyValuePairs<String, RecordValue>) {
    self.kind = kind
    self.fields = fields.map { Field($0.key, $0.value) }
  }

  public init(kind: String, fields: [Field]) {
    self.kind = kind
    self.fields = fields
  }

  /// A named value of a record.
  public struct Field: Sendable, Equatable {
    public var name: String
    public var value: RecordValue

    public init(_ name: String, _ value: RecordValue) {
      self.name = name
      self.value = value
    }
  }
}

/// A value for programs. Times are strings as RFC 3339 writes them; dates as precise as they are known.
public indirect enum RecordValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A number by its spelling, which is kept: `1.50` stays `1.50`. Text that is no JSON number is written as a string.
  case decimal(String)
  case string(String)
  case array([RecordValue])
  case object([Record.Field])

  /// The string, or null.
  public static func optional(_ text: String?) -> RecordValue {
    text.map(RecordValue.string) ?? .null
  }

  /// An array of strings.
  public static func strings(_ texts: [String]) -> RecordValue {
    .array(texts.map(RecordValue.string))
  }
}

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: RecordValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, RecordValue)...) {
    self = .object(elements.map { Record.Field($0.0, $0.1) })
  }
}
