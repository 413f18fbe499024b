public import DesignSystem
public import Domain

/// What part of the calendar is asked for.
public nonisolated struct ScheduleRequest: Hashable, Sendable {
  /// By what appointments stand together.
  public enum Grouping: String, CaseIterable, Hashable, Sendable {
    /// By whom they are with.
    case practitioner
    /// By where they are.
    case location
  }

  /// The day, or one of the week's days.
  public var day: CalendarDay
  /// Whether the whole week is meant.
  public var isWeek: Bool
  /// By what appointments stand together; `nil` for one list.
  public var grouping: Grouping?
  /// Only with this patient.
  public var patient: Patient.ID?
  /// Only with this practitioner.
  public var practitioner: Practitioner.ID?
  /// Only at this location.
  public var location: Location.ID?

  /// Creates a request.
  public init(
    day: CalendarDay, isWeek: Bool = false, grouping: Grouping? = nil, patient: Patient.ID? = nil,
    practitioner: Practitioner.ID? = nil, location: Location.ID? = nil
  ) {
    self.day = day
    self.isWeek = isWeek
    self.grouping = grouping
    self.patient = patient
    self.practitioner = practitioner
    self.location = location
  }

  /// The days: one, or Monday to Sunday.
  public var days: ClosedRange<CalendarDay> {
    guard isWeek else { return day...day }
    let monday = day.adding(days: -(Weekday.allCases.firstIndex(of: day.weekday) ?? 0))
    return monday...monday.adding(days: 6)
  }

  /// Whether only a part of the appointments is asked for.
  public var isFiltered: Bool { patient != nil || practitioner != nil || location != nil }
}

/// Appointments of a day or a week, ready to be shown.
public nonisolated struct ScheduleDisplay: Hashable, Sendable {
  /// What was asked for.
  public var request: ScheduleRequest
  /// The present day.
  public var today: CalendarDay
  /// The appointments, apart by group and by day.
  public var sections: [ScheduleSection]
  /// Those that were entered in error: kept apart, never counted.
  public var withdrawn: [ScheduleEntry]
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// The appointments of one day, and of one practitioner or place where they stand apart.
public nonisolated struct ScheduleSection: Hashable, Sendable {
  /// Whose or where; `nil` when appointments do not stand apart.
  public var group: String?
  /// The day.
  public var day: CalendarDay
  /// By start.
  public var entries: [ScheduleEntry]
  /// When one can be booked, in words; `nil` when nothing says it.
  public var hours: String?

  /// The sections of a request: group by group, day by day. A week leaves out the days on which a group has nothing.
  ///
  /// - Parameter plan: the planned time of a day, of a practitioner or a place.
  static func sections(
    of entries: [ScheduleEntry], request: ScheduleRequest, zone: ClinicZone,
    plan: (CalendarDay, Practitioner.ID?, Location.ID?) -> PlannedTime
  ) -> [ScheduleSection] {
    var days: [CalendarDay] = []
    var day = request.days.lowerBound
    while day <= request.days.upperBound {
      days.append(day)
      day = day.adding(days: 1)
    }
    let groups = groups(of: entries, by: request.grouping)
    return groups.flatMap { group in
      days.compactMap { day in
        let bounds = zone.bounds(of: day)
        let found = group.entries.filter { entry in
          guard let start = entry.start else { return false }
          // What began before the first day stands on it.
          return bounds.contains(start) || (day == days[0] && start < bounds.lowerBound)
        }
        if found.isEmpty, group.name != nil { return nil }
        let plan = plan(day, group.practitioner ?? request.practitioner, group.location ?? request.location)
        return ScheduleSection(group: group.name, day: day, entries: found, hours: plan.words(in: zone))
      }
    }
  }

  private struct Group {
    var name: String?
    var practitioner: Practitioner.ID?
    var location: Location.ID?
    var entries: [ScheduleEntry]
  }

  private static func groups(of entries: [ScheduleEntry], by grouping: ScheduleRequest.Grouping?) -> [Group] {
    guard let grouping, !entries.isEmpty else { return [Group(name: nil, entries: entries)] }
    let keyed = Dictionary(grouping: entries) { entry in
      grouping == .practitioner
        ? Key(id: entry.practitionerID?.rawValue, name: entry.practitioner)
        : Key(id: entry.locationID?.rawValue, name: entry.location)
    }
    let nobody = grouping == .practitioner ? "without a practitioner" : "without a location"
    return keyed.sorted { ($0.key.order, $0.key.id ?? "") < ($1.key.order, $1.key.id ?? "") }.map { key, entries in
      Group(
        name: key.name ?? key.id ?? nobody,
        practitioner: grouping == .practitioner ? key.id.map { Practitioner.ID($0) } : nil,
        location: grouping == .location ? key.id.map { Location.ID($0) } : nil, entries: entries)
    }
  }

  private struct Key: Hashable {
    var id: String?
    var name: String?
    /// Those without come last.
    var order: String { name ?? id ?? "\u{10FFFF}" }
  }
}
