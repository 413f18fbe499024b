import Chart
import DesignSystem
import Domain
import Foundation
import TestSupport
import Testing

@Suite("Charts")
struct ChartFeatureTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()
  let charts = FakeCharts.reading(Sample.ana.id)
  let patients = FakePatientRepository(expecting: .read(Sample.ana.id, .localOnly))
  let observations = FakeObservationRepository(
    expecting: .list(ObservationQuery(patient: Sample.ana.id, limit: 200), .localOnly))

  func commands(current: Patient.ID? = Sample.ana.id, charts other: FakeCharts? = nil) -> [Command] {
    let charts = other ?? charts
    if patients.book.calls.isEmpty { patients.add(Sample.ana) }
    return ChartCommands.commands(
      of: ChartFeature(
        repositories: ChartRepositories(
          patients: patients, observations: observations, encounters: charts.encounters,
          conditions: charts.conditions, allergies: charts.allergies, medications: charts.medications,
          immunizations: charts.immunizations, notes: charts.notes, resolver: FakeResolver(), files: charts.files),
        coordinator: coordinator, errors: errors, context: Sample.context(), currentPatient: { current }))
  }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    #expect(commands().map(\.spec) == ChartCommands.specs)
    #expect(contradictions(in: commands()) == [])
  }

  private func section(_ name: String, of page: Page) -> String {
    let whole = TextRenderer(width: 120).render(page)
    let lines = whole.components(separatedBy: "\n")
    guard let start = lines.firstIndex(where: { $0.trimmingCharacters(in: .whitespaces).hasPrefix(name) }) else {
      return ""
    }
    let rest = lines[(start + 1)...].prefix { !["Problems", "Medications", "History"].contains($0) }
    return rest.joined(separator: "\n")
  }

  @Test("allergies are told apart by both of their states, for people and for programs (case 15)")
  func allergies() async throws {
    for allergy in [
      Sample.allergy("Peanut", nil, .enteredInError), Sample.allergy("Latex", .active, .refuted),
      Sample.allergy("Penicillin", criticality: .high), Sample.allergy("Egg", .resolved),
      Sample.allergy("Bee sting", .active, nil),
    ] { charts.allergies.put(allergy) }
    let page = try await answer("chart p-1", commands())
    let shown = section("Allergies", of: page)
    let order = ["Penicillin", "Bee sting", "Past allergies", "Egg", "Refuted allergies", "Latex"]
    let places = order.compactMap { shown.range(of: $0)?.lowerBound }
    #expect(places.count == order.count && places == places.sorted())
    #expect(!shown.contains("Peanut") && text(page).contains("Peanut"))
    #expect(!text(page).contains("no known allergies"))
    let machine = json(page)
    #expect(machine.contains(#""currentAllergies":2"#) && machine.contains(#""allergyStatement":"recorded""#))
    let bee = try #require(page.records.first { $0.fields.contains(Record.Field("title", "Bee sting")) })
    #expect(bee.fields.contains(Record.Field("verificationStatus", .null)))
    let standings = page.records.filter { $0.kind == "allergy" }.compactMap { record in
      record.fields.first { $0.name == "standing" }?.value
    }
    #expect(standings == ["current", "current", "past", "refuted", "entered-in-error"])
    #expect(coordinator.steps == [.chart(Sample.ana.id)])
  }

  @Test("withdrawn and refuted allergies alone are none recorded, never none known (case 15)")
  func noneRecorded() async throws {
    charts.allergies.put(Sample.allergy("Peanut", nil, .enteredInError))
    charts.allergies.put(Sample.allergy("Latex", .active, .refuted))
    let page = try await answer("chart", commands())
    #expect(section("Allergies", of: page).contains("none recorded"))
    #expect(!text(page).contains("no known allergies"))
    #expect(json(page).contains(#""allergyStatement":"none-recorded""#))
  }

  @Test("a chart that cannot be shown says why, once; one of a merged or deleted record says what it is")
  func notShown() async throws {
    let unknown = try await failure("chart p-1", commands())
    patients.answer(Sample.ana.id, Snapshot(value: nil, freshness: .missing))
    let missing = try await failure("chart p-1", commands())
    patients.answer(Sample.ana.id, Snapshot(value: nil, freshness: .missing, isDeleted: true))
    let gone = try await failure("chart p-1", commands())
    #expect([unknown?.code, missing?.code, gone?.code] == [nil, .notFound, .deleted])
    #expect(errors.presented.map(\.code) == [.notFound, .deleted])
    var merged = Sample.ana
    merged.link = [Patient.Link(other: Reference(reference: "Patient/p-2"), type: .known(.replacedBy))]
    merged.deceased = .boolean(true)
    patients.answer(Sample.ana.id, Snapshot(value: merged, freshness: .missing, isDeleted: true))
    let shown = text(try await answer("chart p-1", commands()))
    for part in ["deleted at the server", "merged into another", "chart Patient/p-2", "recorded as dead"] {
      #expect(shown.contains(part), "\(part)")
    }
  }

  @Test("a live chart takes over differences keyed by id, section by section, and tells them")
  func liveChart() async throws {
    let patients = FakePatientRepository(expecting: .read(Sample.ana.id, .revalidateWhenStale))
    patients.add(Sample.ana)
    let observations = FakeObservationRepository(
      expecting: .list(ObservationQuery(patient: Sample.ana.id, limit: 200), .revalidateWhenStale))
    let charts = FakeCharts.reading(Sample.ana.id, .revalidateWhenStale)
    let (answers, later) = AsyncStream<Snapshot<[Charted<AllergyIntolerance>]>>.makeStream()
    charts.allergies.answer(Snapshots { answers })
    let model = ChartViewModel(
      patient: Sample.ana.id,
      repositories: ChartRepositories(
        patients: patients, observations: observations, encounters: charts.encounters, conditions: charts.conditions,
        allergies: charts.allergies, medications: charts.medications, immunizations: charts.immunizations,
        notes: charts.notes, resolver: FakeResolver(), files: charts.files),
      errors: errors, context: Sample.context())
    async let loading: Void = model.load(reading: .live)
    func changes(with found: [Charted<AllergyIntolerance>]) async -> ListChanges<ResourceKey> {
      let before = model.changes
      later.yield(Snapshot(value: found, freshness: .fresh(asOf: Sample.now)))
      while model.changes == before { await Task.yield() }
      return model.changes.allergies
    }
    func key(_ id: String) -> ResourceKey { ResourceKey(type: "AllergyIntolerance", id: id) }
    let egg = Sample.allergy("Egg")
    let latex = Sample.allergy("Latex", criticality: .high)
    let resolved = Sample.allergy("Egg", .resolved)
    var told: [[ListChanges<ResourceKey>.Change]] = []
    for found in [[egg], [egg, latex], [resolved, latex], [resolved]] {
      told.append(await changes(with: found).changes)
    }
    // The dangerous one stands first, and the other one is not touched.
    #expect(
      told == [
        [.inserted(key("ai-egg"), at: 0)], [.inserted(key("ai-latex"), at: 0)], [.updated(key("ai-egg"), at: 1)],
        [.removed(key("ai-latex"), at: 0)],
      ])
    #expect(model.changes.problems.isEmpty && model.state.display?.allergies.entries.map(\.title) == ["Egg"])
    later.finish()
    await loading
  }

  @Test("records that lie on a former record of the patient are flagged")
  func formerRecord() async throws {
    var egg = Sample.allergy("Egg")
    egg.entry.patient = Reference(reference: "Patient/p-57a")
    let maker = FakeChartRepository<AllergyIntolerance>(expecting: .list(Sample.ana.id, .localOnly))
    maker.put(egg, listedFor: Sample.ana.id)
    var charts = charts
    charts.allergies = maker
    let page = try await answer("chart p-1", commands(charts: charts))
    #expect(text(page).contains("on the old record"))
    #expect(json(page).contains(#""formerRecord":"p-57a""#))
  }

  @Test("no known allergies is said where it is recorded by its code, and not beside an allergy")
  func noneKnown() async throws {
    _ = try await answer("allergies none", commands())
    let statement = try #require(charts.allergies.added.first)
    #expect(statement.absence == .any && statement.violations == [])
    charts.allergies.put(Charted(statement, patient: Sample.ana))
    let page = try await answer("chart", commands())
    #expect(section("Allergies", of: page).contains("no known allergies (recorded as such)"))
    #expect(json(page).contains(#""allergyStatement":"none-known""#))
    #expect(try await failure("allergies none", commands())?.code == .notAllowed)
    charts.allergies.put(Sample.allergy("Egg"))
    let both = try await answer("chart", commands())
    #expect(!section("Allergies", of: both).contains("recorded as such") && text(both).contains("others name some"))
    #expect(try await failure("allergies none", commands())?.code == .notAllowed)
    let echo = try await answer("allergies add Latex", commands())
    #expect(echo.warnings.contains { $0.contains("allergies resolve") })
  }

  @Test("a medication that a recorded allergy names is asked about, with what matched and what the check cannot do")
  func matching() async throws {
    charts.allergies.put(Sample.allergy("Penicillin", criticality: .high, reaction: "hives"))
    let error = try await failure("medications add 'Penicillin V 500 mg' --dose 1-0-1", commands())
    #expect(error?.code == .needsConfirmation && charts.medications.added.isEmpty)
    for part in [
      "Penicillin V 500 mg", "criticality high", "hives", "recorded code and text only", "no check of interactions",
    ] {
      #expect(error?.message.contains(part) == true, "\(part)")
    }
    let page = try await answer("medications add 'Penicillin V 500 mg' --dose '1-0-1  after meals' --yes", commands())
    #expect(charts.medications.added.first?.doseText == "1-0-1  after meals")
    #expect(page.warnings.contains { $0.contains("matches the recorded allergy Penicillin") })
    let other = try await answer("medications add Amoxicillin", commands())
    #expect(text(other).contains("none of the recorded allergies matches"))
    #expect(charts.medications.added.last?.requester?.key == Sample.drOne.key)
    #expect(try await failure("immunizations add 'penicillin test'", commands())?.code == .needsConfirmation)
  }

  @Test("where the allergies may be incomplete here, that is said")
  func incomplete() async throws {
    charts.allergies.put(Sample.allergy("Egg"), mayBeIncomplete: true)
    let page = try await answer("medications add Ibuprofen", commands())
    #expect(page.warnings == ["the allergies stored here may be incomplete: sync"])
  }

  @Test("records are written in FHIR's shape, with who recorded them and the open visit")
  func shapes() async throws {
    charts.encounters.put(Sample.visit("e-1", at: "2026-11-30T14:45:00Z"))
    _ = try await answer("problems add Asthma --code 195967001 --onset 2019", commands())
    _ = try await answer("allergies add Nuts --category food --reaction hives --severity severe", commands())
    _ = try await answer("medications add Ibuprofen --code atc|M01AE01 --reason pain", commands())
    _ = try await answer("immunizations add Tetanus --on 2025-10 --lot A1", commands())
    let problem = try #require(charts.conditions.added.first)
    #expect(
      problem.violations == [] && problem.isProblemListItem && problem.onset == .dateTime(.date(Sample.day("2019"))))
    #expect(
      problem.code == CodeableConcept(coding: [Coding(system: CodeSystem.snomed, code: "195967001")], text: "Asthma"))
    let allergy = try #require(charts.allergies.added.first)
    #expect(allergy.violations == [] && allergy.verification == .unconfirmed)
    #expect(allergy.reaction.map { $0.manifestation.map(\.text) } == [["hives"]])
    let medication = try #require(charts.medications.added.first)
    #expect(medication.intent == .known(.order) && medication.medication?.concept.firstCode == "M01AE01")
    let vaccination = try #require(charts.immunizations.added.first)
    #expect(vaccination.occurrence == .dateTime(.date(Sample.day("2025-10"))) && vaccination.primarySource == true)
    let recorders = [problem.recorder, allergy.recorder, medication.requester, vaccination.performer.first?.actor]
    #expect(recorders.map { $0?.key } == Array(repeating: Sample.drOne.key, count: 4))
    let visits = [problem.visitID, allergy.visitID, medication.visitID, vaccination.visitID]
    #expect(visits == Array(repeating: "e-1", count: 4))
  }

  @Test(
    "what cannot be is refused before it is written",
    arguments: [
      ("problems add Asthma --onset 2031", AppError.Code.invalidInput), ("problems add ' '", .invalidInput),
      ("problems add Asthma --code 'a b'", .invalidInput), ("problems add Asthma --code foo|1", .invalidInput),
      ("allergies add Egg --severity mild", .invalidInput), ("immunizations add X --on 2031", .invalidInput),
    ])
  func refused(line: String, code: AppError.Code) async throws {
    #expect(try await failure(line, commands())?.code == code)
    #expect(charts.conditions.added.isEmpty && charts.allergies.added.isEmpty && charts.immunizations.added.isEmpty)
  }

  @Test("what is listed already is asked about, and a merged record takes nothing new")
  func listed() async throws {
    charts.conditions.put(Sample.problem("Asthma"))
    charts.medications.put(Sample.medication("Ibuprofen"))
    #expect(try await failure("problems add asthma", commands())?.code == .needsConfirmation)
    #expect(try await failure("medications add Ibuprofen", commands())?.code == .needsConfirmation)
    var merged = Sample.ana
    merged.link = [Patient.Link(other: Reference(reference: "Patient/p-2"), type: .known(.replacedBy))]
    patients.add(merged)
    let error = try await failure("problems add Sprain", commands())
    #expect(error?.code == .notAllowed && error?.hint == "use Patient/p-2 instead")
  }

  @Test("records are led through their states; what cannot be taken back is asked about")
  func changes() async throws {
    charts.medications.put(Sample.medication("Ibuprofen"))
    charts.conditions.put(Sample.problem("Asthma"))
    charts.allergies.put(Sample.allergy("Egg"))
    charts.medications.book.expect(.read("m-ibuprofen", .localOnly), .edit("m-ibuprofen"))
    charts.conditions.book.expect(.read("c-asthma", .localOnly), .edit("c-asthma"))
    charts.allergies.book.expect(.read("ai-egg", .localOnly), .edit("ai-egg"))
    _ = try await answer("medications hold m-ibuprofen", commands())
    _ = try await answer("medications resume m-ibuprofen", commands())
    let page = try await answer("medications stop m-ibuprofen --reason rash", commands())
    #expect(text(page).contains("rash") && text(page).contains("Pérez, Ana"))
    #expect(charts.medications.stored("m-ibuprofen")?.status == .known(.stopped))
    #expect(try await failure("medications resume m-ibuprofen", commands())?.code == .notAllowed)
    _ = try await answer("problems resolve c-asthma", commands())
    #expect(charts.conditions.stored("c-asthma")?.violations == [])
    #expect(try await failure("problems retract c-asthma", commands())?.code == .needsConfirmation)
    _ = try await answer("problems retract c-asthma --yes", commands())
    #expect(charts.conditions.stored("c-asthma")?.isEnteredInError == true)
    #expect(try await failure("allergies refute ai-egg", commands())?.code == .needsConfirmation)
    _ = try await answer("allergies refute ai-egg --yes", commands())
    #expect(charts.allergies.stored("ai-egg")?.standing == .refuted)
  }

  @Test("an exported chart is inert whatever the records hold, and carries the age of its data")
  func export() async throws {
    let evil = #"<script>alert("1")</script><img src=x onerror='y'>&\#u{202E}\#u{0}"#
    charts.allergies.put(Sample.allergy(evil, criticality: .high, reaction: evil), freshness: .fresh(asOf: Sample.now))
    charts.notes.put(Sample.note("d-1", "first line\n</div><a href=\"javascript:1\">x</a>"))
    charts.conditions.put(Sample.problem("Asthma\u{0301}<b>"))
    charts.medications.put(Sample.medication(evil, dose: evil))
    let page = try await answer("chart --export ana.html", commands())
    let html = try #require(charts.files.files["ana.html"])
    for tag in ["<script", "<img", "<a ", "<b>", "\u{202E}", "\u{0}", "http://", "https://", "<link", "url("] {
      #expect(!html.lowercased().contains(tag), "\(tag)")
    }
    for part in [
      "&lt;script&gt;", "default-src 'none'", "as of 10:00", "not fetched yet", "Put together 2026-11-30 10:00 EST",
      "@media print", "Pérez, Ana", "HIGH RISK", "first line\n&lt;/div&gt;",
    ] { #expect(html.contains(part), "\(part)") }
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
    #expect(text(page).contains("ana.html"))
  }

  @Test("a trend draws the numbers as recorded, apart by unit, without what was withdrawn")
  func trend() async throws {
    let query = ObservationQuery(patient: Sample.ana.id, code: "29463-7", limit: 500)
    observations.book.expect(.list(query, .localOnly))
    func weight(_ id: String, _ value: String, _ unit: String, _ day: String, _ status: ObservationStatus = .final)
      -> RecordedObservation
    {
      RecordedObservation(
        observation: ClinicalObservation(
          id: ClinicalObservation.ID(id), status: .known(status), code: VitalSign.weight.concept,
          subject: Reference(Sample.ana.key), effective: .dateTime(.date(Sample.day(day))),
          value: PreciseDecimal(value).map { .quantity(Quantity($0, ucum: unit)) }), patient: Sample.ana)
    }
    observations.list(
      Snapshot(
        value: [
          weight("o-3", "72.50", "kg", "2026-11-01"), weight("o-2", "158", "[lb_av]", "2026-06"),
          weight("o-1", "71.0", "kg", "2026-01-05"), weight("o-x", "999", "kg", "2026-02-01", .enteredInError),
        ], freshness: .fresh(asOf: Sample.now)))
    let page = try await answer("trend p-1 weight", commands())
    let shown = text(page)
    #expect(!shown.contains("999") && shown.contains("1 entered in error") && shown.contains("several units"))
    let places = ["71.0", "2026-01-05"].map { shown.contains($0) }
    #expect(places == [true, true])
    #expect(json(page).contains(#""value":72.50"#) && page.records.filter { $0.kind == "trend" }.count == 2)
    #expect(coordinator.steps == [.trend(Sample.ana.id, "weight")])
  }
}
