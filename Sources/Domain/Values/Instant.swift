/// A point in time that keeps the spelling in which it was written: offset, fraction digits and all.
///
/// Order is by the point in time alone; equality also asks for the same spelling, so that an edit which only rewrites
/// `Z` as `+00:00` is seen as one. Use ``isSamePoint(as:)`` to compare points.
/// Source: hl7.org/fhir/R4/datatypes.html#instant.
public struct Instant: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The instant exactly as written.
  public let text: String
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let secondsSince1970: Int64
  /// Nanoseconds after the whole second, 0 to 999,999,999. Digits below a nanosecond are in ``text`` only.
  public let nanoseconds: Int
  /// The written offset from UTC in seconds, positive east of Greenwich.
  public let offsetSeconds: Int

  /// Reads a full date and time with seconds and zone: `2027-03-12T09:00:00.5-04:00`, or `Z` for the zone.
  ///
  /// `nil` for any other form and for days and times that do not exist. Second 60 (a leap second) is taken as the
  /// next second.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
      scanner.take("-"), let dayOfMonth = scanner.number(digits: 2), scanner.take("T"),
      let day = CalendarDay(year: year, month: month, day: dayOfMonth), year > 0,
      let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
      let minute = scanner.number(digits: 2), minute < 60, scanner.take(":"),
      let second = scanner.number(digits: 2), second <= 60
    else { return nil }
    var nanoseconds = 0
    if scanner.take(".") {
      guard let fraction = scanner.fraction() else { return nil }
      nanoseconds = fraction
    }
    guard let offset = Self.offset(&scanner), scanner.isAtEnd else { return nil }
    let local = day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    self.text = text
    self.secondsSince1970 = Int64(local - offset)
    self.nanoseconds = nanoseconds
    self.offsetSeconds = offset
  }

  /// Makes an instant and its spelling: `Z` for offset zero, fraction digits only when there is a fraction.
  ///
  /// - Parameters:
  ///   - secondsSince1970: whole seconds; kept within the years 1 to 9999, which FHIR can write.
  ///   - nanoseconds: 0 to 999,999,999; values outside are brought to the nearest of these.
  ///   - offsetSeconds: offset from UTC; brought to whole minutes (as FHIR writes it) within 14 hours.
  public init(secondsSince1970: Int64, nanoseconds: Int = 0, offsetSeconds: Int = 0) {
    let offset = min(max(offsetSeconds / 60, -14 * 60), 14 * 60) * 60
    // One day inside both ends, so that no offset leaves the four-digit years.
    let seconds = min(max(secondsSince1970, -62_135_510_400), 253_402_214_399)
    let nanoseconds = min(max(nanoseconds, 0), 999_999_999)
    self.secondsSince1970 = seconds
    self.nanoseconds = nanoseconds
    self.offsetSeconds = offset
    let local = LocalDateTime(secondsSince1970: seconds + Int64(offset))
    // The clock is read often: its text, ending in Z, is written in one go.
    let text = String(unsafeUninitializedCapacity: LocalDateTime.length + 11) { text in
      local.put(into: text)
      var end = LocalDateTime.length
      if nanoseconds > 0 {
        text[end] = UInt8(ascii: ".")
        text.write(nanoseconds, at: end + 1, digits: 9)
        end += 10
        while text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      }
      if offset == 0 {
        text[end] = UInt8(ascii: "Z")
        end += 1
      }
      return end
    }
    self.text = offset == 0 ? text : text + Self.offsetText(offset)
  }

  /// The same point in time written in UTC.
  public var utcText: String {
    Instant(secondsSince1970: secondsSince1970, nanoseconds: nanoseconds).text
  }

  /// The date and time as written, without its offset: what the clock on the wall showed.
  public var written: LocalDateTime {
    LocalDateTime(secondsSince1970: secondsSince1970 + Int64(offsetSeconds))
  }

  /// Whether both mean the same point in time, however written.
  public func isSamePoint(as other: Instant) -> Bool {
    secondsSince1970 == other.secondsSince1970 && nanoseconds == other.nanoseconds
  }

  /// The point so many seconds later, or earlier when negative, written with the same offset.
  public func adding(seconds: Int64) -> Instant {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    return Instant(
      secondsSince1970: overflow ? (seconds > 0 ? .max : .min) : sum, nanoseconds: nanoseconds,
      offsetSeconds: offsetSeconds)
  }

  /// The same point written with another offset.
  public func withOffset(seconds: Int) -> Instant {
    Instant(secondsSince1970: secondsSince1970, nanoseconds: nanoseconds, offsetSeconds: seconds)
  }

  /// The instant exactly as written.
  public var description: String { text }

  /// Earlier points come first; two spellings of one point are neither before the other.
  public static func < (left: Instant, right: Instant) -> Bool {
    (left.secondsSince1970, left.nanoseconds) < (right.secondsSince1970, right.nanoseconds)
  }

  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.take("Z") { return 0 }
    let sign: Int
    if scanner.take("+") {
      sign = 1
    } else if scanner.take("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = scanner.number(digits: 2), scanner.take(":"), let minutes = scanner.number(digits: 2),
      minutes < 60, hours * 60 + minutes <= 14 * 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  private static func offsetText(_ seconds: Int) -> String {
    let minutes = Int(seconds.magnitude) / 60
    return (seconds < 0 ? "-" : "+") + paddedNumber(minutes / 60, width: 2) + ":" + paddedNumber(minutes % 60, width: 2)
  }
}
