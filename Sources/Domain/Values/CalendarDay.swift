/// A day of the proleptic Gregorian calendar, without a time and without a zone.
///
/// Arithmetic is done by hand on the number of days since 1970-01-01, in constant time.
public struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The year.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// Makes a day; `nil` when the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    self.init(uncheckedYear: year, month: month, day: day)
  }

  /// Reads `YYYY-MM-DD`; `nil` for any other form and for days that do not exist.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
      scanner.take("-"), let day = scanner.number(digits: 2), scanner.isAtEnd
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Makes the day that lies so many days after 1970-01-01, or before it when negative.
  public init(daysSince1970 days: Int) {
    // Counted in eras of 400 years that begin in March, so that the leap day is the last of its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      uncheckedYear: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private init(uncheckedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days since 1970-01-01, negative before it.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day so many days later, or earlier when negative.
  public func adding(days: Int) -> CalendarDay {
    CalendarDay(daysSince1970: daysSince1970 + days)
  }

  /// The day of the week.
  public var weekday: Weekday {
    let index = (daysSince1970 + 3) % 7  // 1970-01-01 was a Thursday.
    return Weekday.allCases[index >= 0 ? index : index + 7]
  }

  /// `YYYY-MM-DD`.
  public var description: String {
    guard hasPlainYear else {
      return "\(paddedNumber(year, width: 4))-\(paddedNumber(month, width: 2))-\(paddedNumber(day, width: 2))"
    }
    return String(unsafeUninitializedCapacity: 10) { text in
      text.write(self)
      return 10
    }
  }

  /// Whether the year is written with four digits and without a sign.
  var hasPlainYear: Bool { (0...9_999).contains(year) }

  /// The number of days of a month, 28 to 31.
  public static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Earlier days come first.
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func isLeap(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }
}
