public import DesignSystem
public import Domain
public import Observation

/// One appointment: shown, moved, and led through its states.
@Observable
public final class AppointmentViewModel {
  /// What is shown.
  public private(set) var state: LoadState<AppointmentDisplay> = .idle
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  private let id: Appointment.ID
  private let appointments: any AppointmentRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext
  private let workingTime: WorkingTime

  /// Creates the model of one appointment.
  ///
  /// - Parameter hours: The working hours of the profile.
  public init(
    id: Appointment.ID, appointments: any AppointmentRepository, schedules: any ScheduleRepository,
    errors: any ErrorRouting, context: ClinicContext, hours: WorkingHours? = nil
  ) {
    self.id = id
    self.appointments = appointments
    self.errors = errors
    self.context = context
    workingTime = WorkingTime(schedules: schedules, hours: hours, context: context)
  }

  /// Shows the appointment.
  public func load(reading: ReadMode) async {
    state = .loading
    await appointments.appointment(id, policy: reading.policy).listen(reading) { snapshot in
      if let value = snapshot.value {
        state = .showing(
          AppointmentDisplay(
            entry: ScheduleEntry(value, context: context), status: AnswerStatus(snapshot, context), zone: context.zone))
        if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
      } else if snapshot.isDeleted {
        fail(AppError(.deleted, "\(id.key) was deleted at the server"))
      } else if snapshot.revalidation != .running || reading != .settled {
        fail(.unknown(id.key, mode: reading, revalidation: snapshot.revalidation))
      }
    }
  }

  /// Changes the appointment.
  ///
  /// - Parameter confirmed: False refuses a change that calls the appointment off, naming it, and a time outside of
  ///   working hours, naming these.
  public func perform(_ action: AppointmentAction, allowingOverlap: Bool = false, confirmed: Bool = true) async {
    change = .working
    do throws(AppError) {
      if !confirmed, let question = try await question(before: action) { throw question }
      let receipt = try await appointments.edit(id, allowingOverlap: allowingOverlap) { appointment throws(AppError) in
        try action.apply(to: &appointment)
      }
      let after = await appointments.appointment(Appointment.ID(receipt.key.id), policy: .localOnly).first()
      let entry = after?.value.map { ScheduleEntry($0, context: context) }
      change = .done(
        WriteEcho(
          action.done, patient: entry?.patient, receipts: [receipt], fallback: id.key, details: entry?.details ?? []))
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  private func question(before action: AppointmentAction) async throws(AppError) -> AppError? {
    switch action {
    case .arrive, .noShow: return nil
    case .cancel:
      let entry = ScheduleEntry(try await present(), context: context)
      let who = entry.patient?.text ?? entry.patientText
      return AppError(.needsConfirmation, "cancel the appointment of \(who) on \(entry.when)?")
    case .move:
      let before = try await present().appointment
      var after = before
      try action.apply(to: &after)
      guard let interval = after.interval else { return nil }
      if let old = before.interval, interval.lowerBound.isSamePoint(as: old.lowerBound),
        interval.upperBound.isSamePoint(as: old.upperBound)
      {
        return nil
      }
      let doubt = await workingTime.doubt(
        about: interval, practitioner: after.practitioner?.id, location: after.location?.id)
      return doubt.map { AppError(.needsConfirmation, "\($0): move it all the same?") }
    }
  }

  /// The appointment as it is known here.
  private func present() async throws(AppError) -> ScheduledAppointment {
    guard let answer = await appointments.appointment(id, policy: .localOnly).first() else { throw .interrupted }
    guard let value = answer.value else {
      throw .unknown(id.key, mode: .local, revalidation: answer.revalidation)
    }
    return value
  }

  private func fail(_ error: AppError) {
    errors.present(error)
    state = .failed(error)
  }
}

/// One appointment, ready to be shown.
public nonisolated struct AppointmentDisplay: Hashable, Sendable {
  /// The appointment.
  public var entry: ScheduleEntry
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone
}

extension ScheduleEntry {
  /// What every write on an appointment echoes.
  nonisolated var details: [WriteEcho.Detail] {
    var details = [WriteEcho.Detail("when", when)]
    if patient == nil { details.append(WriteEcho.Detail("patient", patientText)) }
    if let practitioner { details.append(WriteEcho.Detail("practitioner", practitioner)) }
    if let location { details.append(WriteEcho.Detail("location", location)) }
    if let reason { details.append(WriteEcho.Detail("reason", reason)) }
    details.append(WriteEcho.Detail("status", status))
    return details
  }
}
