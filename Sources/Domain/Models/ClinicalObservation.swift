/// A measurement or a simple statement about a patient: FHIR's Observation (hl7.org/fhir/R4/observation.html).
///
/// The name differs, since a type called `Observation` hides Swift's module of that name.
public struct ClinicalObservation: ResourceModel {
  /// The id of an observation.
  public typealias ID = ResourceID<ClinicalObservation>

  /// `Observation`.
  public static let resourceType = "Observation"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// The state; `nil` when the record withholds it.
  public var status: OpenCode<ObservationStatus>?
  /// What kind of observation it is, such as `vital-signs`.
  public var category: [CodeableConcept]
  /// What was observed.
  public var code: CodeableConcept
  /// Who it is about.
  public var subject: Reference<AnyResource>?
  /// The visit during which it was made.
  public var encounter: Reference<AnyResource>?
  /// When it held true.
  public var effective: Effective?
  /// When this version became available.
  public var issued: Instant?
  /// Who made it.
  public var performer: [Reference<AnyResource>]
  /// The result.
  public var value: Value?
  /// Why there is no result.
  public var dataAbsentReason: CodeableConcept?
  /// High, low, normal and the like.
  public var interpretation: [CodeableConcept]
  /// Notes.
  public var note: [Annotation]
  /// What is usual for such a result.
  public var referenceRange: [ReferenceRange]
  /// Parts with results of their own, such as the two numbers of a blood pressure.
  public var component: [Component]

  /// Makes an observation.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<ObservationStatus>?, category: [CodeableConcept] = [],
    code: CodeableConcept, subject: Reference<AnyResource>? = nil, encounter: Reference<AnyResource>? = nil,
    effective: Effective? = nil, issued: Instant? = nil, performer: [Reference<AnyResource>] = [],
    value: Value? = nil, dataAbsentReason: CodeableConcept? = nil, interpretation: [CodeableConcept] = [],
    note: [Annotation] = [], referenceRange: [ReferenceRange] = [], component: [Component] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.category = category
    self.code = code
    self.subject = subject
    self.encounter = encounter
    self.effective = effective
    self.issued = issued
    self.performer = performer
    self.value = value
    self.dataAbsentReason = dataAbsentReason
    self.interpretation = interpretation
    self.note = note
    self.referenceRange = referenceRange
    self.component = component
  }

  /// Whether it was withdrawn: it must not be shown as a result.
  public var isEnteredInError: Bool { status == .known(.enteredInError) }

  /// The patient it is about; `nil` when it is about something else or nothing is said.
  public var patientID: Patient.ID? {
    guard let key = subject?.key, key.type == Patient.resourceType else { return nil }
    return Patient.ID(key.id)
  }
}
