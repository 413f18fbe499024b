import Domain
import JSON

/// A model that is read from and written into stored documents.
protocol StoredModel: ResourceModel {
  /// The model in a document; `nil` when it has no id.
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Self?
  /// The elements that the model knows, as a document.
  var projection: JSONValue { get }
  /// A document after an edit of its model.
  static func edited(_ document: JSONValue, from old: Self, to new: Self) -> JSONValue
  /// What the record is, in a person's words.
  var subjectLine: String { get }
}

extension Patient: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Patient? {
    ResourceDecoder.patient(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  static func edited(_ document: JSONValue, from old: Patient, to new: Patient) -> JSONValue {
    ResourceEdit.document(document, from: old, to: new)
  }
  var subjectLine: String { displayName }
}

extension Practitioner: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Practitioner? {
    ResourceDecoder.practitioner(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  static func edited(_ document: JSONValue, from old: Practitioner, to new: Practitioner) -> JSONValue {
    ResourceEdit.document(document, from: old, to: new)
  }
  var subjectLine: String { displayName }
}

extension Location: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Location? {
    ResourceDecoder.location(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  static func edited(_ document: JSONValue, from old: Location, to new: Location) -> JSONValue {
    ResourceEdit.document(document, from: old, to: new)
  }
  var subjectLine: String { displayName }
}

extension Appointment: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> Appointment? {
    ResourceDecoder.appointment(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  static func edited(_ document: JSONValue, from old: Appointment, to new: Appointment) -> JSONValue {
    ResourceEdit.document(document, from: old, to: new)
  }
  var subjectLine: String {
    "appointment" + (start.map { " \($0.text)" } ?? "") + (patient?.display.map { " for \($0)" } ?? "")
  }
}

extension ClinicalObservation: StoredModel {
  static func decode(_ document: JSONValue, warnings: inout [String]) -> ClinicalObservation? {
    ResourceDecoder.observation(document, warnings: &warnings)
  }
  var projection: JSONValue { ResourceProjection.encode(self) }
  static func edited(_ document: JSONValue, from old: ClinicalObservation, to new: ClinicalObservation) -> JSONValue {
    ResourceEdit.document(document, from: old, to: new)
  }
  var subjectLine: String {
    (code.text ?? code.coding.first?.display ?? code.coding.first?.code ?? "observation")
      + (subject?.display.map { " of \($0)" } ?? "")
  }
}
