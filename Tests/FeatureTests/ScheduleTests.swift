import DesignSystem
import Domain
import Foundation
import Scheduling
import TestSupport
import Testing

@Suite("The schedule")
struct ScheduleTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()
  static let drTwo = Practitioner(id: Practitioner.ID("dr-2"), name: [HumanName(family: "Adler")])

  static let schedule = Schedule(id: Schedule.ID("s-1"), actor: [Reference(Sample.drOne.key)])
  static let slots = ["2026-12-01T14:00:00Z", "2026-12-01T14:30:00Z"].map { start in
    ScheduledSlot(
      slot: Slot(
        id: Slot.ID(start), status: .known(.free), schedule: Reference(id: schedule.id), start: Sample.instant(start),
        end: Sample.instant(start).adding(seconds: 1_800)), schedule: schedule)
  }

  private func commands(
    _ appointments: FakeAppointmentRepository, schedules: FakeScheduleRepository = FakeScheduleRepository(),
    defaults: BookingDefaults = BookingDefaults()
  ) -> [Command] {
    let directory = FakeDirectory(practitioners: [Sample.drOne, Self.drTwo], locations: [Sample.room])
    return SchedulingCommands.commands(
      of: SchedulingFeature(
        repositories: SchedulingRepositories(
          appointments: appointments, schedules: schedules, patients: FakePatientRepository(),
          practitioners: directory, locations: directory, resolver: FakeResolver()),
        coordinator: coordinator, errors: errors, context: Sample.context(), defaults: defaults))
  }

  private func query(_ first: String, _ last: String, practitioner: Practitioner.ID? = nil) throws -> AppointmentQuery {
    let (first, last) = (try #require(CalendarDay(first)), try #require(CalendarDay(last)))
    let span = Sample.zone.bounds(of: first).lowerBound..<Sample.zone.bounds(of: last).upperBound
    return AppointmentQuery(span: span, practitioner: practitioner)
  }

  @Test("of a week runs from Monday to Sunday, and names the zone day by day where the clock is changed")
  func week() async throws {
    let appointments = FakeAppointmentRepository(
      expecting: .list(try query("2026-10-26", "2026-11-01"), .localOnly))
    appointments.list(
      Snapshot(
        value: [
          Sample.appointment("a-1", at: "2026-10-27T13:00:00Z"), Sample.appointment("a-2", at: "2026-11-01T15:00:00Z"),
        ], freshness: .fresh(asOf: Sample.now)))
    let page = try await answer("schedule 2026-10-29 --week", commands(appointments))
    let shown = text(page)
    for part in [
      "Week from Monday 2026-10-26 (America/New_York)", "Tuesday 2026-10-27 (EDT)", "09:00–09:30", "Sunday 2026-11-01",
      "10:00–10:30 EST", "no appointment",
    ] { #expect(shown.contains(part), "\(part)") }
    #expect(coordinator.steps == [.week(try #require(CalendarDay("2026-10-29")))])
  }

  @Test("stands apart by practitioner or location, with the hours of each")
  func grouping() async throws {
    let appointments = FakeAppointmentRepository(
      expecting: .list(try query("2026-12-01", "2026-12-01"), .localOnly))
    var other = Sample.appointment("a-2", at: "2026-12-01T15:00:00Z")
    (other.practitioner, other.location) = (Self.drTwo, nil)
    appointments.list(
      Snapshot(value: [Sample.appointment("a-1", at: "2026-12-01T14:00:00Z"), other], freshness: .missing))
    let planned = FakeScheduleRepository(slots: Self.slots, schedules: [Self.schedule])
    let defaults = BookingDefaults(hours: try WorkingHours("mon-fri 08:00-12:00"))
    let page = text(
      try await answer(
        "schedule 2026-12-01 --by practitioner", commands(appointments, schedules: planned, defaults: defaults)))
    let parts = [
      "Adler", "open 08:00–12:00, by the working hours of the profile", "Dr. Ngozi Okafor",
      "open 09:00–10:00, by the server's schedule",
    ]
    let places = parts.map { page.range(of: $0)?.lowerBound }
    #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    let byPlace = text(try await answer("schedule 2026-12-01 --by location", commands(appointments)))
    #expect(byPlace.contains("Room 1") && byPlace.contains("without a location"))
  }

  @Test("tells the free times of everyone, without what is booked, and the line that books the first")
  func freeSlots() async throws {
    let appointments = FakeAppointmentRepository(
      expecting: .list(try query("2026-12-01", "2026-12-01"), .localOnly))
    var taken = Sample.appointment("a-1", at: "2026-12-01T14:00:00Z")
    taken.appointment.participant.append(Appointment.Participant(actor: Reference(Sample.drOne.key)))
    var cancelled = Sample.appointment("a-2", at: "2026-12-01T14:30:00Z", status: .cancelled)
    cancelled.appointment.participant = taken.appointment.participant
    appointments.list(Snapshot(value: [taken, cancelled], freshness: .missing))
    let planned = FakeScheduleRepository(slots: Self.slots, schedules: [Self.schedule])
    let defaults = BookingDefaults(hours: try WorkingHours("tue 09:00-10:00"))
    let page = try await answer("slots 2026-12-01", commands(appointments, schedules: planned, defaults: defaults))
    let records = page.records.filter { $0.kind == "freeSlot" }.count
    #expect(records == 3)
    let shown = text(page)
    #expect(shown.contains("appointments book REF 2026-12-01 09:00 30min --practitioner dr-2"))
    #expect(shown.contains("the server's schedule") && shown.contains("the profile's working hours"))
    #expect(coordinator.steps == [.slots(try #require(CalendarDay("2026-12-01")))])
  }

  private struct ClockChange: Sendable {
    var day: String
    var free: [String]
    var first: String
  }

  @Test(
    "cuts free times right where the clock is changed: none in the hour that is left out, all in the one that comes twice",
    arguments: [
      ClockChange(
        day: "2026-03-29", free: ["00:30 GMT–02:00 GMT+1", "02:00–02:30 GMT+1", "02:30–03:00 GMT+1"],
        first: "appointments book REF 2026-03-29 00:30 30min"),
      ClockChange(
        day: "2026-10-25",
        free: [
          "01:00–01:30 GMT+1", "01:30 GMT+1–01:00 GMT", "01:00–01:30 GMT", "01:30–02:00 GMT", "02:00–02:30 GMT",
          "02:30–03:00 GMT",
        ], first: "appointments book REF 2026-10-25 01:00 30min --earlier"),
    ])
  private func clockChange(_ change: ClockChange) async throws {
    let zone = try #require(ClinicZone("Europe/London"))
    let day = try #require(CalendarDay(change.day))
    let appointments = FakeAppointmentRepository(
      expecting: .list(AppointmentQuery(span: zone.bounds(of: day)), .localOnly))
    let clock = WallClock.fixed(zone.bounds(of: day).lowerBound)
    let nobody = FakeDirectory()
    let feature = SchedulingFeature(
      repositories: SchedulingRepositories(
        appointments: appointments, schedules: FakeScheduleRepository(), patients: FakePatientRepository(),
        practitioners: nobody, locations: nobody, resolver: FakeResolver()),
      coordinator: coordinator, errors: errors,
      context: ClinicContext(zone: zone, clock: clock, author: Sample.nora, reading: .local),
      defaults: BookingDefaults(
        hours: try WorkingHours(change.day == "2026-03-29" ? "sun 00:30-03:00" : "sun 01:00-03:00")))
    let page = try await answer("slots \(change.day)", SchedulingCommands.commands(of: feature))
    let shown = text(page)
    let times = shown.split(separator: "\n").filter { $0.contains("–") }.map { line in
      line.components(separatedBy: "  ").first ?? ""
    }
    #expect(times == change.free)
    #expect(shown.contains(change.first))
  }

  @Test("leaves out what is over, and says so when nothing says when the clinic works")
  func edges() async throws {
    let today = FakeAppointmentRepository(expecting: .list(try query("2026-11-30", "2026-11-30"), .localOnly))
    let defaults = BookingDefaults(practitioner: "dr-1", hours: try WorkingHours("mon 09:00-11:00"))
    // It is 10:00.
    let page = try await answer("slots today --length 30min", commands(today, defaults: defaults))
    #expect(page.records.filter { $0.kind == "freeSlot" }.count == 2)
    let unknown = text(try await answer("slots today", commands(today)))
    #expect(unknown.contains("nothing says when the clinic works"))
    #expect(try await failure("slots today --length 30s", commands(today))?.field == "length")
  }

  @Test("of a booking that failed is kept, and is not left without a question")
  func unsaved() async throws {
    let appointments = FakeAppointmentRepository(expecting: .book(allowingOverlap: false))
    appointments.fail(with: AppError(.collision, "taken"))
    let patients = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
    patients.add(Sample.ana)
    let directory = FakeDirectory(practitioners: [Sample.drOne], locations: [Sample.room])
    let model = BookingViewModel(
      repositories: SchedulingRepositories(
        appointments: appointments, schedules: FakeScheduleRepository(), patients: patients, practitioners: directory,
        locations: directory, resolver: FakeResolver()),
      coordinator: coordinator, errors: errors, context: Sample.context())
    let day = try #require(CalendarDay("2026-12-01"))
    let start = try #require(LocalDateTime(day: day, hour: 9, minute: 30))
    await model.book(
      BookingRequest(patient: Sample.ana.id, start: start, minutes: 30), entered: "appointments book p-1 …",
      reading: .local)
    let entry = UnsavedEntry(what: "the booking on 2026-12-01 09:30", entered: "appointments book p-1 …")
    #expect(coordinator.steps == [.booking(Sample.ana.id), .unsaved(entry)])
  }
}
