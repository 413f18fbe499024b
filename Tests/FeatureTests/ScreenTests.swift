import Chart
import DesignSystem
import Domain
import Foundation
import Patients
import Scheduling
import Sync
import TestSupport
import Testing
import Visits

@Suite("Screens")
struct ScreenTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  /// Every screen of the features, from fakes, in the width of a phone's terminal, a classic one and a wide one.
  @Test("are laid out at every width", arguments: [60, 80, 120])
  func golden(width: Int) async throws {
    let renderer = TextRenderer(width: width, rowMarks: .numbers)
    var text = ""
    for line in Self.lines {
      text += "> \(line)\n" + renderer.render(try await answer(line, commands())) + "\n"
    }
    try expectScreen(text, named: "screens-\(width)")
  }

  @Test("give programs the same lines at every width")
  func machine() async throws {
    var text = ""
    for line in Self.lines { text += json(try await answer(line, commands())) }
    try expectScreen(text, named: "screens-json")
  }

  @Test("have every kind and member that they give to programs on the page about formats")
  func documented() async throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Docs/Formats.md"), encoding: .utf8)
    var words: Set<String> = []
    for line in Self.lines {
      for record in try await answer(line, commands()).records {
        words.formUnion(Self.words(.object(record.fields)) + [record.kind])
      }
    }
    #expect(words.filter { !page.contains("`\($0)`") }.sorted() == [])
  }

  private static func words(_ value: RecordValue) -> [String] {
    switch value {
    case .object(let fields): fields.flatMap { [$0.name] + words($0.value) }
    case .array(let values): values.flatMap(words)
    default: []
    }
  }

  static let lines = [
    "patients search all", "patients show p-1", "patients show p-03", "patients show p-57a",
    "schedule", "schedule --week --by practitioner", "slots", "slots --length 45min", "appointments show a-1",
    "visits", "visits show e-1", "vitals show --patient p-1", "vitals show o-1", "notes show d-1", "chart p-1",
    "trend p-1 pulse", "outbox", "outbox show 12", "review", "review show 3", "review show 4",
    "sync status", "sync --plan", "sync", "why Patient/p-1",
    "outbox export unsent.json", "doctor", "store check", "store backup b.sqlite", "store restore b.sqlite --yes",
    "store adopt --yes",
  ]

  private func commands() -> [Command] {
    let outbox = FakeOutbox(
      items: [SyncTests.entry], reviews: [SyncTests.conflict, SyncTests.refusal],
      explanations: [RecordExplanation(key: Sample.ana.key, aliases: ["Patient/local-1"], serverVersion: "3")],
      expecting: .list, .item(12), .export("unsent.json", replaces: false), .reviewList, .reviewItem(3), .reviewItem(4),
      .explain(Sample.ana.key))
    let (patients, appointments, observations) = (patients(), appointments(), observations())
    let directory = FakeDirectory(practitioners: [Sample.drOne])
    let planned = Schedule(id: Schedule.ID("s-1"), actor: [Reference(Sample.drOne.key)])
    let schedules = FakeScheduleRepository(
      slots: ["T15:30:00Z", "T16:00:00Z", "T16:30:00Z"].map { time in
        let start = Sample.instant("2026-11-30\(time)")
        return ScheduledSlot(
          slot: Slot(
            id: Slot.ID(time), status: .known(.free), schedule: Reference(id: planned.id), start: start,
            end: start.adding(seconds: 1_800)), schedule: planned)
      }, schedules: [planned])
    let charts = charts()
    let context = Sample.context()
    let stores = FakeStores(
      problems: ["Patient/p-1 is not shown as it should be"], findings: StoreTests.findings, expecting: .diagnose,
      .check,
      .backup("b.sqlite", replaces: false), .restore("b.sqlite", confirmed: true), .adopt(confirmed: true))
    return StoreCommands.commands(of: StoreUpkeep(stores: stores, errors: errors, context: context))
      + PatientsCommands.commands(
        of: PatientsFeature(
          patients: patients, resolver: FakeResolver(), coordinator: coordinator, errors: errors, context: context))
      + SchedulingCommands.commands(
        of: SchedulingFeature(
          repositories: SchedulingRepositories(
            appointments: appointments, schedules: schedules, patients: patients, practitioners: directory,
            locations: directory,
            resolver: FakeResolver()), coordinator: coordinator, errors: errors, context: context))
      + VisitsCommands.commands(
        of: VisitsFeature(
          repositories: VisitsRepositories(
            patients: patients, observations: observations, encounters: charts.encounters, notes: charts.notes,
            appointments: appointments, resolver: FakeResolver(), files: charts.files),
          coordinator: coordinator, errors: errors, context: context, currentPatient: { nil }))
      + ChartCommands.commands(
        of: ChartFeature(
          repositories: ChartRepositories(
            patients: patients, observations: observations, encounters: charts.encounters,
            conditions: charts.conditions, allergies: charts.allergies, medications: charts.medications,
            immunizations: charts.immunizations, notes: charts.notes, resolver: FakeResolver(), files: charts.files),
          coordinator: coordinator, errors: errors, context: context, currentPatient: { nil }))
      + SyncCommands.commands(
        of: SyncFeature(
          sync: sync(), outbox: outbox, review: outbox, resolver: FakeResolver(), coordinator: coordinator,
          errors: errors, context: context))
  }

  private func patients() -> FakePatientRepository {
    let patients = FakePatientRepository(
      expecting: .search(PatientQuery(text: "all"), .localOnly), .read(Sample.ana.id, .localOnly),
      .read(Sample.masked.id, .localOnly), .markOpened(Sample.ana.id), .markOpened(Sample.masked.id),
      .read("p-57a", .localOnly), .markOpened("p-57a"))
    patients.add(
      Patient(
        id: "p-57a", active: false, name: [HumanName(absentReason: .known(.masked))],
        deceased: .dateTime(.date(Sample.day("2026-11"))),
        link: [
          Patient.Link(other: Reference(ResourceKey(type: "Patient", id: "p-57b")), type: .known(.replacedBy)),
          Patient.Link(other: Reference(ResourceKey(type: "Patient", id: "p-57c")), type: .known(.replaces)),
        ]))
    patients.find(
      Snapshot(
        value: [Sample.ana, Sample.masked, Sample.yearOnly, Sample.unnamed, Sample.bare].map {
          PatientMatch(patient: $0, isPending: $0.id == Sample.ana.id)
        }, freshness: .stale(asOf: Sample.now), pendingWrites: 1, mayBeIncomplete: true))
    patients.answer(
      Sample.ana.id,
      Snapshot(
        value: Sample.ana, freshness: .fresh(asOf: Sample.now), pendingWrites: 2, writesInReview: 1,
        serverVersion: "3"))
    patients.answer(
      Sample.masked.id,
      Snapshot(
        value: Sample.masked, freshness: .expired(asOf: Sample.now.adding(seconds: -900_000)),
        revalidation: .failed(AppError(.offline, "the server could not be reached", hint: "try again later"))))
    return patients
  }

  private func appointments() -> FakeAppointmentRepository {
    let today = AppointmentQuery(span: Sample.zone.bounds(of: Sample.context().today))
    let days = ScheduleRequest(day: Sample.context().today, isWeek: true).days
    let week = AppointmentQuery(
      span: Sample.zone.bounds(of: days.lowerBound).lowerBound..<Sample.zone.bounds(of: days.upperBound).upperBound)
    let appointments = FakeAppointmentRepository(
      expecting: .list(today, .localOnly), .list(week, .localOnly), .read(Appointment.ID("a-1"), .localOnly))
    let first = Sample.appointment("a-1", at: "2026-11-30T14:00:00Z", isPending: true)
    appointments.add(first, freshness: .fresh(asOf: Sample.now))
    appointments.list(
      Snapshot(
        value: [
          first, Sample.appointment("a-2", at: "2026-11-30T15:00:00Z", status: .cancelled, patient: nil),
          Sample.appointment("a-3", at: "2026-11-30T16:00:00Z", status: .enteredInError, patient: Sample.unnamed),
        ], freshness: .fresh(asOf: Sample.now), pendingWrites: 1))
    return appointments
  }

  private func observations() -> FakeObservationRepository {
    let observations = FakeObservationRepository(
      expecting: .list(ObservationQuery(patient: Sample.ana.id), .localOnly),
      .list(ObservationQuery(patient: Sample.ana.id, limit: 200), .localOnly),
      .list(ObservationQuery(patient: Sample.ana.id, limit: 1_000), .localOnly),
      .list(ObservationQuery(patient: Sample.ana.id, code: "8867-4", limit: 500), .localOnly),
      .read(ClinicalObservation.ID("o-1"), .localOnly))
    let first = Sample.pulse("o-1", "72.50", notes: ["at rest"])
    observations.add(first, freshness: .fresh(asOf: Sample.now))
    observations.list(
      Snapshot(
        value: [first, Sample.pulse("o-2", "999", status: .enteredInError)], freshness: .fresh(asOf: Sample.now)))
    return observations
  }

  private func charts() -> FakeCharts {
    let charts = FakeCharts.reading(Sample.ana.id)
    charts.encounters.book.expect(.open(.localOnly), .read("e-1", .localOnly))
    charts.notes.book.expect(.read("d-1", .localOnly))
    let fresh = Freshness.fresh(asOf: Sample.now)
    charts.encounters.put(
      Sample.visit("e-1", at: "2026-11-30T14:45:00Z", appointment: "a-1", isPending: true), freshness: fresh)
    charts.encounters.put(Sample.visit("e-0", at: "2026-11-02T14:45:00Z", status: .finished), freshness: fresh)
    charts.encounters.put(Sample.visit("e-x", at: "2026-11-03T14:45:00Z", status: .enteredInError), freshness: fresh)
    for allergy in [
      Sample.allergy("Bee sting", .active, nil), Sample.allergy("Peanut", nil, .enteredInError),
      Sample.allergy("Latex", .active, .refuted),
      Sample.allergy("Penicillin", criticality: .high, reaction: "hives"), Sample.allergy("Egg", .resolved),
    ] { charts.allergies.put(allergy, freshness: fresh) }
    charts.conditions.put(Sample.problem("Asthma"), freshness: fresh)
    charts.conditions.put(Sample.problem("Sprain", .resolved), freshness: fresh)
    charts.medications.put(Sample.medication("Salbutamol", dose: "1 puff if needed"), freshness: fresh)
    charts.medications.put(Sample.medication("Ibuprofen", .onHold, dose: nil), freshness: fresh)
    charts.medications.put(Sample.medication("Amoxicillin", .stopped), freshness: fresh)
    charts.immunizations.put(Sample.vaccination("Tetanus"), freshness: .stale(asOf: Sample.now))
    charts.immunizations.put(Sample.vaccination("Influenza", .notDone), freshness: .stale(asOf: Sample.now))
    charts.notes.put(Sample.note("d-1", "Throat red.\nNo fever.", visit: "e-1"), freshness: fresh)
    charts.notes.put(Sample.note("d-2", "Swab negative.", visit: "e-1", appends: "d-1"), freshness: fresh)
    charts.notes.put(Sample.note("d-3", "Follow up.", status: .preliminary, visit: "e-1"), freshness: fresh)
    charts.notes.put(Sample.note("d-4", "Wrong patient.", visit: "e-1", withdrawn: true), freshness: fresh)
    return charts
  }

  private func sync() -> FakeSyncRepository {
    let sync = FakeSyncRepository(expecting: .sync(SyncOptions()), .status, .plan)
    sync.set(
      SyncStatus(
        server: "https://fhir.example/r4", unsent: 2, ambiguous: 1, inReview: 1, oldestUnsent: Sample.now,
        lastComplete: Sample.now, lastAttempt: Sample.now, lastError: AppError(.timedOut, "no answer in 30 s"),
        guarantees: ["creates reach the server once"]))
    sync.set(plan: [
      PlannedRequest(
        entry: 12, method: "PUT", target: "Patient/p-1", reason: "may go now",
        notBefore: Sample.instant("2026-11-30T15:30:00Z")),
      PlannedRequest(
        entry: nil, method: "GET", target: "Patient?_lastUpdated=ge2026-11-30", reason: "pulls what changed"),
    ])
    sync.end(
      .success(
        SyncReport(
          outcome: .needsReview,
          types: [SyncReport.TypeCounts(type: "Patient", sent: 1, pulled: 20, deleted: 1, unsent: 1, failed: 1)],
          unsent: 1, ambiguous: 0, inReview: 1, oldestUnsent: Sample.now, warnings: ["one entry was not understood"])))
    return sync
  }
}
