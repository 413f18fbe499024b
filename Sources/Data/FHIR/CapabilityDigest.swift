package import JSON

/// The part of a CapabilityStatement that decisions are made on: small enough to be read with every transaction.
package enum CapabilityDigest {
  /// The types that a clinic's records are made of.
  static let types: Set<String> = [
    "Patient", "Practitioner", "PractitionerRole", "Organization", "Location", "Schedule", "Slot", "Appointment",
    "Encounter", "Observation", "Condition", "AllergyIntolerance", "MedicationRequest", "Immunization",
    "DocumentReference", "Provenance",
  ]

  /// The members that only describe how to search.
  private static let left: Set<String> = ["searchParam", "searchInclude", "searchRevInclude", "operation", "extension"]

  /// The statement without what no decision needs.
  package static func make(_ statement: JSONValue) -> JSONValue {
    var digest = statement
    digest["text"] = Optional.none
    digest["contained"] = Optional.none
    guard let rest = statement["rest"]?.array else { return digest }
    digest["rest"] = .array(rest.map(reduced))
    return digest
  }

  private static func reduced(_ rest: JSONValue) -> JSONValue {
    var reduced = rest
    reduced["resource"] = .array(
      (rest["resource"]?.array ?? []).filter { types.contains($0["type"]?.string ?? "") }.map { resource in
        guard let object = resource.object else { return resource }
        return .object(JSONObject(object.members.filter { !left.contains($0.key) }))
      })
    return reduced
  }
}
