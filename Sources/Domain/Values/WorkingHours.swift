/// When a clinic works, by day of the week, on its own clock.
///
/// Written as `mon-fri 08:00-12:00 13:00-17:00; sat 09:00-12:00`. A day that is not named is closed.
public struct WorkingHours: Hashable, Sendable {
  /// A span of one day. `24:00` ends with the day.
  public struct Span: Hashable, Sendable {
    /// Minutes since midnight on the clock.
    public let start: Int
    /// Minutes since midnight on the clock, behind the start; 1440 at most.
    public let end: Int
  }

  private var days: [Weekday: [Span]] = [:]

  /// Reads the written form.
  ///
  /// - Throws: `invalidInput`, naming the part that is not understood.
  public init(_ text: String) throws(AppError) {
    for part in text.split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let name = words.first else { continue }
      let weekdays = try Self.weekdays(name)
      let spans = try words.dropFirst().map { word throws(AppError) in try Self.span(word) }.sorted {
        ($0.start, $0.end) < ($1.start, $1.end)
      }
      guard !spans.isEmpty else { throw Self.misread(part, "gives no hours") }
      for (first, second) in zip(spans, spans.dropFirst()) where second.start < first.end {
        throw Self.misread(part, "overlaps itself")
      }
      for weekday in weekdays {
        guard days.updateValue(spans, forKey: weekday) == nil else { throw Self.misread(part, "names a day again") }
      }
    }
    guard !days.isEmpty else { throw Self.misread("", "is empty") }
  }

  /// The hours of a day of the week, by start; empty when it is closed.
  public func spans(on weekday: Weekday) -> [Span] { days[weekday] ?? [] }

  /// The hours of a day as points in time, right across changes of the clock: a day that is an hour longer has an hour
  /// more of them where the change falls into them.
  public func intervals(on day: CalendarDay, in zone: ClinicZone) -> [Range<Instant>] {
    spans(on: day.weekday).compactMap { span in
      let start = zone.instant(ofMinute: span.start, on: day, isEnd: false)
      let end = zone.instant(ofMinute: span.end, on: day, isEnd: true)
      return start < end ? start..<end : nil
    }
  }

  private static func weekdays(_ word: Substring) throws(AppError) -> [Weekday] {
    let ends = word.lowercased().split(separator: "-", omittingEmptySubsequences: false).map {
      Weekday(rawValue: "\($0)")
    }
    let all = Weekday.allCases
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      let from = all.firstIndex(of: first), let to = all.firstIndex(of: last)
    else { throw misread(word, "names no day of the week") }
    return from <= to ? Array(all[from...to]) : Array(all[from...]) + Array(all[...to])
  }

  private static func span(_ word: Substring) throws(AppError) -> Span {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = minute(ends[0]), let end = minute(ends[1]), start < end else {
      throw misread(word, "is no span of a day")
    }
    return Span(start: start, end: end)
  }

  private static func minute(_ text: Substring) -> Int? {
    var scanner = DigitScanner(String(text))
    guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
      scanner.isAtEnd, minute < 60, hour * 60 + minute <= 1_440
    else { return nil }
    return hour * 60 + minute
  }

  private static func misread(_ part: Substring, _ what: String) -> AppError {
    AppError(
      .invalidInput, "\"\(part.drop(while: \.isWhitespace))\" in the working hours \(what)",
      hint: "write them as: mon-fri 08:00-12:00 13:00-17:00; sat 09:00-12:00", field: "hours")
  }
}

extension ClinicZone {
  /// The point in time of a minute of a day. One that the clock jumps over counts as the moment behind the jump; of one
  /// that it shows twice, spans begin at the first and end at the second.
  fileprivate func instant(ofMinute minute: Int, on day: CalendarDay, isEnd: Bool) -> Instant {
    guard minute < 1_440, let reading = LocalDateTime(day: day, hour: minute / 60, minute: minute % 60) else {
      return bounds(of: day).upperBound
    }
    switch instants(for: reading) {
    case .one(let instant): return instant
    case .gap(_, let after): return after
    case .twice(let first, let second): return isEnd ? second : first
    }
  }
}
