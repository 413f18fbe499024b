/// A visit of a patient (hl7.org/fhir/R4/encounter.html).
public struct Encounter: ResourceModel, ChartEntry {
  /// The id of a visit.
  public typealias ID = ResourceID<Encounter>

  /// `Encounter`.
  public static let resourceType = "Encounter"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Where in its life the visit is; `nil` when the record withholds it.
  public var status: OpenCode<EncounterStatus>?
  /// The states before, oldest first.
  public var statusHistory: [StatusHistory]
  /// What kind of encounter it is, such as ambulatory. FHIR's element is `class`.
  public var encounterClass: Coding?
  /// What kind of visit it is.
  public var type: [CodeableConcept]
  /// The patient.
  public var subject: Reference<AnyResource>?
  /// Who took part besides the patient.
  public var participant: [Participant]
  /// The appointments that led to it.
  public var appointment: [Reference<Appointment>]
  /// When it took place.
  public var period: Period?
  /// Why it took place.
  public var reasonCode: [CodeableConcept]
  /// Where it took place.
  public var location: [Place]

  /// Makes a visit.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<EncounterStatus>?, statusHistory: [StatusHistory] = [],
    encounterClass: Coding? = nil, type: [CodeableConcept] = [], subject: Reference<AnyResource>? = nil,
    participant: [Participant] = [], appointment: [Reference<Appointment>] = [], period: Period? = nil,
    reasonCode: [CodeableConcept] = [], location: [Place] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.statusHistory = statusHistory
    self.encounterClass = encounterClass
    self.type = type
    self.subject = subject
    self.participant = participant
    self.appointment = appointment
    self.period = period
    self.reasonCode = reasonCode
    self.location = location
  }
}

extension Encounter {
  /// A state that a visit was in before.
  public struct StatusHistory: Hashable, Sendable {
    /// The state.
    public var status: OpenCode<EncounterStatus>?
    /// When the visit was in it.
    public var period: Period

    /// Makes an entry.
    public init(status: OpenCode<EncounterStatus>?, period: Period) {
      self.status = status
      self.period = period
    }
  }

  /// Who took part besides the patient.
  public struct Participant: Hashable, Sendable {
    /// The role.
    public var type: [CodeableConcept]
    /// When.
    public var period: Period?
    /// Who.
    public var individual: Reference<AnyResource>?

    /// Makes a participant.
    public init(type: [CodeableConcept] = [], period: Period? = nil, individual: Reference<AnyResource>? = nil) {
      self.type = type
      self.period = period
      self.individual = individual
    }
  }

  /// Where a visit took place.
  public struct Place: Hashable, Sendable {
    /// The place.
    public var location: Reference<Location>
    /// When the patient was there.
    public var period: Period?

    /// Makes a place.
    public init(location: Reference<Location>, period: Period? = nil) {
      self.location = location
      self.period = period
    }
  }

  /// An outpatient visit, in the class that FHIR requires.
  public static let ambulatory = Coding(system: CodeSystem.actCode, code: "AMB", display: "ambulatory")

  /// The patient; `nil` when the visit is of something else or nothing is said.
  public var patientID: Patient.ID? { subject?.id(of: Patient.self) }

  /// Itself.
  public var visitID: Encounter.ID? { id }

  /// When it began.
  public var sortTime: DateTime? { period?.start ?? period?.end }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { status == .known(.enteredInError) }

  /// Whether the patient is here on account of it. A state that is not known counts as not open.
  public var isOpen: Bool { status?.known?.isOpen ?? false }

  /// Leads the visit into a state: keeps the state before in the history, begins the period when it starts, and ends it
  /// when it is over.
  ///
  /// - Throws: `notAllowed` when the state machine forbids it or the present state is not known here.
  public mutating func become(_ next: EncounterStatus, at now: Instant) throws(AppError) {
    guard let present = status?.known else {
      let recorded = status.map { "\"\($0.rawValue)\"" } ?? "withheld"
      throw AppError(.notAllowed, "the visit's state is \(recorded), so what may follow is not known")
    }
    if let refusal = present.refusal(toBecome: next) {
      throw AppError(.notAllowed, refusal.hasSuffix(".") ? String(refusal.dropLast()) : refusal)
    }
    let since = statusHistory.last?.period.end ?? period?.start
    statusHistory.append(StatusHistory(status: status, period: Period(start: since, end: .instant(now))))
    status = .known(next)
    if next.isOpen, period?.start == nil { period = Period(start: .instant(now), end: period?.end) }
    if next == .finished { period = Period(start: period?.start ?? .instant(now), end: .instant(now)) }
  }
}
