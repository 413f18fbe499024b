package import JSON

/// The elements that only make sense together: a conflict in one of them is a conflict in all.
package struct ConflictUnit: Hashable, Sendable {
  /// The elements of the unit. One path, or the members of a group.
  package var paths: [ElementPath]

  /// Groups of a resource's own elements, by type. `value` stands for every `value[x]`, and so on.
  static let groups: [String: [[String]]] = [
    "Patient": [["deceasedBoolean", "deceasedDateTime"]],
    "Appointment": [
      ["start", "end", "minutesDuration", "slot"],
      ["status", "cancelationReason"],
    ],
    "Observation": [
      [
        "valueQuantity", "valueString", "valueCodeableConcept", "valueInteger", "valueBoolean", "valueRange",
        "valueRatio", "valueSampledData", "valueTime", "valueDateTime", "valuePeriod", "dataAbsentReason",
      ],
      ["effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming"],
    ],
    "Encounter": [["status", "statusHistory", "period"]],
    "Condition": [
      [
        "clinicalStatus", "verificationStatus", "abatementDateTime", "abatementAge", "abatementPeriod",
        "abatementRange", "abatementString",
      ],
      ["onsetDateTime", "onsetAge", "onsetPeriod", "onsetRange", "onsetString"],
    ],
    "AllergyIntolerance": [["clinicalStatus", "verificationStatus"]],
    "MedicationRequest": [
      ["status", "statusReason"], ["dosageInstruction", "medicationCodeableConcept", "medicationReference"],
    ],
    "Immunization": [["status", "statusReason"], ["occurrenceDateTime", "occurrenceString"]],
    "DocumentReference": [["status", "docStatus", "authenticator", "content"]],
  ]

  /// The unit in which a path lies: its group, its list item, or its element with the primitive's companion.
  package init(containing path: ElementPath, type: String) {
    let root = path.root ?? ""
    let name = root.hasPrefix("_") ? String(root.dropFirst()) : root
    if let group = Self.groups[type]?.first(where: { $0.contains(name) }) {
      paths = group.flatMap(Self.withCompanion)
    } else if path.steps.count > 1, case .item = path.steps[1] {
      paths = [ElementPath(Array(path.steps.prefix(2)))]
    } else {
      paths = Self.withCompanion(name)
    }
  }

  /// What the unit holds in a document, in the order of its paths.
  package func values(in document: JSONValue?) -> [JSONValue?] {
    paths.map { document?.value(at: $0) }
  }

  private static func withCompanion(_ name: String) -> [ElementPath] {
    [ElementPath([.member(name)]), ElementPath([.member("_\(name)")])]
  }
}
