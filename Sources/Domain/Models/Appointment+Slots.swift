extension Appointment {
  /// The slots that the appointment fills: of each schedule of those who take part, the free ones in which its time lies
  /// altogether. A slot that it fills already counts as free.
  ///
  /// A schedule fits when it names someone or something that takes part, and nobody else of that kind: that of a
  /// practitioner at another location does not. Where several fit the same participant, the one that names most counts,
  /// then the first by id.
  ///
  /// - Parameter planned: the slots around its time, with their schedules. One whose schedule is not known is left out.
  public func slotsFilled(among planned: [ScheduledSlot]) -> [Reference<Slot>] {
    guard occupiesTime, let interval else { return [] }
    let own = Set(slot.compactMap(\.id))
    let open = planned.filter { $0.slot.isFree || (own.contains($0.id) && !$0.slot.isWithdrawn) }
    let offers = Dictionary(grouping: open) { $0.schedule?.id }.values.compactMap { slots in
      Offer(slots, of: busyKeys, covering: interval)
    }
    var provided: Set<ResourceKey> = []
    var filled: [ScheduledSlot] = []
    for offer in offers.sorted(by: Offer.precedes) where provided.isDisjoint(with: offer.participants) {
      provided.formUnion(offer.participants)
      filled += offer.slots
    }
    return filled.sorted { ($0.start, $0.id.rawValue) < ($1.start, $1.id.rawValue) }.map { Reference(id: $0.id) }
  }

  /// The slots of one schedule that cover the time of an appointment.
  private struct Offer {
    var schedule: Schedule.ID
    var participants: Set<ResourceKey>
    var slots: [ScheduledSlot]

    init?(_ slots: [ScheduledSlot], of present: Set<ResourceKey>, covering interval: Range<Instant>) {
      guard let schedule = slots.first?.schedule, schedule.active != false else { return nil }
      let actors = Set(schedule.actor.compactMap(\.key))
      participants = actors.intersection(present)
      let contradicted = Set(actors.subtracting(present).map(\.type)).intersection(present.map(\.type))
      guard !participants.isEmpty, contradicted.isEmpty else { return nil }
      self.slots = slots.filter { $0.slot.interval.map(interval.overlaps) ?? false }
      self.schedule = schedule.id
      let covered = FreeTime.merged(self.slots.compactMap(\.slot.interval))
      guard covered.contains(where: { $0.lowerBound <= interval.lowerBound && interval.upperBound <= $0.upperBound })
      else { return nil }
    }

    static func precedes(_ first: Offer, _ second: Offer) -> Bool {
      (-first.participants.count, first.schedule.rawValue) < (-second.participants.count, second.schedule.rawValue)
    }
  }
}

extension ScheduledSlot {
  fileprivate var start: Instant { slot.interval?.lowerBound ?? Instant(secondsSince1970: 0) }
}
