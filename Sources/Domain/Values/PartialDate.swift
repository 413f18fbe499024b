/// A date as precise as it was recorded: a year, a month or a day. FHIR's `date`.
///
/// It is never filled up to a day nor moved by a time zone. Source: hl7.org/fhir/R4/datatypes.html#date.
public struct PartialDate: Hashable, Sendable, CustomStringConvertible {
  /// The year.
  public let year: Int
  /// The month, if known.
  public let month: Int?
  /// The day of the month, if known; never without a month.
  public let day: Int?

  /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `nil` for other forms and for days that the calendar does not have.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), year > 0 else { return nil }
    if scanner.isAtEnd {
      self.init(checkedYear: year, month: nil, day: nil)
      return
    }
    guard scanner.take("-"), let month = scanner.number(digits: 2), (1...12).contains(month) else { return nil }
    if scanner.isAtEnd {
      self.init(checkedYear: year, month: month, day: nil)
      return
    }
    guard scanner.take("-"), let day = scanner.number(digits: 2), scanner.isAtEnd,
      CalendarDay(year: year, month: month, day: day) != nil
    else { return nil }
    self.init(checkedYear: year, month: month, day: day)
  }

  /// Makes a date of full precision.
  public init(_ day: CalendarDay) {
    self.init(checkedYear: day.year, month: day.month, day: day.day)
  }

  private init(checkedYear year: Int, month: Int?, day: Int?) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date exactly as it was written.
  public var description: String {
    var text = paddedNumber(year, width: 4)
    if let month { text += "-" + paddedNumber(month, width: 2) }
    if let day { text += "-" + paddedNumber(day, width: 2) }
    return text
  }

  /// The first day that the date may mean.
  public var lowerDay: CalendarDay {
    CalendarDay(daysSince1970: Self.days(year, month ?? 1, day ?? 1))
  }

  /// The last day that the date may mean.
  public var upperDay: CalendarDay {
    let month = month ?? 12
    return CalendarDay(
      daysSince1970: Self.days(year, month, day ?? CalendarDay.length(ofMonth: month, year: year)))
  }

  /// The day, when the date is precise to the day.
  public var exactDay: CalendarDay? { day == nil ? nil : lowerDay }

  /// Whether one day could be meant by both dates.
  public func isCompatible(with other: PartialDate) -> Bool {
    lowerDay <= other.upperDay && other.lowerDay <= upperDay
  }

  /// The age on a day of who was born on this date; `nil` when the whole date lies after that day.
  ///
  /// A date that is not precise to the day gives a range, never one exact age.
  public func age(on day: CalendarDay) -> Age? {
    guard let oldest = AgeSpan(from: lowerDay, to: day) else { return nil }
    if self.day != nil { return .exact(oldest) }
    let youngest = AgeSpan(from: upperDay, to: day) ?? AgeSpan(years: 0, months: 0, days: 0)
    return .range(youngest, oldest)
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    CalendarDay(year: year, month: month, day: day)?.daysSince1970 ?? 0
  }
}
