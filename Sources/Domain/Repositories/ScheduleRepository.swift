/// The time that is planned at the clinic, where the server keeps it as Schedule and Slot.
public protocol ScheduleRepository: Sendable {
  /// The slots that touch a span of time, by start. Those that were entered in error are left out.
  func slots(in span: Range<Instant>, policy: ReadPolicy) -> Snapshots<[ScheduledSlot]>

  /// All schedules that are in use.
  func schedules(policy: ReadPolicy) -> Snapshots<[Schedule]>
}

/// A slot with the schedule of which it is a part.
public struct ScheduledSlot: Hashable, Sendable, Identifiable {
  /// The slot.
  public var slot: Slot
  /// Its schedule, when known locally.
  public var schedule: Schedule?

  /// Puts them together.
  public init(slot: Slot, schedule: Schedule? = nil) {
    self.slot = slot
    self.schedule = schedule
  }

  /// The local id.
  public var id: Slot.ID { slot.id }
}
