import Domain
import JSON

// `JSONValue` has a literal `nil` of its own, JSON's `null`: where no value is meant, `Optional.none` is written out.

/// Builds one FHIR object element by element. What is empty is left out: FHIR allows no empty texts, lists or objects.
struct ElementWriter {
  private var members: [JSONObject.Member] = []

  /// The object, or `nil` when nothing was written.
  var value: JSONValue? { members.isEmpty ? Optional.none : .object(JSONObject(members)) }

  mutating func set(_ name: String, _ value: JSONValue?) {
    if let value { members.append(JSONObject.Member(key: name, value: value)) }
  }

  mutating func set(_ name: String, _ text: String?) {
    if let text, !text.isEmpty { set(name, JSONValue.string(text)) }
  }

  mutating func set(_ name: String, _ flag: Bool?) { set(name, flag.map(JSONValue.bool)) }

  mutating func set(_ name: String, _ number: Int?) { set(name, number.map { .number(JSONNumber($0)) }) }

  mutating func set(_ name: String, _ decimal: PreciseDecimal?) {
    set(name, decimal.flatMap { JSONNumber($0.text) }.map(JSONValue.number))
  }

  mutating func set<Known>(_ name: String, _ code: OpenCode<Known>?) { set(name, code?.rawValue) }

  mutating func set(_ name: String, _ texts: [String]) { set(name, Self.list(texts, Self.text)) }

  mutating func set<Item>(_ name: String, _ items: [Item], _ write: (Item) -> JSONValue?) {
    set(name, Self.list(items, write))
  }

  private static func list<Item>(_ items: [Item], _ write: (Item) -> JSONValue?) -> JSONValue? {
    let values = items.compactMap(write)
    return values.isEmpty ? Optional.none : .array(values)
  }

  private static func text(_ text: String) -> JSONValue? { text.isEmpty ? Optional.none : .string(text) }
}
