import Domain
import Foundation
import Testing

@Suite("Calendar days and partial dates")
struct CalendarTests {
  @Test(
    "A day is read only when the calendar has it",
    arguments: [
      ("2027-02-28", true), ("2027-02-29", false), ("2028-02-29", true), ("1900-02-29", false), ("2000-02-29", true),
      ("2027-13-01", false), ("2027-00-10", false), ("2027-04-31", false), ("2027-1-01", false), ("2027-01-01 ", false),
      ("", false), ("٢٠٢٧-01-01", false),
    ])
  func readsDays(text: String, isDay: Bool) {
    #expect(CalendarDay(text)?.description == (isDay ? text : nil))
  }

  @Test("Counting days agrees with Foundation's calendar over centuries")
  func countsDays() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var wrong: [String] = []
    for days in stride(from: -100_000, through: 100_000, by: 37) {
      let day = CalendarDay(daysSince1970: days)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      let weekday = Weekday.allCases.firstIndex(of: day.weekday).map { ($0 + 1) % 7 + 1 }
      if [day.year, day.month, day.day, weekday] != [parts.year, parts.month, parts.day, parts.weekday]
        || day.daysSince1970 != days
      {
        wrong.append("\(days): \(day)")
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Adding days crosses months, years and leap days",
    arguments: [
      ("2027-02-28", 1, "2027-03-01"), ("2028-02-28", 1, "2028-02-29"), ("2027-01-01", -1, "2026-12-31"),
      ("2027-01-01", 365, "2028-01-01"), ("2000-03-01", -1, "2000-02-29"),
    ])
  func addsDays(start: String, days: Int, end: String) {
    #expect(CalendarDay(start)?.adding(days: days).description == end)
  }

  @Test(
    "A partial date keeps its precision and its spelling",
    arguments: [
      ("1951", "1951-01-01", "1951-12-31"), ("2024-02", "2024-02-01", "2024-02-29"),
      ("2012-02-19", "2012-02-19", "2012-02-19"), ("0987-06", "0987-06-01", "0987-06-30"),
    ])
  func keepsPrecision(text: String, lower: String, upper: String) {
    let date = PartialDate(text)
    #expect([date?.description, date?.lowerDay.description, date?.upperDay.description] == [text, lower, upper])
  }

  @Test(
    "What is no FHIR date is refused",
    arguments: [
      "", "51", "0000", "1951-", "1951-1", "1951-00", "1951-13", "2023-02-29", "1951-02-030", "1951-02-03T00:00:00Z",
      "-1951", "1951/02",
    ])
  func refusesDates(text: String) {
    #expect(PartialDate(text) == nil)
  }

  @Test(
    "An age is exact for a full birth date and a range for less",
    arguments: [
      ("2012-02-19", "2026-11-02", "14 years"), ("2012-02-19", "2026-02-18", "13 years"),
      ("2012-02-19", "2026-02-19", "14 years"), ("2025-12-01", "2026-11-02", "11 months"),
      ("2025-12-01", "2025-12-01", "0 days"), ("2025-12-01", "2025-12-02", "1 day"),
      ("2025-12-01", "2026-01-01", "1 month"), ("2025-12-31", "2026-02-28", "1 month"),
      ("2000-02-29", "2018-02-28", "17 years"), ("2000-02-29", "2018-03-01", "18 years"),
      ("1951", "2026-11-02", "74–75 years"), ("1951", "2026-12-31", "about 75 years"),
      ("1951-06", "2026-11-02", "about 75 years"), ("1951-11", "2026-11-02", "74–75 years"),
      ("2026-06", "2026-11-02", "4–5 months"), ("2026", "2026-11-02", "0–10 months"),
      ("2024", "2026-11-02", "1–2 years"), ("2026-11", "2026-11-02", "about 0 months"),
    ])
  func tellsAge(birthDate: String, day: String, age: String) throws {
    let day = try #require(CalendarDay(day))
    #expect(PartialDate(birthDate)?.age(on: day)?.description == age)
  }

  @Test("No age is told before birth", arguments: ["2026-11-03", "2026-12", "2027"])
  func tellsNoAgeBeforeBirth(birthDate: String) throws {
    let day = try #require(CalendarDay("2026-11-02"))
    let date = try #require(PartialDate(birthDate))
    #expect(date.age(on: day) == nil)
  }
}
