import DesignSystem
import Foundation
import Domain
import TestSupport
import Testing
import Visits

@Suite("Vital signs")
struct VisitsTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  func commands(
    _ observations: FakeObservationRepository, patients: FakePatientRepository? = nil, current: Patient.ID? = nil,
    charts: FakeCharts = .reading(Sample.ana.id)
  ) -> [Command] {
    let ana = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
    ana.add(Sample.ana)
    return VisitsCommands.commands(
      of: VisitsFeature(
        repositories: VisitsRepositories(
          patients: patients ?? ana, observations: observations, encounters: charts.encounters, notes: charts.notes,
          appointments: FakeAppointmentRepository(), resolver: FakeResolver(), files: charts.files),
        coordinator: coordinator, errors: errors, context: Sample.context(), currentPatient: { current }))
  }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    let commands = commands(FakeObservationRepository())
    #expect(commands.map(\.spec) == VisitsCommands.specs)
    #expect(contradictions(in: commands) == [])
  }

  @Test("who asks for it gets the usual unit, and what was written stays as a note")
  func converted() async throws {
    let observations = FakeObservationRepository(expecting: .record)
    let page = try await answer("vitals add temp 98.6F --convert --patient p-1", commands(observations))
    let recorded = try #require(observations.recorded.first)
    let value = try #require(PreciseDecimal("37.0"))
    #expect(recorded.value == .quantity(Quantity(value, ucum: "Cel", unit: "°C")))
    #expect(recorded.note == [Annotation(text: "written as 98.6 °F")])
    #expect(text(page).contains("37.0 °C (written as 98.6 °F)"))
  }

  @Test(
    "numbers are recorded as written, in the unit in which they are written",
    arguments: [
      ("pulse 72", "8867-4", "72", "/min"), ("temp 37.10C", "8310-5", "37.10", "Cel"),
      ("temp 98.6 F", "8310-5", "98.6", "[degF]"), ("spo2 98%", "59408-5", "98", "%"),
      ("weight 72.50kg", "29463-7", "72.50", "kg"), ("height 1.80m", "8302-2", "1.80", "m"),
      ("height 180", "8302-2", "180", "cm"), ("resp 16", "9279-1", "16", "/min"),
    ])
  func single(reading: String, loinc: String, value: String, ucum: String) async throws {
    let observations = FakeObservationRepository(expecting: .record)
    _ = try await answer("vitals add \(reading) --patient p-1", commands(observations))
    let recorded = try #require(observations.recorded.first)
    #expect(recorded.code.contains(system: CodeSystem.loinc, code: loinc))
    guard case .quantity(let quantity) = recorded.value else {
      Issue.record("no quantity")
      return
    }
    #expect([quantity.value?.text, quantity.code, quantity.system] == [value, ucum, UCUM.system])
  }

  @Test("a line of several signs is one action; a blood pressure is one observation of two parts")
  func several() async throws {
    let observations = FakeObservationRepository(expecting: .record)
    let page = try await answer("vitals add bp 120/80 pulse 72 --patient p-1", commands(observations))
    #expect(observations.book.calls == [.record])
    let panel = try #require(observations.recorded.first)
    #expect(panel.code.contains(system: CodeSystem.loinc, code: "85354-9") && panel.value == nil)
    #expect(panel.component.map { $0.code.coding.first?.code } == ["8480-6", "8462-4"])
    #expect(panel.subject?.key == Sample.ana.key && panel.performer.map(\.key) == [Sample.drOne.key])
    #expect(panel.effective == .dateTime(.instant(Sample.instant("2026-11-30T10:00:00-05:00"))))
    #expect(panel.category.first?.coding.first?.code == "vital-signs")
    let shown = text(page)
    for part in ["120/80 mmHg", "72 /min", "Pérez, Ana", "1980-05-17", "MRN-0001", "outbox entries 1, 2"] {
      #expect(shown.contains(part), "\(part)")
    }
  }

  @Test(
    "what cannot be is refused, what is rare is asked about",
    arguments: [
      ("pulse 400", AppError.Code.invalidInput), ("height 1.80", .invalidInput), ("pulse 230", .needsConfirmation),
      ("bp 80/120", .needsConfirmation), ("pulse 72 pulse 73", .invalidInput), ("pulse", nil),
      ("mood 3", .invalidInput),
      ("temp 37,1C", .invalidInput), ("weight 72 lbs", nil), ("pulse 72kg", .invalidInput), ("bp 120", .invalidInput),
      ("temp 37.1C --at 2026-12-24T09:00", .invalidInput),
    ] as [(String, AppError.Code?)])
  func judged(reading: String, code: AppError.Code?) async throws {
    let observations = FakeObservationRepository(expecting: .record)
    do {
      let error = try await failure("vitals add \(reading) --patient p-1", commands(observations))
      #expect(error?.code == code)
      #expect(observations.recorded.isEmpty == (code != nil))
    } catch is UsageError {
      #expect(reading == "pulse")
    }
  }

  @Test("an unusual number is recorded with a yes, an impossible one never")
  func confirmed() async throws {
    let observations = FakeObservationRepository(expecting: .record)
    _ = try await answer("vitals add pulse 230 --patient p-1 --yes", commands(observations))
    #expect(observations.recorded.count == 1)
    #expect(
      try await failure("vitals add pulse 400 --patient p-1 --yes", commands(observations))?.message
        == "pulse 400 /min is not possible: expected 10 to 350 /min")
  }

  @Test("vital signs belong to the open visit that had begun when they were measured, if there is one")
  func inVisit() async throws {
    let charts = FakeCharts.reading(Sample.ana.id)
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    charts.encounters.put(Sample.visit("e-0", at: "2026-11-30T13:00:00Z", status: .finished))
    let observations = FakeObservationRepository(expecting: .record)
    let commands = commands(observations, charts: charts)
    _ = try await answer("vitals add pulse 72 --patient p-1", commands)
    _ = try await answer("vitals add pulse 70 --patient p-1 --at 2026-11-30T09:00", commands)
    #expect(observations.recorded.map { $0.encounter?.key?.description } == ["Encounter/e-1", nil])
  }

  @Test("without a name a line means the patient whom the prompt shows, and nobody otherwise")
  func current() async throws {
    let observations = FakeObservationRepository(expecting: .record)
    #expect(try await failure("vitals add pulse 72", commands(observations))?.field == "patient")
    _ = try await answer("vitals add pulse 72", commands(observations, current: Sample.ana.id))
    #expect(observations.recorded.count == 1)
  }

  @Test("who was deleted takes no vital sign")
  func deleted() async throws {
    let patients = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
    patients.answer(Sample.ana.id, Snapshot(value: Sample.ana, freshness: .missing, isDeleted: true))
    let observations = FakeObservationRepository()
    let error = try await failure("vitals add pulse 72 --patient p-1", commands(observations, patients: patients))
    #expect(error?.code == .deleted)
  }

  @Test("a note is added with who and when, and nothing else changes")
  func note() async throws {
    let id = ClinicalObservation.ID("o-1")
    let observations = FakeObservationRepository(expecting: .edit(id), .read(id, .localOnly))
    observations.add(Sample.pulse("o-1", "72.0", notes: ["at rest"]))
    let page = try await answer("vitals note o-1 --text 'after stairs'", commands(observations))
    var expected = Sample.pulse("o-1", "72.0", notes: ["at rest"]).observation
    expected.note.append(
      Annotation(
        author: .reference(Reference(Sample.drOne.key)),
        time: .instant(Sample.instant("2026-11-30T10:00:00-05:00")), text: "after stairs"))
    #expect(observations.stored(id) == expected)
    #expect(text(page).contains("Pérez, Ana") && text(page).contains("72.0 /min"))
    #expect(try await failure("vitals note o-1 --text ' '", commands(observations))?.field == "text")
  }

  @Test("a retraction asks first, and cannot be done twice")
  func retract() async throws {
    let id = ClinicalObservation.ID("o-1")
    let observations = FakeObservationRepository(expecting: .edit(id), .read(id, .localOnly))
    observations.add(Sample.pulse("o-1", "72"))
    #expect(try await failure("vitals retract o-1", commands(observations))?.code == .needsConfirmation)
    _ = try await answer("vitals retract o-1 --yes", commands(observations))
    #expect(observations.stored(id)?.isEnteredInError == true)
    #expect(try await failure("vitals retract o-1 --yes", commands(observations))?.code == .notAllowed)
  }

  @Test("what was entered in error is kept apart; numbers keep their spelling for programs")
  func list() async throws {
    let query = ObservationQuery(patient: Sample.ana.id)
    let observations = FakeObservationRepository(expecting: .list(query, .localOnly))
    observations.list(
      Snapshot(
        value: [Sample.pulse("o-1", "72.50"), Sample.pulse("o-2", "999", status: .enteredInError)],
        freshness: .fresh(asOf: Sample.now)))
    let page = try await answer("vitals show --patient p-1", commands(observations))
    let parts = text(page).components(separatedBy: "Entered in error")
    #expect(parts.count == 2 && parts[0].contains("72.50") && !parts[0].contains("999") && parts[1].contains("999"))
    #expect(json(page).contains(#""value":72.50"#))
    #expect(coordinator.steps == [.vitals(Sample.ana.id)])
  }

  @Test("a NUL inside a note is shown by a stand-in, and kept for programs")
  func nul() async throws {
    let id = ClinicalObservation.ID("o-47")
    let observations = FakeObservationRepository(expecting: .read(id, .localOnly))
    observations.add(Sample.pulse("o-47", "72", notes: ["before\u{0}after"]))
    let page = try await answer("vitals show o-47", commands(observations))
    #expect(!text(page).contains("\u{0}") && text(page).contains("before"))
    #expect(json(page).contains("before\\u0000after"))
  }
}
