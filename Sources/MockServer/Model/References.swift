import JSON

/// Finding and changing references inside documents.
enum References {
  /// The document with every `reference` changed.
  static func map(_ document: JSONValue, _ change: (String) -> String) -> JSONValue {
    strings(document) { key, text in key == "reference" ? change(text) : text }
  }

  /// Every `reference`, in order.
  static func all(_ document: JSONValue) -> [String] {
    var found: [String] = []
    _ = map(document) { reference in
      found.append(reference)
      return reference
    }
    return found
  }

  /// The document with its strings changed; a string in a list has the list's name.
  static func strings(_ document: JSONValue, key: String = "", _ change: (String, String) -> String) -> JSONValue {
    switch document {
    case .string(let text): .string(change(key, text))
    case .array(let elements): .array(elements.map { strings($0, key: key, change) })
    case .object(let object):
      .object(
        JSONObject(object.members.map { .init(key: $0.key, value: strings($0.value, key: $0.key, change)) }))
    default: document
    }
  }

  /// The document with the full URLs of a bundle replaced: in references and in every other element that is such a URL, and in the links of
  /// narratives (hl7.org/fhir/R4/http.html#trules).
  static func replace(_ document: JSONValue, _ targets: [String: String]) -> JSONValue {
    guard !targets.isEmpty else { return document }
    return strings(document) { key, text in
      if key == "fullUrl" { return text }
      if key == "reference" {
        if let target = targets[text] { return target }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[parts.count - 2] == "_history" else { return text }
        return targets[parts.dropLast(2).joined(separator: "/")] ?? text
      }
      if text.hasPrefix("urn:") { return targets[text] ?? text }
      return key == "div" && text.utf8.contains(UInt8(ascii: "=")) ? narrative(text, targets) : text
    }
  }

  private static func narrative(_ text: String, _ targets: [String: String]) -> String {
    var pieces = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    for index in pieces.indices {
      if let target = targets[pieces[index]] { pieces[index] = target }
    }
    return pieces.joined(separator: "\"")
  }
}
