/// A risk of harm from a substance (hl7.org/fhir/R4/allergyintolerance.html).
public struct AllergyIntolerance: ResourceModel, ChartEntry {
  /// The id of an allergy.
  public typealias ID = ResourceID<AllergyIntolerance>

  /// `AllergyIntolerance`.
  public static let resourceType = "AllergyIntolerance"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Whether it is active, inactive or resolved.
  public var clinicalStatus: CodeableConcept?
  /// How sure it is.
  public var verificationStatus: CodeableConcept?
  /// Allergy or intolerance.
  public var type: OpenCode<Kind>?
  /// Food, medication, environment or biologic.
  public var category: [OpenCode<Category>]
  /// How dangerous the next exposure may be.
  public var criticality: OpenCode<Criticality>?
  /// The substance, or the statement that there is none.
  public var code: CodeableConcept?
  /// Who has it.
  public var patient: Reference<AnyResource>?
  /// The visit during which it was recorded.
  public var encounter: Reference<AnyResource>?
  /// When it was first seen.
  public var onset: Onset?
  /// When it was recorded.
  public var recordedDate: DateTime?
  /// Who recorded it.
  public var recorder: Reference<AnyResource>?
  /// Who says so.
  public var asserter: Reference<AnyResource>?
  /// When a reaction was last seen.
  public var lastOccurrence: DateTime?
  /// Notes.
  public var note: [Annotation]
  /// What happened.
  public var reaction: [Reaction]

  /// Makes an allergy.
  public init(
    id: ID, identifier: [Identifier] = [], clinicalStatus: CodeableConcept? = nil,
    verificationStatus: CodeableConcept? = nil, type: OpenCode<Kind>? = nil, category: [OpenCode<Category>] = [],
    criticality: OpenCode<Criticality>? = nil, code: CodeableConcept?, patient: Reference<AnyResource>? = nil,
    encounter: Reference<AnyResource>? = nil, onset: Onset? = nil, recordedDate: DateTime? = nil,
    recorder: Reference<AnyResource>? = nil, asserter: Reference<AnyResource>? = nil, lastOccurrence: DateTime? = nil,
    note: [Annotation] = [], reaction: [Reaction] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.clinicalStatus = clinicalStatus
    self.verificationStatus = verificationStatus
    self.type = type
    self.category = category
    self.criticality = criticality
    self.code = code
    self.patient = patient
    self.encounter = encounter
    self.onset = onset
    self.recordedDate = recordedDate
    self.recorder = recorder
    self.asserter = asserter
    self.lastOccurrence = lastOccurrence
    self.note = note
    self.reaction = reaction
  }
}

extension AllergyIntolerance {
  /// What happened after an exposure.
  public struct Reaction: Hashable, Sendable {
    /// The substance, where it is a more precise one.
    public var substance: CodeableConcept?
    /// The symptoms. FHIR asks for one at least.
    public var manifestation: [CodeableConcept]
    /// The event in words.
    public var description: String?
    /// When it began.
    public var onset: DateTime?
    /// How severe it was.
    public var severity: OpenCode<Severity>?

    /// Makes a reaction.
    public init(
      substance: CodeableConcept? = nil, manifestation: [CodeableConcept], description: String? = nil,
      onset: DateTime? = nil, severity: OpenCode<Severity>? = nil
    ) {
      self.substance = substance
      self.manifestation = manifestation
      self.description = description
      self.onset = onset
      self.severity = severity
    }
  }

  /// The kinds (hl7.org/fhir/R4/valueset-allergy-intolerance-type.html).
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// By the immune system.
    case allergy
    /// In another way.
    case intolerance
  }

  /// The categories of substances (hl7.org/fhir/R4/valueset-allergy-intolerance-category.html).
  public enum Category: String, CaseIterable, Hashable, Sendable {
    /// Eaten or drunk.
    case food
    /// Given to treat.
    case medication
    /// Met in the surroundings.
    case environment
    /// Made by or from living things, such as a vaccine.
    case biologic
  }

  /// How dangerous the next exposure may be (hl7.org/fhir/R4/valueset-allergy-intolerance-criticality.html).
  public enum Criticality: String, CaseIterable, Hashable, Sendable {
    /// Not to life.
    case low
    /// Perhaps to life.
    case high
    /// Cannot be told.
    case unableToAssess = "unable-to-assess"
  }

  /// How severe a reaction was (hl7.org/fhir/R4/valueset-reaction-event-severity.html).
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// Slight.
    case mild
    /// In between.
    case moderate
    /// Dangerous.
    case severe
  }

  /// The clinical states (hl7.org/fhir/R4/valueset-allergyintolerance-clinical.html).
  public enum ClinicalStatus: String, CaseIterable, Hashable, Sendable {
    /// Would react.
    case active
    /// Thought not to react any more.
    case inactive
    /// Shown not to react any more.
    case resolved

    /// The concept to record.
    public var concept: CodeableConcept {
      CodeableConcept(coding: [Coding(system: CodeSystem.allergyClinical, code: rawValue)])
    }
  }

  /// How sure an allergy is (hl7.org/fhir/R4/valueset-allergyintolerance-verification.html).
  public enum VerificationStatus: String, CaseIterable, Hashable, Sendable {
    /// Told, not shown.
    case unconfirmed
    /// Shown.
    case confirmed
    /// Shown not to be so.
    case refuted
    /// Should never have been recorded.
    case enteredInError = "entered-in-error"

    /// The concept to record.
    public var concept: CodeableConcept {
      CodeableConcept(coding: [Coding(system: CodeSystem.allergyVerification, code: rawValue)])
    }
  }
}
