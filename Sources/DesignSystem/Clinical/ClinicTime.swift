public import Domain

extension ClinicZone {
  /// A point in time for people, on the clinic's clock: `2026-12-01 09:00 EST`.
  public func text(_ instant: Instant) -> String {
    let local = local(instant)
    return "\(local.day) \(local.timeText) \(abbreviation(at: instant))"
  }

  /// A span for people: `2026-12-01 09:00–09:30 EST`, with the second day where it is another one.
  public func text(from start: Instant, to end: Instant) -> String {
    "\(local(start).day) \(times(from: start, to: end)) \(abbreviation(at: end))"
  }

  /// A point in time as it is echoed to who wrote it down: with the day of the week, `Tue 2026-12-01 09:00 EST`, so that
  /// a slip of a week or a month is seen.
  public func echo(_ instant: Instant) -> String { "\(weekday(instant)) \(text(instant))" }

  /// A span as it is echoed: `Tue 2026-12-01 09:00–09:30 EST`.
  public func echo(from start: Instant, to end: Instant) -> String { "\(weekday(start)) \(text(from: start, to: end))" }

  private func weekday(_ instant: Instant) -> Substring { text(local(instant).day).prefix(3) }

  /// The times of a span: `09:00–09:30`; with the zone's name behind the first where the clock is changed in between.
  public func times(from start: Instant, to end: Instant) -> String {
    let (first, last) = (local(start), local(end))
    let until = first.day == last.day ? last.timeText : "\(last.day) \(last.timeText)"
    let name = offset(at: start) == offset(at: end) ? "" : " \(abbreviation(at: start))"
    return "\(first.timeText)\(name)–\(until)"
  }

  /// A point in time for programs: RFC 3339 with the zone's offset at it.
  public func record(_ instant: Instant) -> RecordValue { .string(written(instant).text) }

  /// A day for people: `Tuesday 2026-12-01`.
  public func text(_ day: CalendarDay) -> String {
    let name = String(describing: day.weekday)
    return "\(name.prefix(1).uppercased())\(name.dropFirst()) \(day)"
  }
}

/// Which of two meanings a reading of the clock has when the clock is changed.
public enum ClockChoice: Hashable, Sendable {
  /// The earlier one, by `--earlier`.
  case earlier
  /// The later one, by `--later`.
  case later

  /// The choice that a line makes.
  ///
  /// - Throws: `invalidInput` when it makes both.
  public init?(_ invocation: Invocation) throws(AppError) {
    switch (invocation.flag(FlagSpec.earlier.name), invocation.flag(FlagSpec.later.name)) {
    case (true, true): throw AppError(.invalidInput, "--earlier and --later exclude each other")
    case (true, false): self = .earlier
    case (false, true): self = .later
    case (false, false): return nil
    }
  }
}

extension FlagSpec {
  /// Takes the earlier meaning of a time at which the clock is changed.
  public static let earlier = FlagSpec(
    "earlier", summary: "when the clock is changed at that time: the earlier meaning")
  /// Takes the later meaning of a time at which the clock is changed.
  public static let later = FlagSpec("later", summary: "when the clock is changed at that time: the later meaning")
}

extension ClinicZone {
  /// The point in time that a reading of the clinic's clock means.
  ///
  /// - Parameter choice: What to take when the clock jumps over the reading, or shows it twice.
  /// - Throws: `invalidInput` when a choice is needed and there is none, telling both meanings.
  public func instant(for reading: LocalDateTime, choice: ClockChoice?, field: String) throws(AppError) -> Instant {
    let what: String
    let meanings: (Instant, Instant)
    switch instants(for: reading) {
    case .one(let instant):
      return instant
    case .gap(let before, let after):
      what = "\(reading.day) \(reading.timeText) does not exist in \(identifier): the clock is set forward over it"
      meanings = (before, after)
    case .twice(let first, let second):
      what = "\(reading.day) \(reading.timeText) exists twice in \(identifier): the clock is set back"
      meanings = (first, second)
    }
    switch choice {
    case .earlier: return meanings.0
    case .later: return meanings.1
    case nil:
      throw AppError(
        .invalidInput, what,
        hint: "add --earlier for \(text(meanings.0)) or --later for \(text(meanings.1))", field: field)
    }
  }
}
