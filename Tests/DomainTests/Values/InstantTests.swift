import Domain
import Testing

@Suite("Instants and clinic zones")
struct InstantTests {
  @Test(
    "An instant keeps its spelling and knows its point in time",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0, 0), ("2027-03-12T14:00:00Z", 1_804_860_000, 0, 0),
      ("2027-03-12T09:00:00-05:00", 1_804_860_000, 0, -18_000),
      ("2027-03-12T14:00:00.000Z", 1_804_860_000, 0, 0), ("2027-03-12T14:00:00.5+00:00", 1_804_860_000, 500_000_000, 0),
      ("1969-12-31T23:59:59.250Z", -1, 250_000_000, 0),
      ("2027-03-12T19:45:00.1234567891+05:45", 1_804_860_000, 123_456_789, 20_700),
      ("2016-12-31T23:59:60Z", 1_483_228_800, 0, 0),
    ])
  func keepsSpelling(text: String, seconds: Int64, nanoseconds: Int, offset: Int) throws {
    let instant = try #require(Instant(text))
    #expect(instant.text == text)
    #expect(
      [instant.secondsSince1970, Int64(instant.nanoseconds), Int64(instant.offsetSeconds)]
        == [seconds, Int64(nanoseconds), Int64(offset)])
  }

  @Test(
    "What is no full date and time is refused",
    arguments: [
      "", "2027-03-12", "2027-03-12T14:00Z", "2027-03-12T14:00:00", "2027-03-12 14:00:00Z", "2027-03-12T24:00:00Z",
      "2027-02-29T14:00:00Z", "2027-03-12T14:60:00Z", "2027-03-12T14:00:00.Z", "2027-03-12T14:00:00+15:00",
      "2027-03-12T14:00:00+05", "2027-03-12T14:00:00Zx", "0000-03-12T14:00:00Z",
    ])
  func refuses(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test(
    "A made instant is written as FHIR writes it",
    arguments: [
      (0, 0, 0, "1970-01-01T00:00:00Z"), (-1, 0, 0, "1969-12-31T23:59:59Z"),
      (1_804_860_000, 120_000_000, -18_000, "2027-03-12T09:00:00.12-05:00"),
      (1_804_860_000, 0, 20_700, "2027-03-12T19:45:00+05:45"), (Int64.max, 0, 0, "9999-12-30T23:59:59Z"),
      (Int64.min, 0, -36_000, "0001-01-01T14:00:00-10:00"),
    ])
  func writes(seconds: Int64, nanoseconds: Int, offset: Int, text: String) {
    let instant = Instant(secondsSince1970: seconds, nanoseconds: nanoseconds, offsetSeconds: offset)
    #expect([instant.text, Instant(instant.text)?.text] == [text, text])
    #expect(Instant(text)?.secondsSince1970 == instant.secondsSince1970)
  }

  @Test("Two spellings of one point are neither equal nor one before the other")
  func comparesByPoint() throws {
    let zulu = try #require(Instant("2027-03-12T14:00:00Z"))
    let local = try #require(Instant("2027-03-12T09:00:00.0-05:00"))
    #expect([zulu == local, zulu < local, local < zulu, zulu.isSamePoint(as: local)] == [false, false, false, true])
    #expect(local.utcText == zulu.text)
    #expect(local.adding(seconds: 1_200).text == "2027-03-12T09:20:00-05:00")
  }

  @Test(
    "A reading of the wall clock means what the zone's rules say, right across changes",
    arguments: [
      ("America/New_York", "2027-03-12T09:00:00", "2027-03-12T09:00:00-05:00"),
      ("America/New_York", "2027-03-16T09:00:00", "2027-03-16T09:00:00-04:00"),
      ("America/New_York", "2027-03-14T01:59:59", "2027-03-14T01:59:59-05:00"),
      ("America/New_York", "2027-03-14T02:30:00", "gap 2027-03-14T01:30:00-05:00 2027-03-14T03:30:00-04:00"),
      ("America/New_York", "2027-03-14T03:00:00", "2027-03-14T03:00:00-04:00"),
      ("America/New_York", "2027-11-07T01:30:00", "twice 2027-11-07T01:30:00-04:00 2027-11-07T01:30:00-05:00"),
      ("America/New_York", "2027-11-07T02:00:00", "2027-11-07T02:00:00-05:00"),
      ("Europe/Paris", "2026-03-29T02:30:00", "gap 2026-03-29T01:30:00+01:00 2026-03-29T03:30:00+02:00"),
      ("Europe/Paris", "2026-10-25T02:00:00", "twice 2026-10-25T02:00:00+02:00 2026-10-25T02:00:00+01:00"),
      ("Europe/Paris", "2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00"),
      ("Pacific/Apia", "2011-12-30T12:00:00", "gap 2011-12-29T12:00:00-10:00 2011-12-31T12:00:00+14:00"),
      ("Asia/Kathmandu", "2027-03-12T19:45:00", "2027-03-12T19:45:00+05:45"),
      ("UTC", "2027-03-14T02:30:00", "2027-03-14T02:30:00Z"),
    ])
  func resolves(zone: String, reading: String, meaning: String) throws {
    let zone = try #require(ClinicZone(zone))
    let local = try #require(Instant(reading + "Z")).written
    switch zone.instants(for: local) {
    case .one(let instant): #expect(instant.text == meaning)
    case .gap(let before, let after): #expect("gap \(before) \(after)" == meaning)
    case .twice(let first, let second): #expect("twice \(first) \(second)" == meaning)
    }
  }

  @Test(
    "A day has the hours that its zone gives it",
    arguments: [
      ("America/New_York", "2027-03-14", "2027-03-14T00:00:00-05:00", 23),
      ("America/New_York", "2027-11-07", "2027-11-07T00:00:00-04:00", 25),
      ("America/New_York", "2027-03-15", "2027-03-15T00:00:00-04:00", 24),
      ("Africa/Cairo", "2024-04-26", "2024-04-26T01:00:00+03:00", 23),
      ("America/Havana", "2024-11-03", "2024-11-03T00:00:00-04:00", 25),
      ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00", 0),
    ])
  func boundsDays(zone: String, day: String, start: String, hours: Int64) throws {
    let bounds = try #require(ClinicZone(zone)).bounds(of: #require(CalendarDay(day)))
    #expect(bounds.lowerBound.text == start)
    #expect(bounds.upperBound.secondsSince1970 - bounds.lowerBound.secondsSince1970 == hours * 3_600)
  }

  @Test(
    "A point in time shows on the wall clock with the zone's name for it",
    arguments: [
      ("2027-03-12T14:00:00Z", "2027-03-12T09:00:00", "EST"), ("2027-03-15T13:00:00Z", "2027-03-15T09:00:00", "EDT"),
      ("2027-03-15T09:30:00-04:00", "2027-03-15T09:30:00", "EDT"),
    ])
  func showsLocal(text: String, reading: String, abbreviation: String) throws {
    let zone = try #require(ClinicZone("America/New_York"))
    let instant = try #require(Instant(text))
    #expect([zone.local(instant).description, zone.abbreviation(at: instant)] == [reading, abbreviation])
  }

  @Test("An unknown zone is refused", arguments: ["Mars/Olympus", "", "America/New York"])
  func refusesZone(name: String) {
    #expect(ClinicZone(name) == nil)
  }

  @Test(
    "A dateTime sorts by the first and last second that it may mean",
    arguments: [
      ("2026", "2026-01-01T00:00:00+01:00", "2026-12-31T23:59:59+01:00"),
      ("2026-03-29", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59+02:00"),
      ("2026-03-29T05:00:00Z", "2026-03-29T05:00:00Z", "2026-03-29T05:00:00Z"),
    ])
  func sorts(text: String, first: String, last: String) throws {
    let zone = try #require(ClinicZone("Europe/Paris"))
    let bounds = try #require(DateTime(text)).sortBounds(in: zone)
    #expect(
      [bounds.lowerBound, bounds.upperBound].map { zone.written($0).text }
        == [first, last].map { zone.written(Instant($0) ?? bounds.lowerBound).text })
  }
}
