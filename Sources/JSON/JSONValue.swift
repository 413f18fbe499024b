/// A JSON document (RFC 8259) that loses nothing: the spelling of numbers, the order of members, duplicate names, and NUL characters in
/// strings are kept. Only white space and the choice of escapes are not part of the value.
///
/// Two values are equal when they would be written the same: numbers by spelling, strings by code point (no Unicode normalisation), objects
/// with their members in order.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as it is spelled.
  case number(JSONNumber)
  /// A text, escapes resolved.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)
}

extension JSONValue: Hashable {
  /// Compares as written; cost is linear in the smaller document.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.isSameText(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue {
  /// The member of that name, the first if there are several. Nil if there is none or this is no object.
  ///
  /// Setting replaces the member in its place, appends it when absent, and removes it for nil; on anything but an object it has no effect.
  /// Assigning the literal `nil` removes; assign `JSONValue.null` for a JSON null. Cost is linear in the number of members.
  public subscript(key: String) -> JSONValue? {
    get {
      if case .object(let object) = self { object[key] } else { nil }
    }
    set {
      guard case .object(var object) = self else { return }
      self = .null  // gives up the second reference, so that the members are changed in place
      object[key] = newValue
      self = .object(object)
    }
  }

  /// The element at that index, or nil when this is no array or the index is outside it.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let array) = self, array.indices.contains(index) { array[index] } else { nil }
  }

  /// The text, if this is a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The value, if this is `true` or `false`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value, if this is a number written as an integer that fits an `Int`.
  public var int: Int? { number?.int }

  /// The number with its spelling, if this is a number.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

  /// The elements, if this is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if this is an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Whether this is the JSON `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}

extension String {
  /// Equality by code point. `==` also holds for canonically equivalent spellings, which are different texts to a server.
  func isSameText(as other: String) -> Bool {
    guard utf8.count == other.utf8.count, self == other else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
