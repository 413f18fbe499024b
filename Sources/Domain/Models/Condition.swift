/// A problem, a diagnosis or another matter of concern (hl7.org/fhir/R4/condition.html).
public struct Condition: ResourceModel, ChartEntry {
  /// The id of a condition.
  public typealias ID = ResourceID<Condition>

  /// `Condition`.
  public static let resourceType = "Condition"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Whether it is active, resolved and the like.
  public var clinicalStatus: CodeableConcept?
  /// How sure it is.
  public var verificationStatus: CodeableConcept?
  /// A problem of the list, or a diagnosis of one visit.
  public var category: [CodeableConcept]
  /// How severe it is, as judged by who recorded it.
  public var severity: CodeableConcept?
  /// What it is.
  public var code: CodeableConcept?
  /// Who has it.
  public var subject: Reference<AnyResource>?
  /// The visit during which it was recorded.
  public var encounter: Reference<AnyResource>?
  /// When it began.
  public var onset: Onset?
  /// When it ended.
  public var abatement: Onset?
  /// When it was recorded.
  public var recordedDate: DateTime?
  /// Who recorded it.
  public var recorder: Reference<AnyResource>?
  /// Who says so.
  public var asserter: Reference<AnyResource>?
  /// Notes.
  public var note: [Annotation]

  /// Makes a condition.
  public init(
    id: ID, identifier: [Identifier] = [], clinicalStatus: CodeableConcept? = nil,
    verificationStatus: CodeableConcept? = nil, category: [CodeableConcept] = [], severity: CodeableConcept? = nil,
    code: CodeableConcept?, subject: Reference<AnyResource>? = nil, encounter: Reference<AnyResource>? = nil,
    onset: Onset? = nil, abatement: Onset? = nil, recordedDate: DateTime? = nil,
    recorder: Reference<AnyResource>? = nil, asserter: Reference<AnyResource>? = nil, note: [Annotation] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.clinicalStatus = clinicalStatus
    self.verificationStatus = verificationStatus
    self.category = category
    self.severity = severity
    self.code = code
    self.subject = subject
    self.encounter = encounter
    self.onset = onset
    self.abatement = abatement
    self.recordedDate = recordedDate
    self.recorder = recorder
    self.asserter = asserter
    self.note = note
  }
}

extension Condition {
  /// The clinical states (hl7.org/fhir/R4/valueset-condition-clinical.html).
  public enum ClinicalStatus: String, CaseIterable, Hashable, Sendable {
    /// Has symptoms, or is treated.
    case active
    /// Came back.
    case recurrence
    /// Came back after it was better.
    case relapse
    /// Without symptoms, but may come back.
    case inactive
    /// Without symptoms for now.
    case remission
    /// Over.
    case resolved

    /// Whether it counts as a problem that the patient has now.
    public var isCurrent: Bool {
      switch self {
      case .active, .recurrence, .relapse: true
      case .inactive, .remission, .resolved: false
      }
    }

    /// The concept to record.
    public var concept: CodeableConcept {
      CodeableConcept(coding: [Coding(system: CodeSystem.conditionClinical, code: rawValue)])
    }
  }

  /// How sure a condition is (hl7.org/fhir/R4/valueset-condition-ver-status.html).
  public enum VerificationStatus: String, CaseIterable, Hashable, Sendable {
    /// Not enough evidence yet.
    case unconfirmed
    /// A first thought.
    case provisional
    /// One of several that would explain it.
    case differential
    /// There is enough evidence.
    case confirmed
    /// Ruled out.
    case refuted
    /// Should never have been recorded.
    case enteredInError = "entered-in-error"

    /// The concept to record.
    public var concept: CodeableConcept {
      CodeableConcept(coding: [Coding(system: CodeSystem.conditionVerification, code: rawValue)])
    }
  }

  /// The category of the problems that a chart lists.
  public static let problemListItem = CodeableConcept(
    coding: [Coding(system: CodeSystem.conditionCategory, code: "problem-list-item", display: "Problem List Item")])

  /// The clinical state, where one that is known here is recorded.
  public var clinical: ClinicalStatus? {
    clinicalStatus?.code(in: CodeSystem.conditionClinical).flatMap(ClinicalStatus.init(rawValue:))
  }

  /// How sure it is, where one of the known codes is recorded.
  public var verification: VerificationStatus? {
    verificationStatus?.code(in: CodeSystem.conditionVerification).flatMap(VerificationStatus.init(rawValue:))
  }

  /// Whether it is a problem of the list.
  public var isProblemListItem: Bool {
    category.contains { $0.contains(system: CodeSystem.conditionCategory, code: "problem-list-item") }
  }

  /// What it counts as. A state that is missing or unknown counts as current: nothing is dropped for want of a code.
  public var standing: ChartStanding {
    if verification == .enteredInError { return .enteredInError }
    if verification == .refuted { return .refuted }
    if let clinical { return clinical.isCurrent ? .current : .past }
    return abatement == nil ? .current : .past
  }

  /// The patient; `nil` when it is about something else or nothing is said.
  public var patientID: Patient.ID? { subject?.id(of: Patient.self) }

  /// The visit during which it was recorded.
  public var visitID: Encounter.ID? { encounter?.id(of: Encounter.self) }

  /// When it began, else when it was recorded.
  public var sortTime: DateTime? { onset?.time ?? recordedDate }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { standing == .enteredInError }

  /// The rules of FHIR that the record breaks (hl7.org/fhir/R4/condition.html#invs).
  public var violations: [String] {
    var violations: [String] = []
    if isProblemListItem, verification != .enteredInError, clinicalStatus == nil {
      violations.append("con-3: a problem that was not entered in error needs a clinical state")
    }
    if abatement != nil, let clinical, clinical.isCurrent {
      violations.append("con-4: a problem that ended is inactive, resolved or in remission")
    }
    if verification == .enteredInError, clinicalStatus != nil {
      violations.append("con-5: a problem that was entered in error has no clinical state")
    }
    return violations
  }

  /// Ends the problem.
  ///
  /// - Throws: `notAllowed` when it does not count as current.
  public mutating func resolve(at time: DateTime) throws(AppError) {
    guard standing == .current else {
      throw AppError(.notAllowed, "the problem is \(standing.text), so it cannot be resolved")
    }
    clinicalStatus = ClinicalStatus.resolved.concept
    abatement = .dateTime(time)
  }

  /// Withdraws the record, as con-5 asks for.
  ///
  /// - Throws: `notAllowed` when it is withdrawn already.
  public mutating func retract() throws(AppError) {
    guard !isEnteredInError else {
      throw AppError(.notAllowed, "\(key) is already marked as entered in error")
    }
    verificationStatus = VerificationStatus.enteredInError.concept
    clinicalStatus = nil
  }
}
