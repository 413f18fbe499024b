import DesignSystem
import Domain
import Scheduling
import TestSupport
import Testing

@Suite("Scheduling")
struct SchedulingTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  func commands(
    _ appointments: FakeAppointmentRepository, patients: FakePatientRepository = FakePatientRepository(),
    schedules: FakeScheduleRepository = FakeScheduleRepository(), resolver: FakeResolver = FakeResolver(),
    defaults: BookingDefaults = BookingDefaults()
  ) -> [Command] {
    let directory = FakeDirectory(practitioners: [Sample.drOne], locations: [Sample.room])
    return SchedulingCommands.commands(
      of: SchedulingFeature(
        repositories: SchedulingRepositories(
          appointments: appointments, schedules: schedules, patients: patients, practitioners: directory,
          locations: directory,
          resolver: resolver),
        coordinator: coordinator, errors: errors, context: Sample.context(), defaults: defaults))
  }

  func patients(_ patient: Patient = Sample.ana, isDeleted: Bool = false) -> FakePatientRepository {
    let patients = FakePatientRepository(expecting: .read(patient.id, .localOnly))
    patients.answer(patient.id, Snapshot(value: patient, freshness: .missing, isDeleted: isDeleted))
    return patients
  }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    let commands = commands(FakeAppointmentRepository())
    #expect(commands.map(\.spec) == SchedulingCommands.specs)
    #expect(contradictions(in: commands) == [])
  }

  @Test("a day is the clinic's day, also when it is 25 hours long, and times carry their offset")
  func day() async throws {
    let span = Sample.instant("2026-11-01T04:00:00Z")..<Sample.instant("2026-11-02T05:00:00Z")
    let asked = AppointmentQuery(
      span: Sample.zone.bounds(of: try #require(CalendarDay("2026-11-01"))), practitioner: Sample.drOne.id)
    #expect(
      asked.span.lowerBound.isSamePoint(as: span.lowerBound) && asked.span.upperBound.isSamePoint(as: span.upperBound))
    let appointments = FakeAppointmentRepository(expecting: .list(asked, .localOnly))
    appointments.list(
      Snapshot(
        value: [
          Sample.appointment("a-1", at: "2026-11-01T05:30:00Z"), Sample.appointment("a-2", at: "2026-11-01T06:30:00Z"),
          Sample.appointment("a-3", at: "2026-11-01T15:00:00Z", status: .enteredInError),
        ], freshness: .fresh(asOf: Sample.now)))
    let page = try await answer("schedule 2026-11-01 --practitioner dr-1", commands(appointments))
    let shown = TextRenderer(width: 120).render(page)
    for part in ["01:30 EDT–01:00 EST", "01:30–02:00 EST", "(America/New_York)", "Entered in error"] {
      #expect(shown.contains(part), "\(part)")
    }
    let records = json(page)
    #expect(records.contains("2026-11-01T01:30:00-04:00") && records.contains("2026-11-01T01:30:00-05:00"))
    #expect(coordinator.steps == [.schedule(try #require(CalendarDay("2026-11-01")))])
  }

  @Test("a booking names all who take part, and its time is written with the offset of its day")
  func book() async throws {
    let appointments = FakeAppointmentRepository(expecting: .book(allowingOverlap: false))
    let page = try await answer(
      "appointments book p-1 2027-03-16 09:00 45min --reason follow-up",
      commands(
        appointments, patients: patients(), defaults: BookingDefaults(practitioner: "dr-1", location: "room-1")))
    #expect(
      appointments.booked == [
        Appointment(
          id: Appointment.ID("new-1"), status: .known(.booked), reasonCode: [CodeableConcept(text: "follow-up")],
          start: Sample.instant("2027-03-16T09:00:00-04:00"), end: Sample.instant("2027-03-16T09:45:00-04:00"),
          participant: [
            Appointment.Participant(actor: Reference(Sample.ana.key, display: "Pérez, Ana")),
            Appointment.Participant(actor: Reference(Sample.drOne.key, display: "Dr. Ngozi Okafor")),
            Appointment.Participant(actor: Reference(Sample.room.key, display: "Room 1")),
          ])
      ])
    let shown = text(page)
    for part in ["Pérez, Ana", "1980-05-17", "MRN-0001", "2027-03-16 09:00–09:45 EDT", "not sent yet"] {
      #expect(shown.contains(part), "\(part)")
    }
    #expect(json(page).contains(#""start":"2027-03-16T09:00:00-04:00""#))
    #expect(coordinator.steps == [.dismissal, .appointment(Appointment.ID("new-1"))])
  }

  @Test(
    "a time at which the clock is changed is asked about, and a choice settles it",
    arguments: [
      ("2027-03-14 02:30 30min", nil), ("2026-11-01 01:30 30min", nil),
      ("2027-03-14 02:30 30min --earlier", "2027-03-14T01:30:00-05:00"),
      ("2027-03-14 02:30 30min --later", "2027-03-14T03:30:00-04:00"),
      ("2026-11-01 01:30 30min --earlier", "2026-11-01T01:30:00-04:00"),
      ("2026-11-01 01:30 30min --later", "2026-11-01T01:30:00-05:00"),
    ] as [(String, String?)])
  func clockChanges(rest: String, start: String?) async throws {
    let appointments = FakeAppointmentRepository(expecting: .book(allowingOverlap: true))
    let line = "appointments book p-1 \(rest) --overbook"
    let error = try await failure(line, commands(appointments, patients: patients()))
    #expect(appointments.booked.first?.start?.text == start)
    #expect((error?.hint?.contains("--earlier") == true) == (start == nil))
  }

  @Test("who was deleted, merged or is unknown takes no appointment")
  func refusals() async throws {
    let line = "appointments book p-1 tomorrow 9:30 30min"
    let none = FakeAppointmentRepository()
    #expect(try await failure(line, commands(none, patients: patients(isDeleted: true)))?.code == .deleted)
    var merged = Sample.ana
    merged.link = [
      Patient.Link(
        other: Reference(ResourceKey(type: "Patient", id: "p-7")), type: .known(.replacedBy))
    ]
    #expect(try await failure(line, commands(none, patients: patients(merged)))?.hint == "book for Patient/p-7")
    let unknown = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
    #expect(try await failure(line, commands(none, patients: unknown))?.code == .notFound)
    #expect(
      try await failure(line + " --practitioner dr-9", commands(none, patients: patients()))?.message
        == "Practitioner/dr-9 is not known here")
  }

  /// A schedule of dr-1 with one open hour, and hours of the profile for all others.
  private func planned() throws -> (FakeScheduleRepository, BookingDefaults) {
    (
      FakeScheduleRepository(slots: ScheduleTests.slots, schedules: [ScheduleTests.schedule]),
      BookingDefaults(hours: try WorkingHours("mon-fri 08:00-12:00"))
    )
  }

  @Test(
    "a time outside of working hours is asked about, and booked when that is meant",
    arguments: [
      ("2026-12-01 09:00 1h --practitioner dr-1", nil), ("2026-12-01 08:00 4h", nil),
      (
        "2026-12-01 09:30 1h --practitioner dr-1",
        "Tue 2026-12-01 09:30–10:30 EST is outside of working hours (open 09:00–10:00, by the server's schedule): "
          + "book it all the same?"
      ),
      (
        "2026-12-01 07:45 30min",
        "Tue 2026-12-01 07:45–08:15 EST is outside of working hours (open 08:00–12:00, by the working hours of the "
          + "profile): book it all the same?"
      ),
      (
        "2026-12-05 09:00 30min",
        "Sat 2026-12-05 09:00–09:30 EST is outside of working hours (closed, by the working hours of the profile): "
          + "book it all the same?"
      ),
    ] as [(String, String?)])
  func workingHours(rest: String, question: String?) async throws {
    let (planned, defaults) = try planned()
    let schedules = rest.contains("dr-1") ? planned : FakeScheduleRepository()
    let appointments = FakeAppointmentRepository(expecting: .book(allowingOverlap: false))
    let commands = commands(appointments, patients: patients(), schedules: schedules, defaults: defaults)
    let error = try await failure("appointments book p-1 \(rest)", commands)
    #expect(error?.code == question.map { _ in .needsConfirmation } && error?.message == question)
    #expect(appointments.booked.count == (question == nil ? 1 : 0))
    guard question != nil else { return }
    let page = try await answer("appointments book p-1 \(rest) --yes", commands)
    #expect(page.warnings.contains { $0.contains("outside of working hours") })
    #expect(appointments.booked.count == 1)
  }

  @Test("a move to a time outside of working hours is asked about, one to the same time is not")
  func moveOutside() async throws {
    let id = Appointment.ID("a-1")
    let appointments = FakeAppointmentRepository(
      expecting: .edit(id, allowingOverlap: false), .read(id, .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-12-01T12:00:00Z"))
    let commands = commands(appointments, defaults: try planned().1)
    let outside = try await failure("appointments move a-1 2026-12-02 11:45", commands)
    #expect(
      outside
        == AppError(
          .needsConfirmation,
          "Wed 2026-12-02 11:45–12:15 EST is outside of working hours (open 08:00–12:00, by the working hours of the "
            + "profile): move it all the same?"))
    #expect(try await failure("appointments move a-1 2026-12-01 07:00", commands) == nil)
    _ = try await answer("appointments move a-1 2026-12-02 11:45 --yes", commands)
    #expect(appointments.stored(id)?.start?.text == "2026-12-02T11:45:00-05:00")
  }

  @Test("a collision is refused with what it collides with")
  func collision() async throws {
    let appointments = FakeAppointmentRepository(expecting: .book(allowingOverlap: false))
    let collision = AppError(.collision, "dr-1 is taken by Appointment/a-1")
    appointments.fail(with: collision)
    let line = "appointments book p-1 tomorrow 9:30 30min"
    #expect(try await failure(line, commands(appointments, patients: patients())) == collision)
  }

  @Test("a move keeps the length unless another is given")
  func move() async throws {
    let id = Appointment.ID("a-1")
    let appointments = FakeAppointmentRepository(
      expecting: .edit(id, allowingOverlap: false), .read(id, .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-12-01T14:00:00Z", minutes: 45))
    _ = try await answer("appointments move a-1 2026-12-02 10:00", commands(appointments))
    #expect(appointments.stored(id)?.end?.text == "2026-12-02T10:45:00-05:00")
    _ = try await answer("appointments move a-1 2026-12-02 10:00 20", commands(appointments))
    #expect(appointments.stored(id)?.end?.text == "2026-12-02T10:20:00-05:00")
  }

  @Test(
    "the state machine decides what may be done",
    arguments: [
      ("arrive", AppointmentStatus.booked, AppointmentStatus.arrived), ("noshow", .booked, .noshow),
      ("cancel --yes", .booked, .cancelled), ("arrive", .cancelled, nil), ("noshow", .arrived, nil),
      ("cancel --yes", .fulfilled, nil), ("move 2026-12-02 10:00", .arrived, nil),
    ] as [(String, AppointmentStatus, AppointmentStatus?)])
  func states(action: String, from: AppointmentStatus, to: AppointmentStatus?) async throws {
    let id = Appointment.ID("a-1")
    let appointments = FakeAppointmentRepository(
      expecting: .edit(id, allowingOverlap: false), .read(id, .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-12-01T14:00:00Z", status: from))
    var words = action.split(separator: " ").map(String.init)
    words.insert("a-1", at: 1)
    let error = try await failure("appointments " + words.joined(separator: " "), commands(appointments))
    #expect(error?.code == (to == nil ? .notAllowed : nil))
    #expect(appointments.stored(id)?.status == .known(to ?? from))
  }

  @Test("a cancellation asks first, naming whom and when, and keeps the reason")
  func cancel() async throws {
    let id = Appointment.ID("a-1")
    let appointments = FakeAppointmentRepository(
      expecting: .edit(id, allowingOverlap: false), .read(id, .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-12-01T14:00:00Z"))
    let error = try await failure("appointments cancel a-1", commands(appointments))
    #expect(error?.code == .needsConfirmation)
    #expect(
      error?.message
        == "cancel the appointment of Pérez, Ana · born 1980-05-17 (46 years) · MRN-0001 on Tue 2026-12-01 09:00–09:30 EST?"
    )
    _ = try await answer("appointments cancel a-1 --reason 'patient called' --yes", commands(appointments))
    #expect(appointments.stored(id)?.cancelationReason == CodeableConcept(text: "patient called"))
  }
}
