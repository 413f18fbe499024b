import Domain

extension ValueKind {
  /// Why `text` is no such value, or nil if it is one. References are resolved elsewhere and always pass.
  func problem(with text: String) -> UsageError? {
    let quoted = "\"\(text)\""
    switch self {
    case .text, .ref, .patient:
      return nil
    case .integer:
      return Int(text) == nil ? UsageError("\(quoted) is no whole number") : nil
    case .decimal:
      return Self.isDecimal(text) ? nil : UsageError("\(quoted) is no number", hint: "write it as 37.1")
    case .date:
      return DateWords.parse(text, today: Self.anyDay) == nil
        ? UsageError(
          "\(quoted) is no day", hint: "write it as 2026-03-04, today, tomorrow, yesterday, mon, +3d or +2w") : nil
    case .partialDate:
      return PartialDate(text) != nil
        ? nil : UsageError("\(quoted) is no date", hint: "write it as 1980-05-17, or as 1980-05 or 1980")
    case .time:
      return TimeOfDay(parsing: text) == nil
        ? UsageError("\(quoted) is no time of day", hint: "write it as 9:30") : nil
    case .dateTime:
      return DateWords.parseDayAndTime(text, today: Self.anyDay) == nil
        ? UsageError("\(quoted) is no day and time", hint: "write it as 2026-03-04T09:30 or tomorrow 9:30") : nil
    case .duration:
      return DurationWords.seconds(text) == nil
        ? UsageError("\(quoted) is no length of time", hint: "write it as 30min, 1h, 1h30 or 45 (minutes)") : nil
    case .size:
      return SizeWords.bytes(text) == nil
        ? UsageError("\(quoted) is no number of bytes", hint: "write it as 500kB, 10MB or 1048576") : nil
    case .file:
      return text.isEmpty || text.utf8.contains(0) ? UsageError("\(quoted) is no file name") : nil
    case .choice(let words):
      guard !words.contains(text) else { return nil }
      let meant = Suggestions.closest(to: text, among: words).map { "did you mean \"\($0)\"?" }
      return UsageError("\(quoted) is none of \(words.joined(separator: ", "))", hint: meant)
    }
  }

  /// Whether a word is understood does not depend on the day, but for the ends of the calendar.
  private static let anyDay = CalendarDay(daysSince1970: 0)

  private static func isDecimal(_ text: String) -> Bool {
    let body = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { DateWords.isDigits($0) }
  }
}
