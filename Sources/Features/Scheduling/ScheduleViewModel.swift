public import DesignSystem
public import Domain
public import Observation

/// The appointments of a day or a week.
@Observable
public final class ScheduleViewModel {
  /// What is shown.
  public private(set) var state: LoadState<ScheduleDisplay> = .idle
  /// What the last answer changed in the entries, withdrawn ones among them.
  public private(set) var changes = ListChanges<Appointment.ID>()

  private let repositories: SchedulingRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext
  private let hours: WorkingHours?
  @ObservationIgnored private var parts = Parts()
  @ObservationIgnored private var entries: [ScheduleEntry] = []

  /// Creates the model of a schedule.
  ///
  /// - Parameter hours: The working hours of the profile.
  public init(
    repositories: SchedulingRepositories, errors: any ErrorRouting, context: ClinicContext, hours: WorkingHours? = nil
  ) {
    self.repositories = repositories
    self.errors = errors
    self.context = context
    self.hours = hours
  }

  /// The answers so far.
  private nonisolated struct Parts: Sendable {
    var appointments: Snapshot<[ScheduledAppointment]>?
    var slots: Snapshot<[ScheduledSlot]>?
    var schedules: Snapshot<[Schedule]>?
  }

  /// Shows a part of the clinic's calendar, whole or only what concerns the given ones.
  public func load(_ request: ScheduleRequest, reading: ReadMode) async {
    state = .loading
    parts = Parts()
    entries = []
    let days = request.days
    let span =
      context.zone.bounds(of: days.lowerBound).lowerBound..<context.zone.bounds(of: days.upperBound).upperBound
    let query = AppointmentQuery(
      span: span, patient: request.patient, practitioner: request.practitioner, location: request.location)
    let policy = reading.policy
    async let a: Void = follow(
      repositories.appointments.appointments(matching: query, policy: policy), request, reading
    ) { $0.appointments = $1 }
    async let b: Void = follow(repositories.schedules.slots(in: span, policy: policy), request, reading) {
      $0.slots = $1
    }
    async let c: Void = follow(repositories.schedules.schedules(policy: policy), request, reading) {
      $0.schedules = $1
    }
    _ = await (a, b, c)
    if reading == .settled, case .failed(let error)? = parts.appointments?.revalidation { errors.present(error) }
  }

  private func follow<Value>(
    _ snapshots: Snapshots<Value>, _ request: ScheduleRequest, _ reading: ReadMode,
    _ set: @escaping @Sendable (inout Parts, Snapshot<Value>) -> Void
  ) async {
    await snapshots.listen(reading) { snapshot in
      set(&parts, snapshot)
      show(request)
    }
  }

  private func show(_ request: ScheduleRequest) {
    guard let answer = parts.appointments, let slots = parts.slots, let schedules = parts.schedules else { return }
    changes = entries.update(to: (answer.value ?? []).map { ScheduleEntry($0, context: context) })
    let plan = {
      [zone = context.zone, hours] (day: CalendarDay, practitioner: Practitioner.ID?, location: Location.ID?) in
      PlannedTime(
        of: practitioner, at: location, on: day, slots: slots.value ?? [], schedules: schedules.value ?? [],
        hours: hours, zone: zone)
    }
    state = .showing(
      ScheduleDisplay(
        request: request, today: context.today,
        sections: ScheduleSection.sections(
          of: entries.filter { !$0.isWithdrawn }, request: request, zone: context.zone, plan: plan),
        withdrawn: entries.filter(\.isWithdrawn), status: AnswerStatus(answer, context), zone: context.zone))
  }
}
