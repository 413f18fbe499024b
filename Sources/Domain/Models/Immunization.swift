/// A vaccination that was given, or was not (hl7.org/fhir/R4/immunization.html).
public struct Immunization: ResourceModel, ChartEntry {
  /// The id of a vaccination.
  public typealias ID = ResourceID<Immunization>

  /// `Immunization`.
  public static let resourceType = "Immunization"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Whether it was given; `nil` when the record withholds it.
  public var status: OpenCode<Status>?
  /// Why it was not given.
  public var statusReason: CodeableConcept?
  /// The vaccine.
  public var vaccineCode: CodeableConcept?
  /// Who was vaccinated.
  public var patient: Reference<AnyResource>?
  /// The visit during which it was given.
  public var encounter: Reference<AnyResource>?
  /// When it was given.
  public var occurrence: Occurrence?
  /// When it was recorded.
  public var recorded: DateTime?
  /// Whether who gave it recorded it.
  public var primarySource: Bool?
  /// The lot.
  public var lotNumber: String?
  /// Who gave it.
  public var performer: [Performer]
  /// Notes.
  public var note: [Annotation]

  /// Makes a vaccination.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<Status>?, statusReason: CodeableConcept? = nil,
    vaccineCode: CodeableConcept?, patient: Reference<AnyResource>? = nil, encounter: Reference<AnyResource>? = nil,
    occurrence: Occurrence? = nil, recorded: DateTime? = nil, primarySource: Bool? = nil, lotNumber: String? = nil,
    performer: [Performer] = [], note: [Annotation] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.statusReason = statusReason
    self.vaccineCode = vaccineCode
    self.patient = patient
    self.encounter = encounter
    self.occurrence = occurrence
    self.recorded = recorded
    self.primarySource = primarySource
    self.lotNumber = lotNumber
    self.performer = performer
    self.note = note
  }
}

extension Immunization {
  /// Whether it was given (hl7.org/fhir/R4/valueset-immunization-status.html).
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// Given.
    case completed
    /// Should never have been recorded.
    case enteredInError = "entered-in-error"
    /// Not given.
    case notDone = "not-done"
  }

  /// When it was given.
  public enum Occurrence: Hashable, Sendable {
    /// A date of some precision, or a point in time.
    case dateTime(DateTime)
    /// In words, such as "as a child".
    case string(String)

    /// For people; `nil` when there is nothing to show.
    public func displayText(in zone: ClinicZone) -> String? {
      switch self {
      case .dateTime(let time): time.displayText(in: zone)
      case .string(let text): text.nonBlank
      }
    }
  }

  /// Who gave it.
  public struct Performer: Hashable, Sendable {
    /// The role.
    public var function: CodeableConcept?
    /// Who.
    public var actor: Reference<AnyResource>

    /// Makes a performer.
    public init(function: CodeableConcept? = nil, actor: Reference<AnyResource>) {
      self.function = function
      self.actor = actor
    }
  }

  /// What it counts as: one that was not given is no vaccination, and is shown as such.
  public var standing: ChartStanding {
    switch status?.known {
    case .enteredInError: .enteredInError
    case .notDone: .refuted
    case .completed, nil: .current
    }
  }

  /// The patient; `nil` when nothing is said.
  public var patientID: Patient.ID? { patient?.id(of: Patient.self) }

  /// The visit during which it was given.
  public var visitID: Encounter.ID? { encounter?.id(of: Encounter.self) }

  /// When it was given, else when it was recorded.
  public var sortTime: DateTime? {
    if case .dateTime(let time) = occurrence { time } else { recorded }
  }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { status == .known(.enteredInError) }

  /// Withdraws the record.
  ///
  /// - Throws: `notAllowed` when it is withdrawn already.
  public mutating func retract() throws(AppError) {
    guard !isEnteredInError else { throw AppError(.notAllowed, "\(key) is already marked as entered in error") }
    status = .known(.enteredInError)
  }
}
