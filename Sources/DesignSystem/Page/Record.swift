/// One line of machine output, without the members that every line has (`format`, `kind`).
///
/// Field names are lower camel case and documented in `Docs/Formats.md`. The renderer sorts them.
public struct Record: Sendable, Equatable {
  /// What the line is about, in lower camel case: `patient`, `appointment`.
  public var kind: String
  /// Its members; of two with one name the last counts.
  public var fields: [Field]

  /// Creates a record from a literal: `Record("patient", ["id": "p-1"])`.
  public init(_ kind: String, _ fields: KeyValuePairs<String, RecordValue>) {
    self.kind = kind
    self.fields = fields.map { Field($0.key, $0.value) }
  }

  /// Creates a record.
  public init(kind: String, fields: [Field]) {
    self.kind = kind
    self.fields = fields
  }

  /// A named value of a record.
  public struct Field: Sendable, Equatable {
    /// The name of the member.
    public var name: String
    /// The value of the member.
    public var value: RecordValue

    /// Creates a member.
    public init(_ name: String, _ value: RecordValue) {
      self.name = name
      self.value = value
    }
  }
}

/// A value for programs. Times are strings as RFC 3339 writes them; dates as precise as they are known.
public indirect enum RecordValue: Sendable, Equatable {
  /// Nothing recorded.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number by its spelling, which is kept: `1.50` stays `1.50`. Text that is no JSON number is written as a string.
  case decimal(String)
  /// Text, a code, a date or a time.
  case string(String)
  /// A list in the order of the record.
  case array([RecordValue])
  /// Members of its own.
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
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// An array.
  public init(arrayLiteral elements: RecordValue...) { self = .array(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, RecordValue)...) {
    self = .object(elements.map { Record.Field($0.0, $0.1) })
  }
}
