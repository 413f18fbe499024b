/// A day of the proleptic Gregorian calendar, without a zone.
public struct CivilDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the length of the month.
  public let day: Int

  /// 1970-01-01.
  static let epoch = CivilDay(dayOfEpoch: ())

  private init(dayOfEpoch: Void) {
    (year, month, day) = (1970, 1, 1)
  }

  /// Nil unless such a day exists in the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDay.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `2026-03-04`.
  public init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      let year = DateWords.digits(parts[0]), let month = DateWords.digits(parts[1]),
      let day = DateWords.digits(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// ISO 8601: `2026-03-04`.
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  public static func < (left: CivilDay, right: CivilDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The day this many days later, or nil beyond the years 1 to 9999.
  public func adding(days: Int) -> CivilDay? {
    guard abs(days) < 4_000_000 else { return nil }
    return CivilDay(dayNumber: dayNumber + days)
  }

  /// The same day this many months later, or the last day of that month if it is shorter.
  public func adding(months: Int) -> CivilDay? {
    guard abs(months) < 200_000 else { return nil }
    let index = year * 12 + (month - 1) + months
    guard index >= 12 else { return nil }
    let target = (year: index / 12, month: index % 12 + 1)
    let last = CivilDay.length(ofMonth: target.month, year: target.year)
    return CivilDay(year: target.year, month: target.month, day: min(day, last))
  }

  /// 1 for Monday to 7 for Sunday, as ISO 8601 counts.
  public var weekday: Int {
    // Day 0, 1970-01-01, was a Thursday.
    let offset = (dayNumber + 3) % 7
    return (offset < 0 ? offset + 7 : offset) + 1
  }

  /// Days since 1970-01-01, counted in years that begin in March so that the leap day comes last.
  private var dayNumber: Int {
    let shifted = month > 2 ? (year: year, month: month - 3) : (year: year - 1, month: month + 9)
    let century = shifted.year / 100
    let leapDays = shifted.year / 4 - century + century / 4
    let dayOfYear = (153 * shifted.month + 2) / 5 + day - 1
    return 365 * shifted.year + leapDays + dayOfYear - 719_468
  }

  private init?(dayNumber: Int) {
    // The year is estimated from its mean length and then corrected by at most one.
    var year = (dayNumber + 719_468) * 400 / 146_097
    guard (0...10_000).contains(year) else { return nil }
    while year > 1, let first = CivilDay(year: year, month: 1, day: 1), first.dayNumber > dayNumber { year -= 1 }
    while let next = CivilDay(year: year + 1, month: 1, day: 1), next.dayNumber <= dayNumber { year += 1 }
    guard let first = CivilDay(year: year, month: 1, day: 1), first.dayNumber <= dayNumber else { return nil }
    var rest = dayNumber - first.dayNumber
    for month in 1...12 {
      let length = CivilDay.length(ofMonth: month, year: year)
      if rest < length {
        self.init(year: year, month: month, day: rest + 1)
        return
      }
      rest -= length
    }
    return nil
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

/// A time of day to the minute, without a zone.
public struct TimeOfDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int

  /// Nil unless such a time exists.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  /// Reads `9:30`, `09:00` or `9.30`.
  public init?(parsing text: String) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      let hour = DateWords.digits(parts[0]), let minute = DateWords.digits(parts[1])
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// `09:30`.
  public var description: String {
    (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
  }

  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    (left.hour, left.minute) < (right.hour, right.minute)
  }
}
