import Domain
import Testing

@Suite("Free time")
struct PlannedTimeTests {
  static let zone = ClinicZone("America/New_York") ?? .utc
  static let dr = Practitioner.ID("dr-1")
  static let room = Location.ID("room-1")

  private static func span(_ from: String, _ to: String, _ day: String = "2026-12-01") -> Range<Instant> {
    let start = Instant("\(day)T\(from):00-05:00") ?? Instant(secondsSince1970: 0)
    return start..<(Instant("\(day)T\(to):00-05:00") ?? start)
  }

  private static func slot(_ from: String, _ to: String, _ status: Slot.Status, of schedule: String = "s-1")
    -> ScheduledSlot
  {
    let span = span(from, to)
    return ScheduledSlot(
      slot: Slot(
        id: Slot.ID("\(schedule)-\(from.filter(\.isNumber))"), status: .known(status),
        schedule: Reference(id: Schedule.ID(schedule)),
        start: span.lowerBound, end: span.upperBound),
      schedule: schedules.first { $0.id.rawValue == schedule })
  }

  private static let schedules = [
    Schedule(id: Schedule.ID("s-1"), actor: [Reference(dr.key)]),
    Schedule(id: Schedule.ID("s-2"), actor: [Reference(Practitioner.ID("dr-2").key), Reference(room.key)]),
  ]

  private func planned(
    _ practitioner: Practitioner.ID?, at location: Location.ID? = nil, _ slots: [ScheduledSlot],
    schedules: [Schedule] = schedules, hours: String? = nil
  ) throws -> PlannedTime {
    PlannedTime(
      of: practitioner, at: location, on: try #require(CalendarDay("2026-12-01")), slots: slots, schedules: schedules,
      hours: try hours.map { try WorkingHours($0) }, zone: Self.zone)
  }

  private func times(_ spans: [Range<Instant>]) -> [String] {
    spans.map { "\(Self.zone.local($0.lowerBound).timeText)-\(Self.zone.local($0.upperBound).timeText)" }
  }

  @Test("is the server's free slots without what is booked")
  func slots() throws {
    let plan = try planned(
      Self.dr,
      [
        Self.slot("09:00", "09:30", .free), Self.slot("09:30", "10:00", .free), Self.slot("10:00", "10:30", .busy),
        Self.slot("10:30", "11:00", .busyUnavailable), Self.slot("11:00", "11:30", .enteredInError),
        Self.slot("09:00", "12:00", .free, of: "s-2"),
      ])
    #expect(plan.source == .schedule)
    #expect(times(plan.open) == ["09:00-10:30"])
    #expect(times(plan.free(seconds: nil, taken: [])) == ["09:00-09:30", "09:30-10:00"])
    #expect(times(plan.free(seconds: nil, taken: [Self.span("09:10", "09:20")])) == ["09:30-10:00"])
    #expect(times(plan.free(seconds: 3_600, taken: [])) == ["09:00-10:00"])
    #expect(times(plan.free(seconds: 5_400, taken: [])) == [])
  }

  @Test("is cut from the working hours of the profile where the server has no schedule of the practitioner")
  func hours() throws {
    let plan = try planned(
      Practitioner.ID("dr-9"), [Self.slot("09:00", "12:00", .free)], hours: "tue 08:00-09:30 13:00-14:10")
    #expect(plan.source == .hours)
    #expect(
      times(plan.free(seconds: nil, taken: [Self.span("08:30", "08:40")])) == [
        "08:00-08:30", "09:00-09:30", "13:00-13:30", "13:30-14:00",
      ])
    #expect(try planned(Practitioner.ID("dr-9"), []).source == .none)
  }

  @Test("with a schedule and no slot on the day is none: the server says that it is closed")
  func closed() throws {
    let plan = try planned(Self.dr, [], hours: "tue 08:00-12:00")
    #expect(plan.source == .schedule && plan.free(seconds: nil, taken: []).isEmpty)
  }

  @Test("of a place is that of the schedules that name it; a practitioner's own schedule counts everywhere")
  func places() throws {
    let slots = [Self.slot("09:00", "09:30", .free), Self.slot("10:00", "10:30", .free, of: "s-2")]
    #expect(times(try planned(nil, at: Self.room, slots).open) == ["10:00-10:30"])
    #expect(times(try planned(Self.dr, at: Self.room, slots).open) == ["09:00-09:30"])
    #expect(times(try planned(nil, slots).open) == ["09:00-09:30", "10:00-10:30"])
  }

  /// An appointment of dr-1, with others who take part.
  private static func appointment(_ from: String, _ to: String, _ others: [ResourceKey] = []) -> Appointment {
    Appointment(
      id: Appointment.ID("a-1"), status: .known(.booked), start: span(from, to).lowerBound,
      end: span(from, to).upperBound,
      participant: ([dr.key] + others).map { Appointment.Participant(actor: Reference($0)) })
  }

  @Test("is filled by an appointment where free slots of those who take part cover it")
  func filling() {
    let slots = [
      Self.slot("09:00", "09:30", .free), Self.slot("09:30", "10:00", .free), Self.slot("10:00", "10:30", .busy),
      Self.slot("09:00", "10:00", .free, of: "s-2"), Self.slot("09:00", "10:00", .free, of: "s-9"),
    ]
    func filled(_ appointment: Appointment) -> [String] {
      appointment.slotsFilled(among: slots).compactMap { $0.id?.rawValue }
    }
    var moved = Self.appointment("10:00", "10:30")
    moved.slot = [Reference(id: Slot.ID("s-1-1000"))]
    var declined = Self.appointment("09:00", "09:30")
    declined.participant[0].status = .known(.declined)
    let found = [
      filled(Self.appointment("09:10", "09:20")), filled(Self.appointment("09:00", "10:00")),
      filled(Self.appointment("09:30", "10:15")), filled(Self.appointment("08:45", "09:15")),
      // The room is planned for dr-2 only.
      filled(Self.appointment("09:00", "09:30", [Self.room.key])),
      filled(Self.appointment("09:00", "09:30", [Self.room.key, Practitioner.ID("dr-2").key])),
      filled(moved), filled(declined),
    ]
    #expect(
      found == [
        ["s-1-0900"], ["s-1-0900", "s-1-0930"], [], [], ["s-1-0900"], ["s-1-0900", "s-2-0900"], ["s-1-1000"], [],
      ])
  }
}
