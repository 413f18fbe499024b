import DesignSystem
import Domain

/// When appointments can be had, as far as it is known here: what is outside of it is asked about.
struct WorkingTime {
  let schedules: any ScheduleRepository
  /// The working hours of the profile.
  let hours: WorkingHours?
  let context: ClinicContext

  /// Why a span is unusual, for people; `nil` when it lies in open time, or when nothing says what that is.
  func doubt(about span: Range<Instant>, practitioner: Practitioner.ID?, location: Location.ID?) async -> String? {
    let zone = context.zone
    let day = zone.local(span.lowerBound).day
    let slots = await schedules.slots(in: zone.bounds(of: day), policy: .localOnly).first()
    let inUse = await schedules.schedules(policy: .localOnly).first()
    let plan = PlannedTime(
      of: practitioner, at: location, on: day, slots: slots?.value ?? [], schedules: inUse?.value ?? [], hours: hours,
      zone: zone)
    if plan.isOpen(throughout: span) { return nil }
    switch plan.source {
    case .none: return nil
    // The slots of a day that was never asked for are not known; that is not the same as closed.
    case .schedule where plan.open.isEmpty && slots?.mayBeIncomplete != false: return nil
    case .schedule, .hours:
      let open = plan.words(in: zone) ?? ""
      return "\(zone.echo(from: span.lowerBound, to: span.upperBound)) is outside of working hours (\(open))"
    }
  }
}

extension PlannedTime {
  /// When one can be booked, in words; `nil` when nothing says it.
  nonisolated func words(in zone: ClinicZone) -> String? {
    let written: String
    switch source {
    case .none: return nil
    case .schedule: written = "by the server's schedule"
    case .hours: written = "by the working hours of the profile"
    }
    guard !open.isEmpty else { return "closed, \(written)" }
    let spans = open.map { zone.times(from: $0.lowerBound, to: $0.upperBound) }.joined(separator: ", ")
    return "open \(spans), \(written)"
  }
}
