/// A date and a time on the wall clock, to the second, without a zone.
public struct LocalDateTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The day.
  public let day: CalendarDay
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 59.
  public let second: Int

  /// Makes a time of a day; `nil` when no clock shows it.
  public init?(day: CalendarDay, hour: Int, minute: Int, second: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Midnight at the beginning of a day.
  public init(startOf day: CalendarDay) {
    self.day = day
    hour = 0
    minute = 0
    second = 0
  }

  /// Makes the date and time that a clock shows which counts its own seconds from 1970-01-01T00:00:00.
  public init(secondsSince1970 seconds: Int64) {
    var days = seconds / 86_400
    var rest = Int(seconds % 86_400)
    if rest < 0 {
      days -= 1
      rest += 86_400
    }
    day = CalendarDay(daysSince1970: Int(days))
    hour = rest / 3_600
    minute = rest % 3_600 / 60
    second = rest % 60
  }

  /// Seconds since 1970-01-01T00:00:00 on the same clock.
  public var secondsSince1970: Int64 {
    Int64(day.daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  /// `HH:MM`, for listings.
  public var timeText: String { "\(paddedNumber(hour, width: 2)):\(paddedNumber(minute, width: 2))" }

  /// `YYYY-MM-DDTHH:MM:SS`.
  public var description: String {
    guard day.hasPlainYear else { return "\(day)T\(timeText):\(paddedNumber(second, width: 2))" }
    return String(unsafeUninitializedCapacity: Self.length) { text in
      put(into: text)
      return Self.length
    }
  }

  /// How many characters ``description`` has.
  static var length: Int { 19 }

  /// Writes ``description`` at the beginning; the year must have a plain one.
  func put(into text: UnsafeMutableBufferPointer<UInt8>) {
    text.write(day)
    text[10] = UInt8(ascii: "T")
    text.write(hour, at: 11, digits: 2)
    text[13] = UInt8(ascii: ":")
    text.write(minute, at: 14, digits: 2)
    text[16] = UInt8(ascii: ":")
    text.write(second, at: 17, digits: 2)
  }

  /// Earlier readings come first.
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}
