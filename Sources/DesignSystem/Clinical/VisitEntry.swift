public import Domain

/// One visit, ready to be shown.
public struct VisitEntry: Hashable, Sendable, Identifiable {
  /// The local id.
  public var id: Encounter.ID
  /// What kind of visit it is.
  public var title: String
  /// The state as recorded.
  public var status: String
  /// When it took place, on the clinic's clock and as precise as recorded.
  public var when: String
  /// When it began, for programs.
  public var start: String?
  /// When it ended, for programs.
  public var end: String?
  /// The patient, when known here.
  public var patient: PatientIdentity?
  /// The patient's record, as the visit names it.
  public var patientID: Patient.ID?
  /// Whom it is about, when that is no patient who is known here.
  public var patientText: String
  /// Who took part.
  public var participants: [String]
  /// Where it took place.
  public var locations: [String]
  /// Why it took place.
  public var reason: String?
  /// The appointment that led to it.
  public var appointment: Appointment.ID?
  /// Whether the patient is here on account of it.
  public var isOpen: Bool
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether it was entered in error.
  public var isWithdrawn: Bool
  /// By what it is ordered.
  public var sortTime: DateTime?

  /// Makes a visit ready to be shown, on the clinic's clock.
  public init(_ charted: Charted<Encounter>, context: ClinicContext) {
    let visit = charted.entry
    id = visit.id
    title =
      visit.type.lazy.compactMap(\.displayText).first
      ?? visit.encounterClass.flatMap { $0.display ?? $0.code } ?? "visit"
    status = visit.status?.rawValue ?? "not given"
    when = Self.when(visit.period, context.zone) ?? "time not recorded"
    start = visit.period?.start.map { context.zone.recorded($0) }
    end = visit.period?.end.map { context.zone.recorded($0) }
    patient = charted.patient.map { PatientIdentity($0, today: context.today) }
    patientID = visit.patientID
    patientText = patient?.displayName ?? visit.subject?.displayText ?? "not said whom"
    participants = visit.participant.compactMap { $0.individual?.displayText }
    locations = visit.location.compactMap { $0.location.displayText }
    let reasons = visit.reasonCode.compactMap(\.displayText)
    reason = reasons.isEmpty ? nil : reasons.joined(separator: ", ")
    appointment = visit.appointment.lazy.compactMap(\.id).first
    isOpen = visit.isOpen
    isPending = charted.isPending
    isWithdrawn = visit.isEnteredInError
    sortTime = visit.sortTime
  }

  /// For programs.
  public var record: Record {
    Record(
      "visit",
      [
        "id": .string(id.rawValue), "title": .string(title), "status": .string(status), "start": .optional(start),
        "end": .optional(end), "patient": patient?.record ?? .null, "patientText": .string(patientText),
        "participants": .strings(participants), "locations": .strings(locations), "reason": .optional(reason),
        "appointment": .optional(appointment?.rawValue), "open": .bool(isOpen), "pending": .bool(isPending),
        "enteredInError": .bool(isWithdrawn),
      ])
  }

  private static func when(_ period: Period?, _ zone: ClinicZone) -> String? {
    switch (period?.start, period?.end) {
    case (.instant(let start)?, .instant(let end)?): zone.text(from: start, to: end)
    case (let start?, let end?): "\(zone.clinicText(start)) – \(zone.clinicText(end))"
    case (let start?, nil): "since \(zone.clinicText(start))"
    case (nil, let end?): "until \(zone.clinicText(end))"
    case (nil, nil): nil
    }
  }
}

extension ClinicZone {
  /// A date as written, or a point in time on the clinic's clock with the zone's name.
  public func clinicText(_ time: DateTime) -> String {
    if case .instant(let instant) = time { text(instant) } else { time.displayText(in: self) }
  }

  /// A date as written, or a point in time with the clinic's offset at it, for programs.
  public func recorded(_ time: DateTime) -> String {
    if case .instant(let instant) = time { written(instant).text } else { time.description }
  }
}
