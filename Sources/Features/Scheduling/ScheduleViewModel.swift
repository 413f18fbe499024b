public import DesignSystem
public import Domain
public import Observation

/// The appointments of a day.
@Observable
public final class ScheduleViewModel {
  /// What is shown.
  public private(set) var state: LoadState<ScheduleDisplay> = .idle
  /// What the last answer changed in the day's entries, withdrawn ones among them.
  public private(set) var changes = ListChanges<Appointment.ID>()

  private let appointments: any AppointmentRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of a schedule.
  public init(appointments: any AppointmentRepository, errors: any ErrorRouting, context: ClinicContext) {
    self.appointments = appointments
    self.errors = errors
    self.context = context
  }

  /// Shows a day of the clinic's calendar, whole or only what concerns the given ones.
  public func load(
    _ day: CalendarDay, patient: Patient.ID? = nil, practitioner: Practitioner.ID? = nil, location: Location.ID? = nil,
    reading: ReadMode
  ) async {
    state = .loading
    var entries: [ScheduleEntry] = []
    let query = AppointmentQuery(
      span: context.zone.bounds(of: day), patient: patient, practitioner: practitioner, location: location)
    await appointments.appointments(matching: query, policy: reading.policy).listen(reading) { snapshot in
      changes = entries.update(to: (snapshot.value ?? []).map { ScheduleEntry($0, context: context) })
      state = .showing(
        ScheduleDisplay(
          day: day, isToday: day == context.today, isFiltered: patient != nil || practitioner != nil || location != nil,
          entries: entries.filter { !$0.isWithdrawn }, withdrawn: entries.filter(\.isWithdrawn),
          status: AnswerStatus(snapshot, context), zone: context.zone))
      if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
    }
  }
}

/// A day's appointments, ready to be shown.
public nonisolated struct ScheduleDisplay: Hashable, Sendable {
  /// The day.
  public var day: CalendarDay
  /// Whether it is the present day.
  public var isToday: Bool
  /// Whether only a part of the day's appointments is asked for.
  public var isFiltered: Bool
  /// By start.
  public var entries: [ScheduleEntry]
  /// Those that were entered in error: kept apart, never counted.
  public var withdrawn: [ScheduleEntry]
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone

  /// The zone's short name on this day; `nil` on a day on which the clock is changed, where every time needs its own.
  var onlyAbbreviation: String? {
    let bounds = zone.bounds(of: day)
    let last = bounds.upperBound.adding(seconds: -1)
    return zone.offset(at: bounds.lowerBound) == zone.offset(at: last)
      ? zone.abbreviation(at: bounds.lowerBound) : nil
  }
}

/// One appointment, ready to be shown.
public nonisolated struct ScheduleEntry: Hashable, Sendable, Identifiable {
  /// The local id.
  public var id: Appointment.ID
  /// When it starts.
  public var start: Instant?
  /// When it ends.
  public var end: Instant?
  /// When it takes place, in full, on the clinic's clock.
  public var when: String
  /// The patient, when known here.
  public var patient: PatientIdentity?
  /// Who is to be seen: the patient's name, or what the appointment says of a patient who is not known here.
  public var patientText: String
  /// The practitioner's name.
  public var practitioner: String?
  /// The place's name.
  public var location: String?
  /// The state as recorded.
  public var status: String
  /// Why it takes place.
  public var reason: String?
  /// Why it was cancelled or missed.
  public var cancelationReason: String?
  /// What else is noted.
  public var comment: String?
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether it was entered in error.
  public var isWithdrawn: Bool
  /// Whether it takes up time.
  public var occupiesTime: Bool

  init(_ entry: ScheduledAppointment, context: ClinicContext) {
    let appointment = entry.appointment
    id = appointment.id
    start = appointment.interval?.lowerBound ?? appointment.start
    end = appointment.interval?.upperBound
    if let start, let end {
      when = context.zone.text(from: start, to: end)
    } else {
      when = start.map { "\(context.zone.text($0)), length not recorded" } ?? "time not recorded"
    }
    patient = entry.patient.map { PatientIdentity($0, today: context.today) }
    patientText = patient?.displayName ?? appointment.patient?.displayText ?? "patient not named"
    practitioner = entry.practitioner?.displayName ?? appointment.practitioner?.displayText
    location = entry.location?.displayName ?? appointment.location?.displayText
    status = appointment.status?.rawValue ?? "not given"
    let reasons = appointment.reasonCode.compactMap(\.displayText)
    reason = reasons.isEmpty ? appointment.description : reasons.joined(separator: ", ")
    cancelationReason = appointment.cancelationReason?.displayText
    comment = appointment.comment
    isPending = entry.isPending
    isWithdrawn = appointment.status == .known(.enteredInError)
    occupiesTime = appointment.occupiesTime
  }

  /// When it takes place, without what the page's title says: the day, and the zone where the clock is not changed.
  func time(on display: ScheduleDisplay) -> String {
    let (day, zone) = (display.day, display.zone)
    guard let start, let end, zone.local(start).day == day, zone.local(end).day == day else { return when }
    let times = zone.times(from: start, to: end)
    return display.onlyAbbreviation == nil ? "\(times) \(zone.abbreviation(at: end))" : times
  }
}
