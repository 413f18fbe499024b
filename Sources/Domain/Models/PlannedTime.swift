/// The time of one day in which someone, or some place, may be booked: from the server's schedules, else from the hours
/// that the profile names.
public struct PlannedTime: Hashable, Sendable {
  /// Where it is written down.
  public enum Source: String, Hashable, Sendable {
    /// In the server's Schedule and Slot.
    case schedule
    /// In the working hours of the profile.
    case hours
    /// Nowhere.
    case none
  }

  /// Where it is written down.
  public var source: Source
  /// The open spans, by start, those that touch joined.
  public var open: [Range<Instant>]
  /// The free slots as the server has them, by start; empty for hours of the profile.
  public var freeSlots: [Range<Instant>]
  /// What the server's schedules say is taken.
  public var busy: [Range<Instant>]

  /// Works out the planned time of a day.
  ///
  /// A schedule of the practitioner that names no place counts at every place.
  ///
  /// - Parameters:
  ///   - practitioner: Whose; `nil` for anyone's.
  ///   - location: Where; `nil` for anywhere.
  ///   - slots: The slots that touch the day.
  ///   - schedules: All schedules in use.
  ///   - hours: The profile's.
  public init(
    of practitioner: Practitioner.ID?, at location: Location.ID?, on day: CalendarDay, slots: [ScheduledSlot],
    schedules: [Schedule], hours: WorkingHours?, zone: ClinicZone
  ) {
    let mine = schedules.filter { schedule in
      if let practitioner, !schedule.isOf(practitioner.key) { return false }
      guard let location else { return true }
      let places = schedule.actor.filter { $0.key?.type == Location.resourceType }
      return schedule.isOf(location.key) || (places.isEmpty && practitioner != nil)
    }
    guard !mine.isEmpty else {
      let spans = hours?.intervals(on: day, in: zone) ?? []
      self.init(source: hours == nil ? .none : .hours, open: FreeTime.merged(spans), freeSlots: [], busy: [])
      return
    }
    let ids = Set(mine.map(\.id))
    let bounds = zone.bounds(of: day)
    let planned = slots.filter { entry in
      guard let id = entry.schedule?.id, ids.contains(id), let interval = entry.slot.interval else { return false }
      return bounds.contains(interval.lowerBound) && !entry.slot.isWithdrawn
    }
    let free = planned.filter(\.slot.isFree).compactMap(\.slot.interval)
    self.init(
      source: .schedule, open: FreeTime.merged(planned.filter(\.slot.isPlanned).compactMap(\.slot.interval)),
      freeSlots: Array(Set(free)).sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) },
      busy: planned.filter { !$0.slot.isFree }.compactMap(\.slot.interval))
  }

  private init(source: Source, open: [Range<Instant>], freeSlots: [Range<Instant>], busy: [Range<Instant>]) {
    self.source = source
    self.open = open
    self.freeSlots = freeSlots
    self.busy = busy
  }

  /// Whether a span lies in open time from its beginning to its end, booked or not.
  public func isOpen(throughout span: Range<Instant>) -> Bool {
    open.contains { $0.lowerBound <= span.lowerBound && span.upperBound <= $0.upperBound }
  }

  /// The spans that can still be booked.
  ///
  /// - Parameters:
  ///   - seconds: how long they shall be; `nil` takes the server's slots as they are, and half hours of the profile's.
  ///   - taken: what is booked.
  public func free(seconds: Int64?, taken: [Range<Instant>]) -> [Range<Instant>] {
    switch source {
    case .none: return []
    case .hours: return FreeTime.slots(ofSeconds: seconds ?? Self.usualSeconds, in: open, busy: taken)
    case .schedule:
      guard let seconds else { return freeSlots.filter { FreeTime.isFree($0, busy: taken) } }
      return FreeTime.slots(ofSeconds: seconds, in: freeSlots, busy: taken + busy)
    }
  }

  /// How long an appointment lasts where nothing says it: half an hour.
  public static let usualSeconds: Int64 = 1_800
}

extension Slot {
  /// Whether it belongs to the time that is planned for bookings, taken or not.
  fileprivate var isPlanned: Bool { status != .known(.busyUnavailable) && !isWithdrawn }
}
