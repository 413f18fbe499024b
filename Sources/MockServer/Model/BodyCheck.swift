import JSON

/// The cheap checks of a body: enough to catch a client that builds documents wrongly, no validator.
enum BodyCheck {
  /// The document, if it is a resource of that type without plain faults.
  static func resource(_ document: JSONValue, type: String, _ profile: MockProfile) throws(Refusal) -> JSONValue {
    guard let named = document["resourceType"]?.string else {
      throw Refusal(400, "structure", "the body is no resource: it has no resourceType")
    }
    guard named == type else { throw Refusal(400, "invalid", "the body is a \(named), not a \(type)") }
    if let fault = structureFault(document, path: type, inArray: false) { throw Refusal(400, "structure", fault) }
    if profile.refusesUnknownElements,
      let unknown = ElementTable.unknownElement(in: document.object?.map(\.key) ?? [], of: type)
    {
      throw Refusal(400, "structure", "\(type) has no element \(unknown)")
    }
    for rule in required[type] ?? [] {
      let isThere = rule.split(separator: "|").contains { name in
        name.hasSuffix("[x]")
          ? document.object?.contains { $0.key.hasPrefix(name.dropLast(3)) } == true
          : document[String(name)] != nil || document["_\(name)"] != nil
      }
      guard isThere else { throw Refusal(422, "required", "\(type).\(rule) is required") }
    }
    for (element, allowed) in codes[type] ?? [:] {
      guard let value = document[element] else { continue }
      guard let code = value.string, allowed.contains(Substring(code)) else {
        throw Refusal(422, "value", "\(type).\(element) has a code that is not in its value set")
      }
    }
    for element in ["birthDate", "effectiveDateTime", "start", "end", "authoredOn", "recordedDate", "recorded"] {
      if let value = document[element], value.string.flatMap({ TimeRange($0) }) == nil {
        throw Refusal(422, "value", "\(type).\(element) is no date or time")
      }
    }
    return document
  }

  /// FHIR has no empty objects, arrays or strings, no `null` outside lists of primitives, and no name twice (hl7.org/fhir/R4/json.html).
  private static func structureFault(_ value: JSONValue, path: String, inArray: Bool) -> String? {
    switch value {
    case .null: return inArray ? nil : "\(path) is null"
    case .string(let text): return text.isEmpty ? "\(path) is an empty string" : nil
    case .bool, .number: return nil
    case .array(let elements):
      if elements.isEmpty { return "\(path) is an empty list" }
      for element in elements {
        if let fault = structureFault(element, path: path, inArray: true) { return fault }
      }
    case .object(let object):
      if object.isEmpty { return "\(path) is an empty object" }
      if Set(object.map(\.key)).count < object.count { return "\(path) has a name twice" }
      for member in object {
        if let fault = structureFault(member.value, path: "\(path).\(member.key)", inArray: false) { return fault }
      }
    }
    return nil
  }

  private static let required: [String: [String]] = [
    "Appointment": ["status", "participant"], "Observation": ["status", "code"], "Encounter": ["status", "class"],
    "Condition": ["subject"], "AllergyIntolerance": ["patient"], "Schedule": ["actor"],
    "MedicationRequest": ["status", "intent", "subject", "medication[x]"],
    "Immunization": ["status", "vaccineCode", "patient", "occurrence[x]"], "DocumentReference": ["status", "content"],
    "Provenance": ["target", "recorded", "agent"], "Slot": ["schedule", "status", "start", "end"],
  ]

  private static let codes: [String: [String: [Substring]]] = [
    "Patient": ["gender": "male female other unknown".split(separator: " ")],
    "Practitioner": ["gender": "male female other unknown".split(separator: " ")],
    "Location": ["status": "active suspended inactive".split(separator: " ")],
    "Appointment": [
      "status": "proposed pending booked arrived fulfilled cancelled noshow entered-in-error checked-in waitlist".split(
        separator: " ")
    ],
    "Observation": [
      "status": "registered preliminary final amended corrected cancelled entered-in-error unknown".split(
        separator: " ")
    ],
    "Encounter": [
      "status": "planned arrived triaged in-progress onleave finished cancelled entered-in-error unknown".split(
        separator: " ")
    ],
    "Slot": ["status": "busy free busy-unavailable busy-tentative entered-in-error".split(separator: " ")],
  ]
}
