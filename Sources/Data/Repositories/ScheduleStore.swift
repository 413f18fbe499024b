import Domain
import JSON

/// ``ScheduleRepository`` over the store. Schedules and slots are the server's: they are read here and never written.
struct ScheduleStore: ScheduleRepository {
  let context: StoreContext

  func slots(in span: Range<Instant>, policy: ReadPolicy) -> Snapshots<[ScheduledSlot]> {
    context.list(
      Slot.resourceType, types: [Schedule.resourceType], policy: policy,
      scopes: { [plan = context.plan] transaction throws(AppError) in
        try transaction.offeredTypes().contains(Slot.resourceType) ? plan.slots(span) : PullPlan.Scopes(scopes: [])
      },
      { transaction, notes throws(AppError) -> [ScheduledSlot] in
        try transaction.slots(in: span, &notes)
      })
  }

  func schedules(policy: ReadPolicy) -> Snapshots<[Schedule]> {
    context.list(
      Schedule.resourceType, policy: policy,
      scopes: { transaction throws(AppError) in
        let isOffered = try transaction.offeredTypes().contains(Schedule.resourceType)
        return PullPlan.Scopes(scopes: isOffered ? [.whole(Schedule.resourceType)] : [])
      }, { transaction, notes throws(AppError) -> [Schedule] in try transaction.schedules(&notes) })
  }
}

extension StoreTransaction {
  /// The longest slot that is looked for behind the start of a span: a day, in milliseconds.
  private static let longestSlot: Int64 = 86_400_000

  /// The rows of the slots that touch a span, by start.
  func slotRows(in span: Range<Instant>) throws(AppError) -> [Int64] {
    let (from, to) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
    return try all(
      "SELECT resource FROM slot WHERE start < ? AND start >= ? AND finish > ? ORDER BY start, resource",
      [.integer(to), .integer(from - Self.longestSlot), .integer(from)]
    ) { row throws(SQLiteError) in row.integer(0) }
  }

  /// The slots that touch a span with their schedules, by start.
  fileprivate func slots(in span: Range<Instant>, _ notes: inout ListNotes) throws(AppError) -> [ScheduledSlot] {
    let rows = try slotRows(in: span)
    guard !rows.isEmpty else { return [] }
    var schedules: [Schedule.ID: Schedule] = [:]
    for schedule in try self.schedules(&notes) { schedules[schedule.id] = schedule }
    var found: [ScheduledSlot] = []
    for row in rows {
      guard let view = try resource(rowID: row)?.view,
        let slot = ResourceDecoder.slot(view, warnings: &notes.warnings)
      else { continue }
      found.append(ScheduledSlot(slot: slot, schedule: slot.schedule?.id.flatMap { schedules[$0] }))
    }
    return found
  }

  /// The slots known here that an appointment fills.
  func slotsFilled(by appointment: Appointment) throws(AppError) -> [Reference<Slot>] {
    guard let interval = appointment.interval else { return [] }
    var notes = ListNotes()
    return appointment.slotsFilled(among: try slots(in: interval, &notes))
  }

  /// All schedules that are in use.
  fileprivate func schedules(_ notes: inout ListNotes) throws(AppError) -> [Schedule] {
    let rows = try all(
      "SELECT resource FROM directory WHERE type = ? ORDER BY sort_name, resource", [.text(Schedule.resourceType)]
    ) { row throws(SQLiteError) in row.integer(0) }
    var found: [Schedule] = []
    for row in rows {
      guard let view = try resource(rowID: row)?.view,
        let schedule = ResourceDecoder.schedule(view, warnings: &notes.warnings)
      else { continue }
      found.append(schedule)
    }
    return found
  }

  /// Of the types that not every server has, those that this one says it has.
  func offeredTypes() throws(AppError) -> [String] {
    let claims = try serverKnowledge().capabilities?.types
    return PullPlan.offeredTypes.filter { claims?[$0]?.allows("search-type") == true }
  }
}
