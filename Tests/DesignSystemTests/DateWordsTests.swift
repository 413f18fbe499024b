import DesignSystem
import Domain
import Testing

@Suite("Dates and times as people write them")
struct DateWordsTests {
  /// A Wednesday.
  static let today = CalendarDay("2026-03-04")

  @Test(
    "days",
    arguments: [
      ("2026-03-04", "2026-03-04"), ("2024-02-29", "2024-02-29"), ("2025-02-29", nil), ("2026-3-4", nil),
      ("today", "2026-03-04"), ("Tomorrow", "2026-03-05"), ("yesterday", "2026-03-03"),
      ("wed", "2026-03-04"), ("thu", "2026-03-05"), ("Tuesday", "2026-03-10"), ("sunday", "2026-03-08"), ("tues", nil),
      ("+1", "2026-03-05"), ("+28d", "2026-04-01"), ("-4d", "2026-02-28"), ("+2w", "2026-03-18"), ("-1w", "2026-02-25"),
      ("+1m", "2026-04-04"), ("-1y", "2025-03-04"), ("+12m", "2027-03-04"), ("+", nil), ("+d", nil), ("+1x", nil),
      ("+9999y", nil), ("-9999y", nil), ("9999-12-31", "9999-12-31"), ("0000-01-01", nil), ("", nil), ("+-3d", nil),
      ("２026-03-04", nil),
    ] as [(String, String?)])
  func days(text: String, expected: String?) throws {
    #expect(DateWords.parse(text, today: try #require(Self.today))?.description == expected)
  }

  @Test(
    "a month later is the last day of a shorter month",
    arguments: [("+1m", "2024-02-29"), ("+13m", "2025-02-28"), ("-2m", "2023-11-30"), ("-1m", "2023-12-31")])
  func months(text: String, expected: String) throws {
    let today = try #require(CalendarDay("2024-01-31"))
    #expect(DateWords.parse(text, today: today)?.description == expected)
  }

  @Test(
    "times of day",
    arguments: [
      ("9:30", "09:30"), ("09:00", "09:00"), ("9.30", "09:30"), ("23:59", "23:59"), ("24:00", nil), ("9", nil),
      ("9:3", nil), ("9:60", nil), ("-9:30", nil), ("9:30:00", nil),
    ] as [(String, String?)])
  func times(text: String, expected: String?) {
    #expect(TimeOfDay(parsing: text)?.description == expected)
  }

  @Test(
    "a day and a time",
    arguments: [
      ("today 9:30", "2026-03-04 09:30"), ("2026-03-04T09:30", "2026-03-04 09:30"), ("+1d  8.15", "2026-03-05 08:15"),
      ("todayT9:30", nil), ("today", nil), ("9:30", nil), ("today 9:30 x", nil),
    ] as [(String, String?)])
  func daysAndTimes(text: String, expected: String?) throws {
    let parsed = DateWords.parseDayAndTime(text, today: try #require(Self.today))
    #expect(parsed.map { "\($0.day) \($0.timeText)" } == expected)
  }

  @Test(
    "lengths of time in seconds",
    arguments: [
      ("45", 2700), ("30min", 1800), ("30m", 1800), ("1h", 3600), ("1h30", 5400), ("1h30m", 5400), ("30s", 30),
      ("1m30s", 90), ("2H", 7200), ("0", nil), ("", nil), ("h", nil), ("1x", nil), ("30m1h", nil), ("30 min", nil),
      ("9999999", nil), ("-5", nil),
    ] as [(String, Int?)])
  func durations(text: String, expected: Int?) {
    #expect(DurationWords.seconds(text) == expected)
  }
}
