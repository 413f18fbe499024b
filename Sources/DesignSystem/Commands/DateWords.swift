public import Domain

/// Days as people write them.
///
/// | Written | Meant |
/// | --- | --- |
/// | `2026-03-04` | that day |
/// | `today`, `tomorrow`, `yesterday` | relative to today |
/// | `+3d`, `-3d`, `+2w`, `+1m`, `+1y`, `+3` | that many days, weeks, months, years from today; days if no letter |
/// | `mon`, `monday` … | the next such day, today included |
///
/// A month later is the same day of that month, or its last one. Case does not matter.
public enum DateWords {
  /// The day that `text` means, or nil if it means none.
  public static func parse(_ text: String, today: CalendarDay) -> CalendarDay? {
    let day: CalendarDay? =
      switch text.lowercased() {
      case "today": today
      case "tomorrow": today.adding(days: 1)
      case "yesterday": today.adding(days: -1)
      case let word: weekday(word, today: today) ?? offset(word, today: today) ?? CalendarDay(word)
      }
    // FHIR writes years with four digits, from 0001.
    guard let day, (1...9999).contains(day.year) else { return nil }
    return day
  }

  /// The day and time that `text` means: `2026-03-04T09:30`, or a day and a time with a space between.
  public static func parseDayAndTime(_ text: String, today: CalendarDay) -> LocalDateTime? {
    var words = text.split(separator: " ")
    if words.count == 1 {
      // Only an ISO date may be joined by a `T`; `today` contains one of its own.
      let parts = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" }
      guard parts.count == 2, CalendarDay(String(parts[0])) != nil else { return nil }
      words = parts
    }
    guard words.count == 2, let day = parse(String(words[0]), today: today),
      let time = TimeOfDay(parsing: String(words[1]))
    else { return nil }
    return LocalDateTime(day: day, hour: time.hour, minute: time.minute)
  }

  private static func weekday(_ word: String, today: CalendarDay) -> CalendarDay? {
    let days = Weekday.allCases
    guard let wanted = days.firstIndex(where: { $0.rawValue == word || String(describing: $0) == word }),
      let present = days.firstIndex(of: today.weekday)
    else { return nil }
    return today.adding(days: (wanted - present + 7) % 7)
  }

  private static func offset(_ word: String, today: CalendarDay) -> CalendarDay? {
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    var body = word.dropFirst()
    var unit: Character = "d"
    if let last = body.last, "dwmy".contains(last) {
      unit = last
      body.removeLast()
    }
    guard (1...4).contains(body.utf8.count), let count = digits(body) else { return nil }
    let signed = sign == "-" ? -count : count
    return switch unit {
    case "w": today.adding(days: signed * 7)
    case "m": adding(months: signed, to: today)
    case "y": adding(months: signed * 12, to: today)
    default: today.adding(days: signed)
    }
  }

  /// The same day so many months later, or the last day of that month if it is shorter.
  private static func adding(months: Int, to day: CalendarDay) -> CalendarDay {
    let index = day.year * 12 + (day.month - 1) + months
    let month = (index % 12 + 12) % 12
    let year = (index - month) / 12
    let last = CalendarDay.length(ofMonth: month + 1, year: year)
    return CalendarDay(year: year, month: month + 1, day: min(day.day, last)) ?? day
  }

  /// ASCII digits only; `Int.init` would also take a sign.
  static func digits(_ text: some StringProtocol) -> Int? {
    isDigits(text) ? Int(text) : nil
  }

  static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Lengths of time as people write them: `45` (minutes), `30m`, `30min`, `1h`, `1h30`, `1h30m`, `30s`.
public enum DurationWords {
  /// The length in seconds, or nil if `text` is none or is zero. At most a year.
  public static func seconds(_ text: String) -> Int? {
    let word = text.lowercased()
    var total = 0
    var rest = word[...]
    var smallest = Int.max
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...6).contains(number.utf8.count), let count = DateWords.digits(number) else { return nil }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      // A number without a unit counts minutes, and can only be last.
      if unit.isEmpty, !rest.isEmpty { return nil }
      guard let scale = scales[String(unit)], scale < smallest else { return nil }
      smallest = scale
      total += count * scale
    }
    return (1...31_622_400).contains(total) ? total : nil
  }

  private static let scales: [String: Int] = [
    "": 60, "s": 1, "sec": 1, "m": 60, "min": 60, "mins": 60, "h": 3600, "hr": 3600, "hours": 3600, "hour": 3600,
    "d": 86_400,
  ]
}
