/// A meeting planned between a patient and others (hl7.org/fhir/R4/appointment.html).
public struct Appointment: ResourceModel {
  /// The id of an appointment.
  public typealias ID = ResourceID<Appointment>

  /// `Appointment`.
  public static let resourceType = "Appointment"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Where in its life the appointment is; `nil` when the record withholds it.
  public var status: OpenCode<AppointmentStatus>?
  /// Why it was cancelled or missed.
  public var cancelationReason: CodeableConcept?
  /// What is to be done.
  public var serviceType: [CodeableConcept]
  /// Why it takes place.
  public var reasonCode: [CodeableConcept]
  /// Shown in a list of appointments.
  public var description: String?
  /// When it starts.
  public var start: Instant?
  /// When it ends; this moment is no longer part of it.
  public var end: Instant?
  /// How many minutes are planned, when that differs from the time between start and end or these are unknown.
  public var minutesDuration: Int?
  /// The slots of those who take part that it fills.
  public var slot: [Reference<Slot>]
  /// More about it.
  public var comment: String?
  /// Who and what takes part.
  public var participant: [Participant]

  /// Makes an appointment.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<AppointmentStatus>?,
    cancelationReason: CodeableConcept? = nil, serviceType: [CodeableConcept] = [], reasonCode: [CodeableConcept] = [],
    description: String? = nil, start: Instant? = nil, end: Instant? = nil, minutesDuration: Int? = nil,
    slot: [Reference<Slot>] = [], comment: String? = nil, participant: [Participant] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.cancelationReason = cancelationReason
    self.serviceType = serviceType
    self.reasonCode = reasonCode
    self.description = description
    self.start = start
    self.end = end
    self.minutesDuration = minutesDuration
    self.slot = slot
    self.comment = comment
    self.participant = participant
  }
}

extension Appointment {
  /// Who or what takes part in an appointment.
  public struct Participant: Hashable, Sendable {
    /// The role in the appointment.
    public var type: [CodeableConcept]
    /// The person, place or thing.
    public var actor: Reference<AnyResource>?
    /// Whether the participant has accepted; `nil` when the record withholds it.
    public var status: OpenCode<ParticipationStatus>?

    /// Makes a participant.
    public init(
      actor: Reference<AnyResource>?, status: OpenCode<ParticipationStatus>? = .known(.accepted),
      type: [CodeableConcept] = []
    ) {
      self.type = type
      self.actor = actor
      self.status = status
    }
  }

  /// Whether a participant has accepted (hl7.org/fhir/R4/valueset-participationstatus.html).
  public enum ParticipationStatus: String, CaseIterable, Hashable, Sendable {
    /// Will take part.
    case accepted
    /// Will not take part.
    case declined
    /// May take part.
    case tentative
    /// Has not answered.
    case needsAction = "needs-action"
  }

  /// The first participant that is a patient.
  public var patient: Reference<Patient>? { first() }

  /// The first participant that is a practitioner.
  public var practitioner: Reference<Practitioner>? { first() }

  /// The first participant that is a location.
  public var location: Reference<Location>? { first() }

  private func first<Target: ResourceModel>() -> Reference<Target>? {
    for case let actor? in participant.map(\.actor) {
      guard (actor.key?.type ?? actor.type) == Target.resourceType else { continue }
      return Reference(
        reference: actor.reference, type: actor.type, identifier: actor.identifier, display: actor.display)
    }
    return nil
  }
}
