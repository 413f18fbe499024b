import Domain
import Testing

@Suite("Working hours")
struct WorkingHoursTests {
  static let zone = ClinicZone("America/New_York") ?? .utc

  private func texts(_ hours: String, _ day: String) throws -> [String] {
    let day = try #require(CalendarDay(day))
    return try WorkingHours(hours).intervals(on: day, in: Self.zone).map {
      "\($0.lowerBound.text) \($0.upperBound.text)"
    }
  }

  @Test("are those of the day of the week, on the clinic's clock")
  func days() throws {
    let hours = "mon-fri 13:00-17:00 08:00-12:00; sat 09:00-12:00"
    #expect(
      try texts(hours, "2026-12-01") == [
        "2026-12-01T08:00:00-05:00 2026-12-01T12:00:00-05:00", "2026-12-01T13:00:00-05:00 2026-12-01T17:00:00-05:00",
      ])
    #expect(try texts(hours, "2026-12-05") == ["2026-12-05T09:00:00-05:00 2026-12-05T12:00:00-05:00"])
    #expect(try texts(hours, "2026-12-06") == [])
  }

  @Test("run over the end of a week, and to the end of a day")
  func edges() throws {
    #expect(try texts("sun-mon 22:00-24:00", "2026-12-06") == ["2026-12-06T22:00:00-05:00 2026-12-07T00:00:00-05:00"])
    #expect(try texts("sun-mon 22:00-24:00", "2026-12-07").count == 1)
    #expect(try texts("sun-mon 22:00-24:00", "2026-12-08") == [])
  }

  @Test("are right when the clock is changed within them")
  func clockChange() throws {
    // Set forward over 02:00–03:00, and back so that 01:00–02:00 comes twice.
    #expect(try texts("sun 02:30-04:00", "2027-03-14") == ["2027-03-14T03:30:00-04:00 2027-03-14T04:00:00-04:00"])
    #expect(try texts("sun 01:30-01:45", "2026-11-01") == ["2026-11-01T01:30:00-04:00 2026-11-01T01:45:00-05:00"])
  }

  @Test(
    "that are not understood name the part",
    arguments: [
      "", "mon", "monday 08:00-12:00", "mon 8-12", "mon 12:00-08:00", "mon 08:00-25:00", "mon 08:00-12:00 11:00-13:00",
      "mon 08:00-12:00; mon-fri 09:00-10:00", "mon-tue-wed 08:00-12:00",
    ])
  func misread(text: String) {
    #expect { try WorkingHours(text) } throws: { ($0 as? AppError)?.field == "hours" }
  }
}
