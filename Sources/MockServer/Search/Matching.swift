internal import Foundation
import JSON

/// Values of a parameter's elements against a search value (hl7.org/fhir/R4/search.html).
enum Matching {
  /// The values at a dotted path, lists flattened.
  static func values(_ document: JSONValue, _ path: some StringProtocol) -> [JSONValue] {
    var values = flat(document)
    for name in path.split(separator: ".") {
      values = values.flatMap { value in value[String(name)].map(flat) ?? [] }
    }
    return values
  }

  private static func flat(_ value: JSONValue) -> [JSONValue] {
    if case .array(let elements) = value { elements } else { [value] }
  }

  // MARK: Tokens

  static func token(_ value: JSONValue, _ wanted: String, system: String?) -> Bool {
    if let system, value["system"]?.string != system { return false }
    let halves = wanted.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return tokens(value).contains { token in
      guard halves.count == 2, system == nil else { return token.code == wanted }
      let isSystem = halves[0].isEmpty ? token.system == nil : token.system == halves[0]
      return isSystem && (halves[1].isEmpty || token.code == halves[1])
    }
  }

  /// Code, identifier, coding, codeable concept, contact point or boolean as pairs of system and code.
  private static func tokens(_ value: JSONValue) -> [(system: String?, code: String?)] {
    switch value {
    case .string(let code): return [(nil, code)]
    case .bool(let flag): return [(nil, flag ? "true" : "false")]
    case .object(let object):
      if let codings = object["coding"]?.array { return codings.map { ($0["system"]?.string, $0["code"]?.string) } }
      return [(object["system"]?.string, (object["value"] ?? object["code"])?.string)]
    default: return []
    }
  }

  // MARK: Strings

  static func string(_ value: JSONValue, _ wanted: String, modifier: String?) -> Bool {
    texts(value).contains { text in
      switch modifier {
      case "exact": text == wanted
      case "contains": fold(text).contains(fold(wanted))
      default: fold(text).hasPrefix(fold(wanted))
      }
    }
  }

  /// Every text of a name or an address counts.
  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let object):
      object.members.filter { !["use", "system", "period", "extension", "type", "id"].contains($0.key) }.flatMap {
        texts($0.value)
      }
    default: []
    }
  }

  static func fold(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  // MARK: Dates

  static func date(_ range: TimeRange, _ wanted: String) -> Bool? {
    let prefixes = ["eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"]
    let prefix = prefixes.first { wanted.hasPrefix($0) }
    guard let asked = TimeRange(prefix == nil ? wanted : String(wanted.dropFirst(2))) else { return nil }
    let isInside = asked.start <= range.start && range.end <= asked.end
    return switch prefix {
    case "ne": !isInside
    case "gt": range.end > asked.end
    case "lt": range.start < asked.start
    case "ge": range.end > asked.end || isInside
    case "le": range.start < asked.start || isInside
    case "sa": range.start >= asked.end
    case "eb": range.end <= asked.start
    case "ap": range.start < asked.end && asked.start < range.end
    default: isInside
    }
  }

  /// A date, dateTime, instant or Period. An open end of a period reaches for ever.
  static func range(_ value: JSONValue) -> TimeRange? {
    if let text = value.string { return TimeRange(text) }
    let start = value["start"]?.string.flatMap { TimeRange($0) }
    let end = value["end"]?.string.flatMap { TimeRange($0) }
    guard start != nil || end != nil else { return nil }
    return TimeRange(start: start?.start ?? .min, end: end?.end ?? .max)
  }

  // MARK: References

  static func reference(_ value: JSONValue, _ wanted: String, target: String?) -> Bool {
    guard let text = value["reference"]?.string ?? value.string else { return false }
    guard let key = MockKey(reference: text) else { return text == wanted }
    if let target, key.type != target { return false }
    guard let asked = MockKey(reference: wanted) else { return key.id == wanted }
    return key == asked
  }
}
