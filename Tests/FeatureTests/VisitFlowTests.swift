import DesignSystem
import Domain
import Foundation
import TestSupport
import Testing
import Visits

@Suite("Visits and notes")
struct VisitFlowTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()
  let charts = FakeCharts.reading(Sample.ana.id)
  let patients = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
  let appointments = FakeAppointmentRepository()
  let observations = FakeObservationRepository(
    expecting: .list(ObservationQuery(patient: Sample.ana.id, limit: 1_000), .localOnly))
  static let today = AppointmentQuery(
    span: Sample.zone.bounds(of: Sample.context().today), patient: Sample.ana.id)

  func commands(current: Patient.ID? = nil, author: Author = Sample.nora) -> [Command] {
    if patients.book.calls.isEmpty { patients.add(Sample.ana) }
    var context = Sample.context()
    context.author = author
    return VisitsCommands.commands(
      of: VisitsFeature(
        repositories: VisitsRepositories(
          patients: patients, observations: observations, encounters: charts.encounters, notes: charts.notes,
          appointments: appointments, resolver: FakeResolver(), files: charts.files),
        coordinator: coordinator, errors: errors, context: context, currentPatient: { current }))
  }

  @Test("a visit from an appointment takes over its reason and place, and names who sees the patient")
  func fromAppointment() async throws {
    charts.encounters.book.expect(.start)
    appointments.book.expect(.read("a-1", .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-11-30T15:30:00Z"))
    let page = try await answer("visits start Appointment/a-1", commands())
    let visit = try #require(charts.encounters.started.first)
    #expect(visit.status == .known(.inProgress) && visit.encounterClass == Encounter.ambulatory)
    #expect(visit.appointment.map(\.id) == ["a-1"] && visit.reasonCode.map(\.text) == ["follow-up"])
    #expect(visit.participant.map { $0.individual?.key?.description } == ["Practitioner/dr-1"])
    #expect(visit.period?.start == .instant(Sample.instant("2026-11-30T10:00:00-05:00")))
    #expect(coordinator.steps == [.visit("new-1")])
    for part in ["Pérez, Ana", "1980-05-17", "outbox entries 1, 2", "Appointment/a-1"] {
      #expect(text(page).contains(part), "\(part)")
    }
    #expect(try await failure("visits start Appointment/a-1 --walk-in", commands())?.field == "walk-in")
  }

  @Test("a live list of visits takes over differences keyed by id, and tells them")
  func changes() async {
    charts.encounters.book.expect(.open(.revalidateWhenStale))
    let first = Sample.visit("v-1", at: "2026-11-30T14:00:00Z")
    let second = Sample.visit("v-2", at: "2026-11-30T14:30:00Z")
    charts.encounters.answerOpen(
      Snapshots(
        [[first], [first, second], [second]].map { Snapshot(value: $0, freshness: .fresh(asOf: Sample.now)) }))
    let model = VisitsViewModel(encounters: charts.encounters, errors: errors, context: Sample.context())
    await model.load(reading: .live)
    #expect(model.changes == ListChanges([.removed("v-1", at: 0)]))
    #expect(model.state.display?.entries.map(\.id) == ["v-2"])
  }

  @Test("an appointment of another day is asked about")
  func otherDay() async throws {
    charts.encounters.book.expect(.start)
    appointments.book.expect(.read("a-1", .localOnly))
    appointments.add(Sample.appointment("a-1", at: "2026-12-05T15:30:00Z"))
    #expect(try await failure("visits start Appointment/a-1", commands())?.code == .needsConfirmation)
    let page = try await answer("visits start Appointment/a-1 --yes", commands())
    #expect(page.warnings.contains { $0.contains("2026-12-05") })
  }

  @Test("a patient's visit belongs to the one appointment of today, unless it is a walk-in; of several none is guessed")
  func todaysAppointment() async throws {
    charts.encounters.book.expect(.start)
    appointments.book.expect(.list(Self.today, .localOnly))
    let waiting = ["a-8", "a-9"].map { Sample.appointment($0, at: "2026-11-30T16:00:00Z") }
    let past = Sample.appointment("a-7", at: "2026-11-30T14:00:00Z", status: .cancelled)
    appointments.list(Snapshot(value: waiting + [past], freshness: .missing))
    let error = try await failure("visits start Patient/p-1", commands())
    #expect(error?.code == .ambiguous && error?.hint?.contains("visits start Appointment/a-8") == true)
    _ = try await answer("visits start Patient/p-1 --walk-in --waiting --reason 'sore throat'", commands())
    appointments.list(Snapshot(value: [past, waiting[1]], freshness: .missing))
    _ = try await answer("visits start Patient/p-1", commands())
    let visits = charts.encounters.started
    #expect(visits.map { $0.appointment.map(\.id) } == [[], ["a-9"]])
    #expect(visits.map { $0.reasonCode.map(\.text) } == [["sore throat"], ["follow-up"]])
    #expect(visits.map { $0.status?.rawValue } == ["arrived", "in-progress"])
    #expect(visits.map { $0.type.map(\.text) } == [["Walk-in visit"], ["Office visit"]])
  }

  @Test("a record that was merged leads to the one that stands, with a question (case 57)")
  func merged() async throws {
    var old = Patient(id: "p-57a", active: false, name: [HumanName(family: "Mergold")])
    old.link = [Patient.Link(other: Reference(Sample.ana.key), type: .known(.replacedBy))]
    patients.book.expect(.read(old.id, .localOnly))
    patients.add(old)
    charts.encounters.book.expect(.start)
    appointments.book.expect(.list(Self.today, .localOnly))
    appointments.list(Snapshot(value: [], freshness: .missing))
    patients.add(Sample.ana)
    let error = try await failure("visits start Patient/p-57a", commands())
    #expect(
      error?.code == .needsConfirmation && error?.message.contains("Patient/p-57a was merged into Pérez, Ana") == true)
    #expect(charts.encounters.started.isEmpty)
    _ = try await answer("visits start Patient/p-57a --yes", commands())
    #expect(charts.encounters.started.map(\.patientID) == [Sample.ana.id])
  }

  @Test("a second open visit, a dead patient and a deleted record are not passed over")
  func doubts() async throws {
    appointments.book.expect(.list(Self.today, .localOnly))
    appointments.list(Snapshot(value: [], freshness: .missing))
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    let error = try await failure("visits start Patient/p-1", commands())
    #expect(error?.code == .needsConfirmation && error?.message.contains("Encounter/e-1") == true)
    var dead = Sample.ana
    dead.deceased = .boolean(true)
    patients.add(dead)
    #expect(try await failure("visits start Patient/p-1", commands())?.message.contains("dead") == true)
    patients.answer(Sample.ana.id, Snapshot(value: Sample.ana, freshness: .missing, isDeleted: true))
    #expect(try await failure("visits start Patient/p-1 --yes", commands())?.code == .deleted)
  }

  @Test("a visit is finished with a question about what is missing, and once only")
  func finish() async throws {
    charts.encounters.book.expect(.read("e-1", .localOnly), .edit("e-1"))
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    charts.notes.put(Sample.note("d-1", "Draft", status: .preliminary, visit: "e-1"))
    let error = try await failure("visits finish --patient p-1", commands())
    #expect(
      error?.code == .needsConfirmation && error?.message.contains("no vital signs") == true
        && error?.message.contains("DocumentReference/d-1 is not signed") == true)
    let page = try await answer("visits finish --patient p-1 --yes", commands())
    #expect(page.warnings.count == 2)
    #expect(charts.encounters.stored("e-1")?.status == .known(.finished))
    #expect(charts.encounters.stored("e-1")?.period?.end == .instant(Sample.instant("2026-11-30T10:00:00-05:00")))
    #expect(try await failure("visits finish e-1 --yes", commands())?.code == .notAllowed)
    #expect(try await failure("visits finish --patient p-1", commands())?.code == .notFound)
  }

  @Test("a visit with signs and a signed note is finished without a question")
  func complete() async throws {
    charts.encounters.book.expect(.read("e-1", .localOnly), .edit("e-1"))
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    charts.notes.put(Sample.note("d-1", "Signed", visit: "e-1"))
    var pulse = Sample.pulse("o-1", "72")
    pulse.observation.encounter = Reference(ResourceKey(type: "Encounter", id: "e-1"))
    observations.list(Snapshot(value: [pulse], freshness: .missing))
    #expect(try await failure("visits cancel e-1", commands())?.code == .notAllowed)
    _ = try await answer("visits leave e-1", commands())
    _ = try await answer("visits begin e-1", commands())
    #expect(try await answer("visits finish e-1", commands()).warnings == [])
    #expect(
      charts.encounters.stored("e-1")?.statusHistory.map { $0.status?.rawValue } == [
        "in-progress", "onleave", "in-progress",
      ])
    #expect(try await failure("visits retract e-1", commands())?.code == .needsConfirmation)
  }

  @Test("a note is a draft until it is signed, belongs to the open visit, and names its author")
  func draft() async throws {
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    _ = try await answer("notes add 'Throat red.' --patient p-1", commands())
    _ = try await answer("notes add Fine --sign --patient p-1", commands(author: .operatingSystemUser("otto")))
    let notes = charts.notes.added
    #expect(notes.map(\.text) == ["Throat red.", "Fine"])
    #expect(notes.map { $0.docStatus?.rawValue } == ["preliminary", "final"])
    #expect(notes.map { $0.author.map(\.displayText) } == [["Practitioner/dr-1"], ["otto"]])
    #expect(notes.map { $0.authenticator?.displayText } == [nil, "otto"])
    let first = try #require(notes.first)
    #expect(first.visitID == "e-1" && first.type?.contains(system: CodeSystem.loinc, code: "11506-3") == true)
    #expect(first.content.first?.contentType == "text/plain; charset=utf-8" && first.patientID == Sample.ana.id)
  }

  @Test("a note may come from a file, and is never empty or given twice")
  func files() async throws {
    try await charts.files.write("Line one\nLine two", to: "note.txt")
    _ = try await answer("notes add --file note.txt --patient p-1", commands())
    #expect(charts.notes.added.map(\.text) == ["Line one\nLine two"])
    let errors = [
      try await failure("notes add --file missing.txt --patient p-1", commands())?.code,
      try await failure("notes add ' ' --patient p-1", commands())?.code,
      try await failure("notes add x --file note.txt --patient p-1", commands())?.code,
      try await failure("notes add --patient p-1", commands())?.code,
      try await failure("notes add x", commands())?.code,
    ]
    #expect(errors == [.fileUnreadable, .invalidInput, .invalidInput, .invalidInput, .invalidInput])
    #expect(charts.notes.added.count == 1)
  }

  @Test("after signing a note is added to, before it is edited; neither the other way round")
  func addendum() async throws {
    for id in ["d-1", "d-2"] as [DocumentReference.ID] { charts.notes.book.expect(.read(id, .localOnly), .edit(id)) }
    charts.notes.put(Sample.note("d-1", "Signed.", visit: "e-1"))
    charts.notes.put(Sample.note("d-2", "Draft.", status: .preliminary))
    _ = try await answer("notes addendum d-1 'Swab negative.'", commands())
    let added = try #require(charts.notes.added.first)
    #expect(added.appendedTo == "d-1" && added.isSigned && added.visitID == "e-1" && added.text == "Swab negative.")
    #expect(charts.notes.stored("d-1")?.text == "Signed.")
    #expect(try await failure("notes edit d-1 x", commands())?.hint?.contains("notes addendum") == true)
    #expect(try await failure("notes addendum d-2 x", commands())?.hint?.contains("notes edit") == true)
    _ = try await answer("notes edit d-2 Better.", commands())
    _ = try await answer("notes sign d-2", commands())
    #expect(charts.notes.stored("d-2")?.text == "Better." && charts.notes.stored("d-2")?.isSigned == true)
    #expect(try await failure("notes retract d-2", commands())?.code == .needsConfirmation)
    _ = try await answer("notes retract d-2 --yes", commands())
    #expect(charts.notes.stored("d-2")?.isEnteredInError == true)
  }
}
