import Domain

/// What is pulled, and known to be here, as one: a resource type, whole or by a filter.
struct PullScope: Hashable, Sendable {
  /// A search parameter of the filter.
  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  var type: String
  /// What all members match; empty for the whole type.
  var filter: [Parameter] = []
  /// Whether members leave the filter in everyday work, so that every pass looks after those it has not seen.
  var isWindow = false
  /// Whose records these are, for a part of one chart.
  var patient: String?
  /// Whether it is who is followed by a selection: a list made here, which no one search of the server gives.
  var isFollowed = false

  /// The name under which it is stored.
  var name: String {
    if isFollowed { return "followed:\(type)" }
    return filter.isEmpty ? "type:\(type)" : "\(type)?\(query)"
  }

  /// The filter as a query.
  var query: String { SearchQuery.encode(filter.map { ($0.name, $0.value) }) }

  /// A whole type.
  static func whole(_ type: String) -> PullScope { PullScope(type: type) }

  /// One patient's records of a type.
  static func chart(_ type: String, of patient: String) -> PullScope {
    PullScope(type: type, filter: [Parameter(name: "patient", value: "Patient/\(patient)")], patient: patient)
  }

  /// The patients whom a selection follows.
  static let followedPatients = PullScope(type: Patient.resourceType, isFollowed: true)

  /// The patients of a general practitioner.
  static func panel(of practitioner: String) -> PullScope {
    PullScope(
      type: Patient.resourceType,
      filter: [Parameter(name: "general-practitioner", value: "Practitioner/\(practitioner)")])
  }

  /// The appointments that begin in a week, from Monday on, of any of these actors; of all without any.
  static func week(_ week: CalendarWeek, actors: [String], zone: ClinicZone) -> PullScope {
    var filter = [
      Parameter(name: "date", value: "ge\(zone.bounds(of: week.firstDay).lowerBound.utcText)"),
      Parameter(name: "date", value: "lt\(zone.bounds(of: week.next.firstDay).lowerBound.utcText)"),
    ]
    if !actors.isEmpty { filter.append(Parameter(name: "actor", value: actors.joined(separator: ","))) }
    return PullScope(type: Appointment.resourceType, filter: filter, isWindow: true)
  }

  /// The slots that begin in a week, from Monday on.
  static func slots(_ week: CalendarWeek, zone: ClinicZone) -> PullScope {
    PullScope(
      type: Slot.resourceType,
      filter: [
        Parameter(name: "start", value: "ge\(zone.bounds(of: week.firstDay).lowerBound.utcText)"),
        Parameter(name: "start", value: "lt\(zone.bounds(of: week.next.firstDay).lowerBound.utcText)"),
      ], isWindow: true)
  }

  /// The visits that are open, of one place or one practitioner; of all without either.
  static func openVisits(_ parameter: Parameter?) -> PullScope {
    let states = EncounterStatus.allCases.filter(\.isOpen).map(\.rawValue).joined(separator: ",")
    return PullScope(
      type: Encounter.resourceType,
      filter: [Parameter(name: "status", value: states)] + [parameter].compactMap(\.self), isWindow: true)
  }
}

/// A week, from Monday to Sunday.
struct CalendarWeek: Hashable, Sendable {
  /// Weeks since the one that holds 1970-01-01.
  var number: Int

  init(number: Int) { self.number = number }

  /// The week of a day.
  init(of day: CalendarDay) {
    // 1970-01-01 was a Thursday.
    let days = day.daysSince1970 + 3
    number = days >= 0 ? days / 7 : -((6 - days) / 7)
  }

  var firstDay: CalendarDay { CalendarDay(daysSince1970: number * 7 - 3) }
  var next: CalendarWeek { CalendarWeek(number: number + 1) }
}

/// One pass of a pull: over one scope, or over one kind of record of several patients at once.
struct PullPass: Hashable, Sendable {
  var scopes: [PullScope]

  init(_ scope: PullScope) { scopes = [scope] }

  /// One kind of record of several patients.
  init(charts scopes: [PullScope]) { self.scopes = scopes }

  var type: String { scopes.first?.type ?? "" }

  /// What all that it lists match.
  var query: String {
    guard scopes.count > 1 else { return scopes.first?.query ?? "" }
    let patients = scopes.compactMap(\.patient).map { "Patient/\($0)" }
    return SearchQuery.encode([("patient", patients.joined(separator: ","))])
  }

  /// Whether it is over a type as a whole, which a type's history tells of.
  var isWhole: Bool { query.isEmpty }

  /// Whether it can go on where it was cut. The others are short, and begin anew.
  var isResumable: Bool { scopes.count == 1 }
}
