import JSON
import Testing

extension JSONValue {
  /// The members at the top in which two documents differ, `meta` left out.
  static func changedMembers(from old: JSONValue?, to new: JSONValue?) -> Set<String> {
    let keys = Set((old?.object ?? [:]).map(\.key) + (new?.object ?? [:]).map(\.key)).subtracting(["meta"])
    return keys.filter { old?[$0] != new?[$0] }
  }
}

extension Desk {
  /// The server's last known document of a record, as the store has it.
  func base(_ reference: String) async throws -> JSONValue? {
    let text = try await run("why \(reference) --json").records("explanation").first?["base"]?.string
    return try text.map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// The entries of the outbox.
  func outbox() async throws -> [JSONValue] { try await done("outbox --json").records("outboxEntry") }

  /// What waits for a person.
  func review() async throws -> [JSONValue] { try await done("review --json").records("reviewItem") }
}

/// A patient as a server has one.
func patient(_ id: String, phone: String) -> JSONValue {
  [
    "resourceType": "Patient", "id": .string(id), "name": [["family": .string("Family-\(id)"), "given": ["Given"]]],
    "birthDate": "1980-05-17", "telecom": [["system": "phone", "value": .string(phone)]],
  ]
}

/// A pulse of 70.
func pulse(_ id: String, of patient: String) -> JSONValue {
  [
    "resourceType": "Observation", "id": .string(id), "status": "final",
    "code": ["coding": [["system": "http://loinc.org", "code": "8867-4"]]],
    "subject": ["reference": .string("Patient/\(patient)")], "effectiveDateTime": "2026-11-01T08:00:00Z",
    "valueQuantity": ["value": 70, "unit": "/min", "system": "http://unitsofmeasure.org", "code": "/min"],
  ]
}
