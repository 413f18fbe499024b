/// A span of completed years, months and days between two days of the calendar.
public struct AgeSpan: Hashable, Sendable, Comparable {
  /// Completed years.
  public let years: Int
  /// Completed months beyond the years, 0 to 11.
  public let months: Int
  /// Completed days beyond the months, 0 to 30.
  public let days: Int

  /// Makes a span from its parts.
  public init(years: Int, months: Int, days: Int) {
    self.years = years
    self.months = months
    self.days = days
  }

  /// The span from one day to another; `nil` when the second lies before the first.
  ///
  /// A month is complete on the same day of a later month, or on the day after that month's end when it is too
  /// short: who was born on 29 February completes a year on 1 March of a common year.
  public init?(from start: CalendarDay, to end: CalendarDay) {
    guard start <= end else { return nil }
    var total = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.day { total -= 1 }
    let anchorMonths = start.year * 12 + start.month - 1 + total
    let anchorYear = anchorMonths / 12
    let anchorMonth = anchorMonths % 12 + 1
    let length = CalendarDay.length(ofMonth: anchorMonth, year: anchorYear)
    let anchor = CalendarDay(year: anchorYear, month: anchorMonth, day: min(start.day, length)) ?? start
    // A birthday that the month lacks falls on the first of the next one.
    let shift = start.day > length ? 1 : 0
    self.init(
      years: total / 12, months: total % 12,
      days: max(0, end.daysSince1970 - anchor.daysSince1970 - shift))
  }

  /// Completed months in all.
  public var totalMonths: Int { years * 12 + months }

  /// Shorter spans come first.
  public static func < (left: AgeSpan, right: AgeSpan) -> Bool {
    (left.years, left.months, left.days) < (right.years, right.months, right.days)
  }
}
