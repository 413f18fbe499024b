public import Domain

/// Planned time in memory.
public final class FakeScheduleRepository: ScheduleRepository {
  private let planned: [ScheduledSlot]
  private let inUse: [Schedule]

  public init(slots: [ScheduledSlot] = [], schedules: [Schedule] = []) {
    planned = slots
    inUse = schedules
  }

  public func slots(in span: Range<Instant>, policy: ReadPolicy) -> Snapshots<[ScheduledSlot]> {
    let found = planned.filter { $0.slot.interval.map(span.overlaps) ?? false }
    return Snapshots([Snapshot(value: found, freshness: .missing)])
  }

  public func schedules(policy: ReadPolicy) -> Snapshots<[Schedule]> {
    Snapshots([Snapshot(value: inUse, freshness: .missing)])
  }
}
