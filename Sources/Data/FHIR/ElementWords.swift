import JSON

/// What a person calls an element and its value.
enum ElementWords {
  /// The name of an element: `phone (home)` for `telecom[phone,home].value`, `birth date` for `birthDate`.
  static func label(_ path: ElementPath) -> String {
    var words: [String] = []
    var notes: [String] = []
    for (index, step) in path.steps.enumerated() {
      switch step {
      case .member(let name):
        // The value of a contact point is the contact point.
        if name == "value", index == path.steps.count - 1, words.count == 1, path.root == "telecom" { continue }
        if name.hasPrefix("_") { notes.append("extension") }
        words.append(spaced(withoutType(name)))
      case .item(let identity):
        var values = identity.parts.compactMap(\.value)
        if words == ["telecom"], let system = values.first {
          words = [system]
          values.removeFirst()
        }
        notes += values
      }
    }
    return words.joined(separator: " ") + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }

  /// A value on one line.
  static func text(_ value: JSONValue) -> String {
    CleanText.bounded(CleanText.line(words(value)), limit: 200)
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .null: "nothing"
    case .bool(let flag): flag ? "yes" : "no"
    case .number(let number): number.text
    case .string(let text): text
    case .array(let items): items.map(words).joined(separator: "; ")
    case .object: compound(value) ?? value.text()
    }
  }

  /// FHIR's common data types by the elements that they have (hl7.org/fhir/R4/datatypes.html).
  private static func compound(_ value: JSONValue) -> String? {
    func joined(_ names: String..., by separator: String = " ") -> String? {
      let parts = names.compactMap { name -> String? in
        guard let part = value[name] else { return nil }
        return part.array.map { $0.map(words).joined(separator: " ") } ?? words(part)
      }
      return parts.isEmpty ? nil : parts.joined(separator: separator)
    }
    if let text = value["text"]?.string { return text }
    if value["family"] != nil || value["given"] != nil { return joined("prefix", "given", "family", "suffix") }
    if value["value"]?.number != nil { return joined("comparator", "value", value["unit"] == nil ? "code" : "unit") }
    if let text = value["value"]?.string { return text }
    if let coding = value["coding"]?.array?.first { return words(coding) }
    if let reference = value["reference"]?.string { return value["display"]?.string ?? reference }
    if let code = value["code"]?.string { return value["display"]?.string ?? code }
    if let display = value["display"]?.string { return display }
    if value["line"] != nil || value["city"] != nil {
      return joined("line", "postalCode", "city", "state", "country", by: ", ")
    }
    if value["start"] != nil || value["end"] != nil {
      return [value["start"], value["end"]].map { $0.map(words) ?? "…" }.joined(separator: " – ")
    }
    if let actor = value["actor"] { return words(actor) }
    return nil
  }

  /// The element's name without the type of a choice (hl7.org/fhir/R4/formats.html#choice).
  private static func withoutType(_ name: String) -> String {
    let name = name.hasPrefix("_") ? String(name.dropFirst()) : name
    for (root, types) in choices {
      if name.hasPrefix(root), types.contains(String(name.dropFirst(root.count))) { return root }
    }
    return name
  }

  private static let choices: [(String, Set<String>)] = [
    ("deceased", ["Boolean", "DateTime"]), ("multipleBirth", ["Boolean", "Integer"]),
    ("effective", ["DateTime", "Period", "Instant", "Timing"]),
    ("value", ["Quantity", "String", "CodeableConcept", "Integer", "Boolean", "Range", "DateTime", "Period", "Time"]),
    ("onset", ["DateTime", "Age", "String", "Period", "Range"]),
  ]

  /// `birthDate` as `birth date`.
  private static func spaced(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase, !text.isEmpty { text += " " }
      text += character.lowercased()
    }
  }
}
