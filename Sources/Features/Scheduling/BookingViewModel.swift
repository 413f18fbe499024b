public import DesignSystem
public import Domain
public import Observation

/// The booking of an appointment.
@Observable
public final class BookingViewModel {
  /// What became of the booking.
  public private(set) var state: ActionState<Booked> = .idle

  private let repositories: SchedulingRepositories
  private let coordinator: any SchedulingCoordinating
  private let errors: any ErrorRouting
  private let context: ClinicContext
  private let hours: WorkingHours?

  /// Creates the model of a booking.
  ///
  /// - Parameter hours: The working hours of the profile.
  public init(
    repositories: SchedulingRepositories, coordinator: any SchedulingCoordinating, errors: any ErrorRouting,
    context: ClinicContext, hours: WorkingHours? = nil
  ) {
    self.repositories = repositories
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.hours = hours
  }

  /// Books an appointment, and opens it.
  ///
  /// - Parameters:
  ///   - entered: What was entered, to be kept as long as it is not saved.
  ///   - confirmed: False refuses a time outside of working hours, naming these.
  public func book(
    _ request: BookingRequest, entered: String, confirmed: Bool = false, reading: ReadMode
  ) async {
    state = .working
    do throws(AppError) {
      let booked = try await write(request, confirmed: confirmed, reading: reading)
      state = .done(booked)
      coordinator.dismissPresented()
      coordinator.showAppointment(Appointment.ID(booked.echo.key.id))
    } catch {
      errors.present(error)
      state = .failed(error)
      coordinator.presentBooking(for: request.patient)
      coordinator.keepUnsaved(
        UnsavedEntry(what: "the booking on \(request.start.day) \(request.start.timeText)", entered: entered))
    }
  }

  private func write(
    _ request: BookingRequest, confirmed: Bool, reading: ReadMode
  ) async throws(AppError) -> Booked {
    let patient = try await repositories.patients.subject(request.patient, for: "appointment", mode: reading)
    if let replacement = patient.replacedBy {
      throw AppError(
        .notAllowed, "\(patient.displayName) was merged into another record", hint: "book for \(replacement.key)")
    }
    let start = try context.zone.instant(for: request.start, choice: request.choice, field: "when")
    let end = start.adding(seconds: Int64(request.minutes) * 60)
    var draft = Appointment(
      id: Appointment.ID(""), status: .known(.booked), start: start, end: context.zone.written(end),
      participant: [
        Appointment.Participant(
          actor: Reference(patient.key, display: patient.nameText))
      ])
    if let reason = request.reason { draft.reasonCode = [CodeableConcept(text: reason)] }
    var scheduled = ScheduledAppointment(appointment: draft, patient: patient, isPending: true)
    if let id = request.practitioner {
      let answer = await repositories.practitioners.practitioner(id, policy: .localOnly).first()
      let practitioner = try known(answer?.value, id.key)
      scheduled.practitioner = practitioner
      draft.participant.append(
        Appointment.Participant(actor: Reference(practitioner.key, display: practitioner.displayName)))
    }
    if let id = request.location {
      let answer = await repositories.locations.location(id, policy: .localOnly).first()
      let location = try known(answer?.value, id.key)
      scheduled.location = location
      draft.participant.append(Appointment.Participant(actor: Reference(location.key, display: location.displayName)))
    }
    let doubt = await WorkingTime(schedules: repositories.schedules, hours: hours, context: context)
      .doubt(about: start..<end, practitioner: request.practitioner, location: request.location)
    if let doubt, !confirmed { throw AppError(.needsConfirmation, "\(doubt): book it all the same?") }
    let receipt = try await repositories.appointments.book(draft, allowingOverlap: request.allowsOverlap)
    draft.id = Appointment.ID(receipt.key.id)
    scheduled.appointment = draft
    let entry = ScheduleEntry(scheduled, context: context)
    let warnings = [start < context.clock.now() ? "the appointment lies in the past" : nil, doubt].compactMap(\.self)
    let echo = WriteEcho(
      "Appointment booked", patient: entry.patient, receipts: [receipt], fallback: receipt.key, details: entry.details,
      warnings: warnings)
    return Booked(echo: echo, entry: entry, zone: context.zone)
  }

  private func known<Model>(_ model: Model?, _ key: ResourceKey) throws(AppError) -> Model {
    guard let model else {
      throw AppError(.notFound, "\(key) is not known here", hint: "sync, or give another id")
    }
    return model
  }
}

/// What is to be booked.
public nonisolated struct BookingRequest: Hashable, Sendable {
  /// For whom.
  public var patient: Patient.ID
  /// When, on the clinic's clock.
  public var start: LocalDateTime
  /// What is meant when the clock is changed at that time.
  public var choice: ClockChoice?
  /// How long, in minutes.
  public var minutes: Int
  /// With whom.
  public var practitioner: Practitioner.ID?
  /// Where.
  public var location: Location.ID?
  /// Why.
  public var reason: String?
  /// Whether it may collide with others.
  public var allowsOverlap: Bool

  /// Creates a request.
  public init(
    patient: Patient.ID, start: LocalDateTime, choice: ClockChoice? = nil, minutes: Int,
    practitioner: Practitioner.ID? = nil, location: Location.ID? = nil, reason: String? = nil,
    allowsOverlap: Bool = false
  ) {
    self.patient = patient
    self.start = start
    self.choice = choice
    self.minutes = minutes
    self.practitioner = practitioner
    self.location = location
    self.reason = reason
    self.allowsOverlap = allowsOverlap
  }
}

/// A booking that is durable here.
public nonisolated struct Booked: Hashable, Sendable {
  /// What is echoed.
  public var echo: WriteEcho
  /// The appointment.
  public var entry: ScheduleEntry
  /// The clinic's zone.
  public var zone: ClinicZone
}
