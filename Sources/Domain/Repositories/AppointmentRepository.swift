/// The clinic's appointments.
public protocol AppointmentRepository: Sendable {
  /// One appointment.
  func appointment(_ id: Appointment.ID, policy: ReadPolicy) -> Snapshots<ScheduledAppointment>

  /// The appointments that touch a span of time, by start.
  func appointments(matching query: AppointmentQuery, policy: ReadPolicy) -> Snapshots<[ScheduledAppointment]>

  /// Books an appointment. The id in `appointment` is ignored: the receipt names the new one.
  ///
  /// - Parameter allowingOverlap: false refuses an appointment that collides with another of the same patient,
  ///   practitioner or location.
  /// - Throws: `collision` naming what it collides with; `invalidInput`; store errors.
  func book(_ appointment: Appointment, allowingOverlap: Bool) async throws(AppError) -> WriteReceipt

  /// Changes an appointment: `change` gets the current local view, inside the write's transaction.
  ///
  /// - Throws: `notFound`, `deleted`, `notAllowed` when the state machine forbids the change, `collision`; store errors.
  func edit(
    _ id: Appointment.ID, allowingOverlap: Bool,
    _ change: @escaping @Sendable (inout Appointment) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt
}

/// A span of the schedule.
public struct AppointmentQuery: Hashable, Sendable {
  /// Half-open: an appointment that ends at its start, or begins at its end, is not in it.
  public var span: Range<Instant>
  /// Only those with this patient.
  public var patient: Patient.ID?
  /// Only those with this practitioner.
  public var practitioner: Practitioner.ID?
  /// Only those at this location.
  public var location: Location.ID?

  /// Creates a query.
  public init(
    span: Range<Instant>, patient: Patient.ID? = nil, practitioner: Practitioner.ID? = nil,
    location: Location.ID? = nil
  ) {
    self.span = span
    self.patient = patient
    self.practitioner = practitioner
    self.location = location
  }
}

/// An appointment with the names of those who take part, all read at the same moment.
public struct ScheduledAppointment: Hashable, Sendable, Identifiable {
  /// The appointment.
  public var appointment: Appointment
  /// The patient, when known locally.
  public var patient: Patient?
  /// The practitioner, when known locally.
  public var practitioner: Practitioner?
  /// The location, when known locally.
  public var location: Location?
  /// True while edits of the appointment wait to be sent.
  public var isPending: Bool

  /// Creates an entry of the schedule.
  public init(
    appointment: Appointment, patient: Patient? = nil, practitioner: Practitioner? = nil, location: Location? = nil,
    isPending: Bool = false
  ) {
    self.appointment = appointment
    self.patient = patient
    self.practitioner = practitioner
    self.location = location
    self.isPending = isPending
  }

  /// The appointment's id.
  public var id: Appointment.ID { appointment.id }
}
