import Domain
import JSON

extension StoredModel {
  /// A document after an edit of its model: differs in what the projections differ in.
  static func edited(_ document: JSONValue, from old: Self, to new: Self) -> JSONValue {
    ResourceEdit.document(document, fromProjection: old.projection, to: new.projection)
  }
}

extension Encounter: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Encounter? {
    ResourceDecoder.encounter(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String {
    "visit" + (sortTime.map { " \($0)" } ?? "") + (subject?.display.map { " of \($0)" } ?? "")
  }
}

extension Condition: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Condition? {
    ResourceDecoder.condition(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String { chartLine("problem", code, subject) }
}

extension AllergyIntolerance: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> AllergyIntolerance? {
    ResourceDecoder.allergyIntolerance(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String { chartLine("allergy", code, patient) }
}

extension MedicationRequest: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> MedicationRequest? {
    ResourceDecoder.medicationRequest(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String { chartLine("medication", medication?.concept, subject) }
}

extension Immunization: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Immunization? {
    ResourceDecoder.immunization(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String { chartLine("vaccination", vaccineCode, patient) }
}

extension DocumentReference: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> DocumentReference? {
    ResourceDecoder.documentReference(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  var subjectLine: String { chartLine("document", type, subject) }
}

/// What a chart's record is and whose, for the outbox.
private func chartLine(
  _ kind: String, _ concept: CodeableConcept?, _ subject: Reference<AnyResource>?
) -> String {
  (concept?.displayText.map { "\(kind) \($0)" } ?? kind) + (subject?.display.map { " of \($0)" } ?? "")
}

extension StoreTransaction {
  /// What a record is, in a person's words; `nil` when its model is not known here.
  func chartSubjectLine(of key: ResourceKey) throws(AppError) -> String? {
    switch key.type {
    case Encounter.resourceType: try model(Encounter.ID(key.id)).map(\Encounter.subjectLine)
    case Condition.resourceType: try model(Condition.ID(key.id)).map(\Condition.subjectLine)
    case AllergyIntolerance.resourceType:
      try model(AllergyIntolerance.ID(key.id)).map(\AllergyIntolerance.subjectLine)
    case MedicationRequest.resourceType: try model(MedicationRequest.ID(key.id)).map(\MedicationRequest.subjectLine)
    case Immunization.resourceType: try model(Immunization.ID(key.id)).map(\Immunization.subjectLine)
    case DocumentReference.resourceType: try model(DocumentReference.ID(key.id)).map(\DocumentReference.subjectLine)
    default: nil
    }
  }
}
