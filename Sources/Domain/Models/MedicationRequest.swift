/// A medication that was ordered for a patient (hl7.org/fhir/R4/medicationrequest.html).
public struct MedicationRequest: ResourceModel, ChartEntry {
  /// The id of a request.
  public typealias ID = ResourceID<MedicationRequest>

  /// `MedicationRequest`.
  public static let resourceType = "MedicationRequest"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Where in its life it is; `nil` when the record withholds it.
  public var status: OpenCode<MedicationRequestStatus>?
  /// Why it is in that state.
  public var statusReason: CodeableConcept?
  /// Whether it is a proposal, a plan or an order.
  public var intent: OpenCode<Intent>?
  /// What is to be taken.
  public var medication: Medication?
  /// By whom.
  public var subject: Reference<AnyResource>?
  /// The visit during which it was ordered.
  public var encounter: Reference<AnyResource>?
  /// When it was ordered.
  public var authoredOn: DateTime?
  /// Who ordered it.
  public var requester: Reference<AnyResource>?
  /// Who recorded it.
  public var recorder: Reference<AnyResource>?
  /// Why it was ordered.
  public var reasonCode: [CodeableConcept]
  /// Notes.
  public var note: [Annotation]
  /// How it is to be taken.
  public var dosageInstruction: [Dosage]

  /// Makes a request.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<MedicationRequestStatus>?,
    statusReason: CodeableConcept? = nil, intent: OpenCode<Intent>? = .known(.order), medication: Medication?,
    subject: Reference<AnyResource>? = nil, encounter: Reference<AnyResource>? = nil, authoredOn: DateTime? = nil,
    requester: Reference<AnyResource>? = nil, recorder: Reference<AnyResource>? = nil,
    reasonCode: [CodeableConcept] = [], note: [Annotation] = [], dosageInstruction: [Dosage] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.statusReason = statusReason
    self.intent = intent
    self.medication = medication
    self.subject = subject
    self.encounter = encounter
    self.authoredOn = authoredOn
    self.requester = requester
    self.recorder = recorder
    self.reasonCode = reasonCode
    self.note = note
    self.dosageInstruction = dosageInstruction
  }
}

extension MedicationRequest {
  /// What is to be taken.
  public enum Medication: Hashable, Sendable {
    /// By code or text.
    case codeableConcept(CodeableConcept)
    /// By another record.
    case reference(Reference<AnyResource>)

    /// For people; `nil` when there is nothing to show.
    public var displayText: String? {
      switch self {
      case .codeableConcept(let concept): concept.displayText
      case .reference(let reference): reference.displayText
      }
    }

    /// The concept to compare with allergies: of a reference, its words.
    public var concept: CodeableConcept {
      switch self {
      case .codeableConcept(let concept): concept
      case .reference(let reference): CodeableConcept(text: reference.display)
      }
    }
  }

  /// How a medication is to be taken. The text is kept and shown as written; the structured form stays in the document.
  public struct Dosage: Hashable, Sendable {
    /// The instruction as written.
    public var text: String?
    /// The instruction for the patient.
    public var patientInstruction: String?
    /// What a structured form without a text says of amount and times; only for showing, never written.
    public var structured: String?

    /// Makes an instruction.
    public init(text: String? = nil, patientInstruction: String? = nil, structured: String? = nil) {
      self.text = text
      self.patientInstruction = patientInstruction
      self.structured = structured
    }

    /// For people: as written, else what the structured form says; `nil` when there is nothing to show.
    public var displayText: String? { text?.nonBlank ?? patientInstruction?.nonBlank ?? structured?.nonBlank }
  }

  /// What a request means (hl7.org/fhir/R4/valueset-medicationrequest-intent.html).
  public enum Intent: String, CaseIterable, Hashable, Sendable {
    /// Suggested.
    case proposal
    /// Intended.
    case plan
    /// Ordered.
    case order
    /// The first of a chain of orders.
    case originalOrder = "original-order"
    /// Follows from another by rule.
    case reflexOrder = "reflex-order"
    /// As understood by who fills it.
    case fillerOrder = "filler-order"
    /// One of a repeated order.
    case instanceOrder = "instance-order"
    /// One of several to choose from.
    case option
  }

  /// The dose as written; `nil` when none is recorded.
  public var doseText: String? {
    let texts = dosageInstruction.compactMap(\.displayText)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// What it counts as. On hold is current: the patient has it, for now without taking it.
  public var standing: ChartStanding {
    switch status?.known {
    case .enteredInError: .enteredInError
    case .stopped, .completed, .cancelled: .past
    case .active, .onHold, .draft, .unknown, nil: .current
    }
  }

  /// The patient; `nil` when it is for something else or nothing is said.
  public var patientID: Patient.ID? { subject?.id(of: Patient.self) }

  /// The visit during which it was ordered.
  public var visitID: Encounter.ID? { encounter?.id(of: Encounter.self) }

  /// When it was ordered.
  public var sortTime: DateTime? { authoredOn }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { status == .known(.enteredInError) }

  /// Leads it into a state.
  ///
  /// - Throws: `notAllowed` when the state machine forbids it or the present state is not known here.
  public mutating func become(_ next: MedicationRequestStatus, reason: String? = nil) throws(AppError) {
    guard let present = status?.known else {
      let recorded = status.map { "\"\($0.rawValue)\"" } ?? "withheld"
      throw AppError(.notAllowed, "the medication's state is \(recorded), so what may follow is not known")
    }
    if let refusal = present.refusal(toBecome: next) { throw AppError(.notAllowed, refusal) }
    status = .known(next)
    statusReason = reason?.nonBlank.map { CodeableConcept(text: $0) }
  }
}

/// Where in its life a medication request is (hl7.org/fhir/R4/valueset-medicationrequest-status.html).
public enum MedicationRequestStatus: String, CaseIterable, Hashable, Sendable {
  /// In force.
  case active
  /// Not in force for now.
  case onHold = "on-hold"
  /// Withdrawn before anything was given.
  case cancelled
  /// All was given.
  case completed
  /// Should never have been recorded.
  case enteredInError = "entered-in-error"
  /// Ended before all was given.
  case stopped
  /// Not in force yet.
  case draft
  /// The source does not know.
  case unknown

  /// The states that may follow this one. What ended is history: it is ordered again as a new one.
  public var successors: Set<MedicationRequestStatus> {
    switch self {
    case .draft: [.active, .cancelled, .enteredInError]
    case .active: [.onHold, .stopped, .completed, .cancelled, .enteredInError]
    case .onHold: [.active, .stopped, .cancelled, .enteredInError]
    case .unknown: [.active, .onHold, .stopped, .completed, .enteredInError]
    case .stopped, .completed, .cancelled: [.enteredInError]
    case .enteredInError: []
    }
  }

  /// Why it may not go from this state to another, without a full stop; `nil` when it may.
  public func refusal(toBecome next: MedicationRequestStatus) -> String? {
    if successors.contains(next) { return nil }
    if next == self { return "the medication is already \(rawValue)" }
    return "a medication that is \(rawValue) cannot become \(next.rawValue)"
  }
}
