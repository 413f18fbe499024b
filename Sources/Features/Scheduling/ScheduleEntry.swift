public import DesignSystem
public import Domain

/// One appointment, ready to be shown.
public nonisolated struct ScheduleEntry: Hashable, Sendable, Identifiable {
  /// The local id.
  public var id: Appointment.ID
  /// When it starts.
  public var start: Instant?
  /// When it ends.
  public var end: Instant?
  /// When it takes place, in full, on the clinic's clock, with the day of the week.
  public var when: String
  /// The patient, when known here.
  public var patient: PatientIdentity?
  /// Who is to be seen: the patient's name, or what the appointment says of a patient who is not known here.
  public var patientText: String
  /// The practitioner's name.
  public var practitioner: String?
  /// The practitioner's id, when the appointment names one.
  public var practitionerID: Practitioner.ID?
  /// The place's name.
  public var location: String?
  /// The place's id, when the appointment names one.
  public var locationID: Location.ID?
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
      when = context.zone.echo(from: start, to: end)
    } else {
      when = start.map { "\(context.zone.echo($0)), length not recorded" } ?? "time not recorded"
    }
    patient = entry.patient.map { PatientIdentity($0, today: context.today) }
    patientText = patient?.displayName ?? appointment.patient?.displayText ?? "patient not named"
    practitioner = entry.practitioner?.displayName ?? appointment.practitioner?.displayText
    location = entry.location?.displayName ?? appointment.location?.displayText
    practitionerID = entry.practitioner?.id ?? appointment.practitioner?.id
    locationID = entry.location?.id ?? appointment.location?.id
    status = appointment.status?.rawValue ?? "not given"
    let reasons = appointment.reasonCode.compactMap(\.displayText)
    reason = reasons.isEmpty ? appointment.description : reasons.joined(separator: ", ")
    cancelationReason = appointment.cancelationReason?.displayText
    comment = appointment.comment
    isPending = entry.isPending
    isWithdrawn = appointment.status == .known(.enteredInError)
    occupiesTime = appointment.occupiesTime
  }

  /// When it takes place, without what stands above it: the day, and the zone where the clock is not changed on it.
  func time(on day: CalendarDay, in zone: ClinicZone) -> String {
    guard let start, let end, zone.local(start).day == day, zone.local(end).day == day else { return when }
    let times = zone.times(from: start, to: end)
    return zone.onlyAbbreviation(on: day...day) == nil ? "\(times) \(zone.abbreviation(at: end))" : times
  }
}

extension ClinicZone {
  /// The zone's short name on these days; `nil` where the clock is changed in between, and every time needs its own.
  nonisolated func onlyAbbreviation(on days: ClosedRange<CalendarDay>) -> String? {
    let first = bounds(of: days.lowerBound).lowerBound
    let last = bounds(of: days.upperBound).upperBound.adding(seconds: -1)
    return offset(at: first) == offset(at: last) ? abbreviation(at: first) : nil
  }
}
