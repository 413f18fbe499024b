package import Foundation

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// Reads all three forms:
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  ///
  /// The day of the week is not compared with the date. A year of two digits that would lie more than 50 years after
  /// `now` means the last one with these digits.
  /// - Returns: nil if the text is none of these, or names a day or a time that does not exist.
  package static func parse(_ text: String, now: Date) -> Date? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    switch words.count {
    case 6 where isZone(words[5]):
      return date(year: digits(words[3], 4), month: words[2], day: digits(words[1], 2), time: words[4])
    case 5 where !isZone(words[4]):
      guard let day = digits(words[2], 1) ?? digits(words[2], 2) else { return nil }
      return date(year: digits(words[4], 4), month: words[1], day: day, time: words[3])
    case 4 where isZone(words[3]):
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let short = digits(parts[2], 2) else { return nil }
      let year = fullYear(short, now: now)
      return date(year: year, month: parts[1], day: digits(parts[0], 2), time: words[2])
    default:
      return nil
    }
  }

  private static func isZone(_ word: String) -> Bool { word == "GMT" || word == "UTC" }

  private static func digits(_ text: String, _ count: Int) -> Int? {
    text.utf8.count == count && text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
  }

  private static func fullYear(_ short: Int, now: Date) -> Int {
    let current = CivilDay(daysSince1970: Int((now.timeIntervalSince1970 / 86400).rounded(.down))).year
    let year = current - current % 100 + short
    if year > current + 50 { return year - 100 }
    return year <= current - 50 ? year + 100 : year
  }

  private static func date(year: Int?, month: String, day: Int?, time: String) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { digits(String($0), 2) }
    guard let year, let day, let month = months.firstIndex(of: month), clock.count == 3,
      let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60  // 60: a leap second
    else { return nil }
    let civil = CivilDay(year: year, month: month + 1, day: day)
    guard CivilDay(daysSince1970: civil.daysSince1970) == civil else { return nil }
    let seconds = civil.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// A day of the Gregorian calendar, counted from 1 March so that the leap day is the last of its year.
private struct CivilDay: Equatable {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  init(daysSince1970 days: Int) {
    let shifted = days + Self.daysFromYear0To1970
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - Self.daysFromYear0To1970
  }

  private static let daysFromYear0To1970 = 719_468
}
