public import DesignSystem
public import Domain
public import Observation

/// The times of a day that can still be booked.
@Observable
public final class FreeSlotsViewModel {
  /// What is shown.
  public private(set) var state: LoadState<FreeSlotsDisplay> = .idle

  private let repositories: SchedulingRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext
  private let hours: WorkingHours?
  @ObservationIgnored private var parts = Parts()

  /// Creates the model of a day's free times.
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
    var practitioners: Snapshot<[Practitioner]>?
    var locations: Snapshot<[Location]>?
  }

  /// Shows the free times of a day.
  public func load(_ request: FreeSlotsRequest, reading: ReadMode) async {
    state = .loading
    parts = Parts()
    let span = context.zone.bounds(of: request.day)
    let policy = reading.policy
    // All of the day: what takes the time of a place may be with another practitioner.
    async let a: Void = follow(
      repositories.appointments.appointments(matching: AppointmentQuery(span: span), policy: policy), request, reading
    ) { $0.appointments = $1 }
    async let b: Void = follow(repositories.schedules.slots(in: span, policy: policy), request, reading) {
      $0.slots = $1
    }
    async let c: Void = follow(repositories.schedules.schedules(policy: policy), request, reading) {
      $0.schedules = $1
    }
    async let d: Void = follow(repositories.practitioners.practitioners(policy: .localOnly), request, reading) {
      $0.practitioners = $1
    }
    async let e: Void = follow(repositories.locations.locations(policy: .localOnly), request, reading) {
      $0.locations = $1
    }
    _ = await (a, b, c, d, e)
    if reading == .settled, case .failed(let error)? = parts.appointments?.revalidation { errors.present(error) }
  }

  private func follow<Value>(
    _ snapshots: Snapshots<Value>, _ request: FreeSlotsRequest, _ reading: ReadMode,
    _ set: @escaping @Sendable (inout Parts, Snapshot<Value>) -> Void
  ) async {
    await snapshots.listen(reading) { snapshot in
      set(&parts, snapshot)
      show(request)
    }
  }

  private func show(_ request: FreeSlotsRequest) {
    guard let appointments = parts.appointments, let slots = parts.slots, let schedules = parts.schedules,
      let practitioners = parts.practitioners, let locations = parts.locations
    else { return }
    let taken = (appointments.value ?? []).map(\.appointment).filter(\.occupiesTime)
    let people = subjects(request, practitioners.value ?? [])
    let place = request.location.map { id in
      (locations.value ?? []).first { $0.id == id }?.displayName ?? id.rawValue
    }
    let groups = people.map { person in
      let plan = PlannedTime(
        of: person?.id, at: request.location, on: request.day, slots: slots.value ?? [],
        schedules: schedules.value ?? [], hours: hours, zone: context.zone)
      let busy = taken.filter { appointment in
        let keys = Set(appointment.participant.filter { $0.status != .known(.declined) }.compactMap { $0.actor?.key })
        if let person, keys.contains(person.id.key) { return true }
        if let location = request.location, keys.contains(location.key) { return true }
        return person == nil && request.location == nil
      }.compactMap(\.interval)
      let free = plan.free(seconds: request.minutes.map { Int64($0) * 60 }, taken: busy)
      return FreeSlotsDisplay.Group(
        practitioner: person?.id, name: person?.name, source: plan.source,
        isOpen: !plan.open.isEmpty,
        spans: free.filter { $0.lowerBound >= context.clock.now() }.map { FreeSlotsDisplay.Span($0, context.zone) })
    }
    state = .showing(
      FreeSlotsDisplay(
        request: request, isToday: request.day == context.today, location: place, groups: groups,
        status: AnswerStatus(appointments, context), zone: context.zone))
  }

  private struct Person {
    var id: Practitioner.ID
    var name: String
  }

  /// Whose time is looked at: of whoever is named, else of everyone in use, else of the clinic as one.
  private func subjects(_ request: FreeSlotsRequest, _ practitioners: [Practitioner]) -> [Person?] {
    if let id = request.practitioner {
      return [Person(id: id, name: practitioners.first { $0.id == id }?.displayName ?? id.rawValue)]
    }
    let known = practitioners.filter { $0.active != false }.map { Person(id: $0.id, name: $0.displayName) }
    return known.isEmpty || request.location != nil ? [nil] : known
  }
}

/// Whose free time is asked for.
public nonisolated struct FreeSlotsRequest: Hashable, Sendable {
  /// The day.
  public var day: CalendarDay
  /// With whom; `nil` for everyone.
  public var practitioner: Practitioner.ID?
  /// Where; `nil` for anywhere.
  public var location: Location.ID?
  /// How long, in minutes; `nil` for what is usual.
  public var minutes: Int?

  /// Creates a request.
  public init(
    day: CalendarDay, practitioner: Practitioner.ID? = nil, location: Location.ID? = nil, minutes: Int? = nil
  ) {
    self.day = day
    self.practitioner = practitioner
    self.location = location
    self.minutes = minutes
  }
}

/// The free times of a day, ready to be shown.
public nonisolated struct FreeSlotsDisplay: Hashable, Sendable {
  /// What was asked for.
  public var request: FreeSlotsRequest
  /// Whether it is the present day, of which what is over is left out.
  public var isToday: Bool
  /// The place's name, if one was asked for.
  public var location: String?
  /// The free times, apart by practitioner.
  public var groups: [Group]
  /// The age and state of what is booked.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone

  /// The free times of one practitioner, or of the clinic as one.
  public struct Group: Hashable, Sendable {
    /// Whose.
    public var practitioner: Practitioner.ID?
    /// Whose, in words.
    public var name: String?
    /// Where the open time is written down.
    public var source: PlannedTime.Source
    /// Whether there is open time at all.
    public var isOpen: Bool
    /// By start.
    public var spans: [Span]
  }

  /// One free time.
  public struct Span: Hashable, Sendable {
    /// When it starts.
    public var start: Instant
    /// When it ends.
    public var end: Instant
    /// On the clinic's clock.
    public var text: String
    /// The start as a line understands it.
    public var words: String
    /// The flag that such a line needs besides, where the clock shows the start twice.
    public var choice: String?

    init(_ span: Range<Instant>, _ zone: ClinicZone) {
      start = span.lowerBound
      end = span.upperBound
      let day = zone.local(start).day
      let times = zone.times(from: start, to: end)
      text = zone.onlyAbbreviation(on: day...day) == nil ? "\(times) \(zone.abbreviation(at: end))" : times
      let reading = zone.local(start)
      words = "\(day) \(reading.timeText)"
      if case .twice(let first, _) = zone.instants(for: reading) {
        choice = (start.isSamePoint(as: first) ? FlagSpec.earlier : .later).name
      }
    }

    /// How long it is, in whole minutes.
    public var minutes: Int { Int((end.secondsSince1970 - start.secondsSince1970) / 60) }
  }
}
