internal import Glibc

enum SystemTime {
  /// Wall time in milliseconds since 1970.
  static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Civil dates of the Gregorian calendar, by day number since 1970-01-01.
struct CivilDate: Equatable, Sendable {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date with that number of days since 1970-01-01. (Eras of 400 years that begin in March.)
  init(days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * march + 2) / 5 + 1
    month = march < 10 ? march + 3 : march - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  var days: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether there is such a day.
  var exists: Bool { (1...12).contains(month) && day >= 1 && CivilDate(days: days) == self }

  /// `YYYY-MM-DD`.
  var text: String { "\(Digits.pad(year, 4))-\(Digits.pad(month, 2))-\(Digits.pad(day, 2))" }
}

enum Digits {
  static func pad(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

enum Instant {
  static let dayLength: Int64 = 86_400_000

  /// A FHIR instant in UTC with milliseconds.
  static func text(_ milliseconds: Int64) -> String {
    let (date, clock) = split(milliseconds)
    return "\(date.text)T\(hours(clock)).\(Digits.pad(clock % 1000, 3))Z"
  }

  /// An HTTP date (RFC 9110, section 5.6.7), in whole seconds.
  static func http(_ milliseconds: Int64) -> String {
    let (date, clock) = split(milliseconds)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((date.days % 7) + 7) % 7]
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][date.month - 1]
    return "\(weekday), \(Digits.pad(date.day, 2)) \(month) \(Digits.pad(date.year, 4)) \(hours(clock)) GMT"
  }

  private static func hours(_ clock: Int) -> String {
    "\(Digits.pad(clock / 3_600_000, 2)):\(Digits.pad(clock / 60_000 % 60, 2)):\(Digits.pad(clock / 1000 % 60, 2))"
  }

  private static func split(_ milliseconds: Int64) -> (CivilDate, Int) {
    let days = Int((Double(milliseconds) / Double(dayLength)).rounded(.down))
    return (CivilDate(days: days), Int(milliseconds - Int64(days) * dayLength))
  }
}

/// The span of time that a FHIR date, dateTime or instant stands for, as precise as it is written: half open, in milliseconds since 1970.
/// Values without an offset are read as UTC.
struct TimeRange: Equatable, Sendable {
  var start: Int64
  var end: Int64

  init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  /// Nil unless the text is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or one of these days with a time and perhaps an offset.
  init?(_ text: String) {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Self.number($0) }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let date = CivilDate(
      year: numbers[0], month: parts.count > 1 ? numbers[1] : 1, day: parts.count > 2 ? numbers[2] : 1)
    guard date.exists else { return nil }
    start = Int64(date.days) * Instant.dayLength
    switch (parts.count, halves.count) {
    case (1, 1): end = Int64(CivilDate(year: date.year + 1, month: 1, day: 1).days) * Instant.dayLength
    case (2, 1):
      let next = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
      end = Int64(CivilDate(year: next.0, month: next.1, day: 1).days) * Instant.dayLength
    case (3, 1): end = start + Instant.dayLength
    case (3, 2):
      guard let clock = Self.clock(halves[1]) else { return nil }
      start += clock.start
      end = start + clock.length
    default: return nil
    }
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// `hh:mm[:ss[.fff]][Z|±hh:mm]` as milliseconds of the day in UTC, and the length that the precision stands for.
  private static func clock(_ text: Substring) -> (start: Int64, length: Int64)? {
    var time = text
    var offset: Int64 = 0
    if time.hasSuffix("Z") {
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" || $0 == " " }) {
      // A space is a plus sign that was not percent-encoded.
      let zone = time[time.index(after: sign)...].split(separator: ":")
      guard zone.count == 2, let hours = number(zone[0]), let minutes = number(zone[1]), hours < 24,
        minutes < 60
      else { return nil }
      offset = Int64(hours * 60 + minutes) * (time[sign] == "-" ? -60_000 : 60_000)
      time = time[..<sign]
    }
    let fields = time.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count), let hour = number(fields[0]), let minute = number(fields[1]), hour < 25,
      minute < 60
    else { return nil }
    var start = Int64(hour * 60 + minute) * 60_000 - offset
    guard fields.count == 3 else { return (start, 60_000) }
    let seconds = fields[2].split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = number(seconds[0]), whole < 61 else { return nil }
    start += Int64(whole) * 1000
    guard seconds.count == 2 else { return seconds.count == 1 ? (start, 1000) : nil }
    let digits = seconds[1].prefix(3)
    guard let fraction = number(digits), !digits.isEmpty else { return nil }
    let unit: Int64 = [1: 100, 2: 10, 3: 1][digits.count] ?? 1
    return (start + Int64(fraction) * unit, unit)
  }
}
