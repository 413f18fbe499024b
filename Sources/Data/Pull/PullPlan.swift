import Domain

/// Which scopes stand behind what is read, and what a sync pulls: everything, or what a clinic selected.
struct PullPlan: Sendable {
  let selection: PullSelection?

  /// The types that are pulled, those that others refer to first.
  static let types = directoryTypes + [Patient.resourceType, Appointment.resourceType] + chartTypes

  /// Who works here, and where: few, and pulled whole in any case.
  static let directoryTypes = [Practitioner.resourceType, Location.resourceType]

  /// The kinds of record that make a chart.
  static let chartTypes = [
    Encounter.resourceType, Condition.resourceType, AllergyIntolerance.resourceType, MedicationRequest.resourceType,
    Immunization.resourceType, ClinicalObservation.resourceType, DocumentReference.resourceType,
  ]

  /// The types that are pulled where the server says that it has them.
  static let offeredTypes = [Schedule.resourceType, Slot.resourceType]

  /// How many weeks of the schedule one question asks the server for at most.
  private static let longestQuestion = 8

  /// The scopes behind an answer.
  struct Scopes: Hashable, Sendable {
    var scopes: [PullScope]
    /// Whether the server may have more of the answer than they hold.
    var isPartial = false
  }

  /// All of a type.
  func all(_ type: String) -> Scopes {
    guard let selection, !Self.directoryTypes.contains(type) else { return Scopes(scopes: [.whole(type)]) }
    switch type {
    case Patient.resourceType:
      return Scopes(scopes: selection.panelPractitioners.map(PullScope.panel) + [.followedPatients], isPartial: true)
    case Encounter.resourceType: return Scopes(scopes: openVisits(selection), isPartial: true)
    default: return Scopes(scopes: [], isPartial: true)
    }
  }

  /// One patient's records of a type.
  ///
  /// - Parameter patient: the id at the server; `nil` for one whom it does not have yet.
  func chart(_ type: String, of patient: String?) -> Scopes {
    guard selection != nil else { return Scopes(scopes: [.whole(type)]) }
    return Scopes(scopes: patient.map { [.chart(type, of: $0)] } ?? [])
  }

  /// The appointments that touch a span.
  func schedule(_ span: Range<Instant>) -> Scopes {
    guard let selection else { return Scopes(scopes: [.whole(Appointment.resourceType)]) }
    let first = CalendarWeek(of: selection.zone.local(span.lowerBound).day)
    // The end itself is not in the span.
    let last = CalendarWeek(of: selection.zone.local(span.upperBound.adding(seconds: -1)).day)
    let weeks = (first.number...max(first.number, last.number)).prefix(Self.longestQuestion)
      .map { CalendarWeek(number: $0) }
    return Scopes(scopes: weeks.map { week($0, selection) }, isPartial: last.number - first.number >= weeks.count)
  }

  /// The slots that touch a span, with the schedules that they are of.
  func slots(_ span: Range<Instant>) -> Scopes {
    var found = Scopes(scopes: [.whole(Slot.resourceType)])
    if let selection {
      let first = CalendarWeek(of: selection.zone.local(span.lowerBound).day)
      let last = CalendarWeek(of: selection.zone.local(span.upperBound.adding(seconds: -1)).day)
      let weeks = (first.number...max(first.number, last.number)).prefix(Self.longestQuestion)
      found = Scopes(
        scopes: weeks.map { .slots(CalendarWeek(number: $0), zone: selection.zone) },
        isPartial: last.number - first.number >= weeks.count)
    }
    found.scopes.append(.whole(Schedule.resourceType))
    return found
  }

  /// What a sync pulls of planned time, where the server has it.
  func planned(at now: Instant) -> [PullPass] {
    (span(at: now).map { slots($0).scopes } ?? Self.offeredTypes.map(PullScope.whole)).map { PullPass($0) }
  }

  /// What a sync pulls before it knows the patients, in order.
  func opening(at now: Instant) -> [PullPass] {
    guard let selection else { return Self.types.map { PullPass(.whole($0)) } }
    let today = selection.zone.local(now).day
    let weeks =
      CalendarWeek(of: today.adding(days: -selection.daysBack))
      .number...CalendarWeek(of: today.adding(days: max(-selection.daysBack, selection.daysAhead))).number
    let scopes =
      Self.directoryTypes.map(PullScope.whole) + weeks.map { week(CalendarWeek(number: $0), selection) }
      + openVisits(selection) + selection.panelPractitioners.map(PullScope.panel)
    return scopes.map { PullPass($0) }
  }

  /// The days of the schedule that a sync pulls.
  func span(at now: Instant) -> Range<Instant>? {
    guard let selection else { return nil }
    let today = selection.zone.local(now).day
    let first = selection.zone.bounds(of: today.adding(days: -selection.daysBack)).lowerBound
    let last = selection.zone.bounds(of: today.adding(days: max(-selection.daysBack, selection.daysAhead))).upperBound
    return first..<max(first, last)
  }

  private func week(_ week: CalendarWeek, _ selection: PullSelection) -> PullScope {
    let actors =
      selection.locations.map { "Location/\($0)" } + selection.practitioners.map { "Practitioner/\($0)" }
    return .week(week, actors: actors, zone: selection.zone)
  }

  private func openVisits(_ selection: PullSelection) -> [PullScope] {
    let parameters =
      selection.locations.map { PullScope.Parameter(name: "location", value: "Location/\($0)") }
      + selection.practitioners.map { PullScope.Parameter(name: "practitioner", value: "Practitioner/\($0)") }
    return parameters.isEmpty ? [.openVisits(nil)] : parameters.map { .openVisits($0) }
  }
}
