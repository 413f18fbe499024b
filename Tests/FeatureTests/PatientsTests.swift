import DesignSystem
import Domain
import Patients
import TestSupport
import Testing

@Suite("Patients")
struct PatientsTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  func feature(
    _ patients: FakePatientRepository, _ resolver: FakeResolver = FakeResolver(), reading: ReadMode = .local
  ) -> PatientsFeature {
    PatientsFeature(
      patients: patients, resolver: resolver, coordinator: coordinator, errors: errors,
      context: Sample.context(reading))
  }

  func commands(_ patients: FakePatientRepository, _ resolver: FakeResolver = FakeResolver()) -> [Command] {
    PatientsCommands.commands(of: feature(patients, resolver))
  }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    let commands = commands(FakePatientRepository())
    #expect(commands.map(\.spec) == PatientsCommands.specs)
    #expect(contradictions(in: commands) == [])
  }

  @Test("a line alone reads locally; --fresh waits until the server has answered")
  func policies() async throws {
    let id = Sample.ana.id
    let patients = FakePatientRepository(
      expecting: .read(id, .localOnly), .read(id, .revalidateAlways), .markOpened(id))
    patients.answer(
      id, Snapshot(value: Sample.ana, freshness: .stale(asOf: Sample.now), revalidation: .running),
      Snapshot(value: Sample.masked, freshness: .fresh(asOf: Sample.now)))
    #expect(try await answer("patients show p-1", commands(patients)).title == "Pérez, Ana")
    #expect(try await answer("patients show p-1 --fresh", commands(patients)).title == "Verdeckt, Mia")
    #expect(coordinator.steps == [.patient(id), .patient(id)])
    #expect(errors.presented == [])
  }

  @Test("a live reader sees every answer, and ends with its task")
  func live() async {
    let id = Sample.ana.id
    let patients = FakePatientRepository(expecting: .read(id, .revalidateWhenStale), .markOpened(id))
    patients.answer(
      id, Snapshot(value: nil, freshness: .missing, revalidation: .running),
      Snapshot(value: Sample.ana, freshness: .fresh(asOf: Sample.now)))
    let model = PatientViewModel(id: id, patients: patients, errors: errors, context: Sample.context())
    await model.load(reading: .live)
    #expect(model.state.display?.identity.displayName == "Pérez, Ana")
    #expect(patients.book.count(of: .read(id, .revalidateWhenStale)) == 1)
  }

  @Test("who is unknown here is said to be, with what to do; a failed refresh keeps the value and is presented")
  func unknownAndUnreachable() async throws {
    let id = Patient.ID("p-9")
    let patients = FakePatientRepository(
      expecting: .read(id, .localOnly), .read(Sample.ana.id, .revalidateAlways), .markOpened(Sample.ana.id))
    let unknown = AppError(
      .notFound, "Patient/p-9 is not known here",
      hint: "a name is looked for with: patients search p-9; for an id, add --fresh to ask the server")
    #expect(try await failure("patients show p-9", commands(patients)) == unknown)
    let offline = AppError(.offline, "the server could not be reached")
    patients.answer(
      Sample.ana.id,
      Snapshot(value: Sample.ana, freshness: .stale(asOf: Sample.now), revalidation: .failed(offline)))
    #expect(try await answer("patients show p-1 --fresh", commands(patients)).title == "Pérez, Ana")
    #expect(errors.presented == [unknown, offline])
  }

  @Test("a deleted patient is shown as deleted, or said to be")
  func deleted() async throws {
    let patients = FakePatientRepository(
      expecting: .read(Sample.ana.id, .localOnly), .read(Patient.ID("p-2"), .localOnly), .markOpened(Sample.ana.id))
    patients.answer(Sample.ana.id, Snapshot(value: Sample.ana, freshness: .fresh(asOf: Sample.now), isDeleted: true))
    patients.answer(Patient.ID("p-2"), Snapshot(value: nil, freshness: .fresh(asOf: Sample.now), isDeleted: true))
    #expect(text(try await answer("patients show p-1", commands(patients))).contains("deleted at the server"))
    #expect(try await failure("patients show p-2", commands(patients))?.code == .deleted)
  }

  @Test("a registration writes what was given, echoes who it is, and opens the record")
  func register() async throws {
    let patients = FakePatientRepository(
      expecting: .candidates, .register)
    let page = try await answer(
      "patients register --family Pérez --given Ana --birth 1980-05 --gender female --phone 555 --identifier 'urn:mrn|MRN|1'",
      commands(patients))
    #expect(
      patients.registered == [
        Patient(
          id: Patient.ID("new-1"), identifier: [Identifier(system: "urn:mrn", value: "MRN|1")], active: true,
          name: [HumanName(use: .known(.official), family: "Pérez", given: ["Ana"])],
          telecom: [ContactPoint(system: .known(.phone), value: "555")], gender: .known(.female),
          birthDate: .value(Sample.day("1980-05")))
      ])
    let shown = text(page)
    for part in ["Pérez, Ana", "1980-05 (about 46 years)", "MRN|1", "not sent yet (outbox entry 1)"] {
      #expect(shown.contains(part), "\(part)")
    }
    #expect(coordinator.steps == [.dismissal, .patient(Patient.ID("new-1"))])
  }

  @Test("someone who is probably registered already is pointed out first")
  func duplicate() async throws {
    let patients = FakePatientRepository(
      expecting: .candidates, .register)
    let draft = Patient(
      id: "", name: [HumanName(family: "Pérez", given: ["Ana"])], birthDate: .value(Sample.day("1980-05-17")))
    patients.resemble(PatientCandidate(patient: Sample.ana, match: RegistrationMatch(draft, Sample.ana)))
    let line = "patients register --family Pérez --given Ana --birth 1980-05-17"
    let question = try await failure(line, commands(patients))
    #expect(question?.code == .needsConfirmation && question?.message.contains("Pérez, Ana · born 1980-05-17") == true)
    #expect(patients.registered.isEmpty)
    let page = try await answer(line + " --yes", commands(patients))
    #expect(page.warnings.count == 1 && patients.registered.count == 1)
  }

  @Test("a registration is joined to a known patient after a question that names both, and opens that one")
  func merge() async throws {
    let registration = Patient(
      id: "new-1", name: [HumanName(family: "Peres", given: ["Ana"])],
      telecom: [ContactPoint(system: .known(.phone), value: "555-9")])
    let patients = FakePatientRepository(
      expecting: .read("new-1", .localOnly), .read(Sample.ana.id, .localOnly), .merge("new-1", Sample.ana.id))
    patients.add(registration)
    patients.add(Sample.ana)
    let line = "patients merge new-1 --into p-1"
    let question = try await failure(line, commands(patients))
    #expect(question?.code == .needsConfirmation)
    #expect(["Peres, Ana", "Pérez, Ana"].allSatisfy { question?.message.contains($0) == true })
    let page = try await answer(line + " --yes", commands(patients))
    #expect(text(page).contains("Registration joined, with 1 unsent write"))
    #expect(page.warnings == ["not in the record, and not taken over: 555-9"])
    #expect(coordinator.steps == [.patient(Sample.ana.id)])
  }

  @Test("a search tells by what someone was found, and with --remote asks the server and waits")
  func foundBy() async throws {
    let patients = FakePatientRepository(
      expecting: .search(PatientQuery(text: "weiss"), .localOnly),
      .search(PatientQuery(text: "weiss", asksServer: true), .revalidateAlways))
    patients.find(
      Snapshot(
        value: [PatientMatch(patient: Sample.ana, isPending: false, reasons: [.formerName("Weiß")])],
        freshness: .missing, mayBeIncomplete: true))
    let page = try await answer("patients search weiss", commands(patients))
    #expect(text(page).contains("formerly Weiß") && text(page).contains("may be incomplete"))
    #expect(json(page).contains(#""foundBy":["formerly Weiß"]"#))
    _ = try await answer("patients search weiss --remote", commands(patients))
    #expect(patients.book.count(of: .search(PatientQuery(text: "weiss", asksServer: true), .revalidateAlways)) == 1)
  }

  @Test("a live list takes over differences keyed by id, and tells them")
  func changes() async {
    let query = PatientQuery(text: "an", limit: 50)
    let patients = FakePatientRepository(expecting: .search(query, .revalidateWhenStale))
    let other = Patient(id: "p-2", name: [HumanName(family: "Anders")])
    func answer(_ found: [Patient]) -> Snapshot<[PatientMatch]> {
      Snapshot(value: found.map { PatientMatch(patient: $0, isPending: false) }, freshness: .fresh(asOf: Sample.now))
    }
    patients.find(answer([Sample.ana]), answer([other, Sample.ana]))
    let model = PatientsViewModel(patients: patients, errors: errors, context: Sample.context())
    await model.search("an", reading: .live)
    #expect(model.changes == ListChanges([.inserted("p-2", at: 0)]))
    #expect(model.state.display?.rows.map(\.id) == ["p-2", Sample.ana.id])
  }

  @Test(
    "what cannot be right is refused before anything is written",
    arguments: [
      ("patients register --birth 1980", AppError.Code.invalidInput),
      ("patients register --family X --birth 2027", .invalidInput),
      ("patients register --family X --identifier MRN-1", .invalidInput),
      ("patients edit p-1", .invalidInput),
      ("patients search x --limit 0", .invalidInput),
    ])
  func refusals(line: String, code: AppError.Code) async throws {
    #expect(try await failure(line, commands(FakePatientRepository())).map(\.code) == code)
  }

  @Test("an edit changes only what is given, and an empty text removes it")
  func edit() async throws {
    let id = Sample.ana.id
    let patients = FakePatientRepository(expecting: .edit(id), .read(id, .localOnly))
    patients.add(Sample.ana)
    let page = try await answer("patients edit p-1 --phone 555-0199 --given Ana --given María", commands(patients))
    var expected = Sample.ana
    expected.telecom[0].value = "555-0199"
    expected.name[0].given = ["Ana", "María"]
    #expect(patients.stored(id) == expected)
    #expect(text(page).contains("Pérez, Ana María"))
    _ = try await answer("patients edit p-1 --phone ''", commands(patients))
    #expect(patients.stored(id)?.telecom == [])
  }

  @Test("a name that is a text only is shown by its text, so an edit rewrites the text too")
  func editTextName() async throws {
    let id = Sample.ana.id
    let patients = FakePatientRepository(expecting: .edit(id), .read(id, .localOnly))
    var foundling = Sample.ana
    foundling.name = [HumanName(text: "Foundling Baby")]
    patients.add(foundling)
    _ = try await answer("patients edit p-1 --family Rivera --given Sol", commands(patients))
    #expect(patients.stored(id)?.name == [HumanName(text: "Sol Rivera", family: "Rivera", given: ["Sol"])])
  }

  @Test("a repository's refusal reaches the line and is presented once")
  func refused() async throws {
    let patients = FakePatientRepository(expecting: .edit(Sample.ana.id))
    let deleted = AppError(.deleted, "Patient/p-1 was deleted")
    patients.fail(with: deleted)
    #expect(try await failure("patients edit p-1 --phone 1", commands(patients)) == deleted)
    #expect(errors.presented == [deleted])
  }

  @Test("withheld, partial and missing facts are shown as what they are")
  func display() async throws {
    let query = PatientQuery(text: "all", limit: 50)
    let patients = FakePatientRepository(expecting: .search(query, .localOnly))
    patients.find(
      Snapshot(
        value: [Sample.masked, Sample.yearOnly, Sample.unnamed, Sample.bare].map {
          PatientMatch(patient: $0, isPending: false)
        }, freshness: .fresh(asOf: Sample.now)))
    let page = try await answer("patients search all", commands(patients))
    let shown = text(page)
    for part in [
      "birth date not given (masked)", "1951 (74–75 years)", "MRN-0909", "p-09d", "birth date not recorded",
    ] { #expect(shown.contains(part), "\(part)") }
    for part in ["()", "null", "1970", "nil"] { #expect(!shown.contains(part), "\(part)") }
    let records = json(page)
    #expect(records.contains(#""birthDate":"1951""#) && records.contains(#""birthDateAbsentReason":"masked""#))
    #expect(records.contains(#""id":"p-09a","identifier":"MRN-0909","inUse":true,"kind":"patient","name":null"#))
  }

  @Test(
    "a birth date does not move with the zone",
    arguments: ["America/Los_Angeles", "Pacific/Kiritimati", "UTC"])
  func zones(zone: String) async throws {
    let clinic = try #require(ClinicZone(zone))
    var leap = Sample.ana
    leap.birthDate = .value(Sample.day("2012-02-19"))
    let status = AnswerStatus(
      Snapshot(value: leap, freshness: .fresh(asOf: Sample.now)), Sample.context(zone: clinic))
    let model = PatientsFeature(
      patients: {
        let fake = FakePatientRepository(expecting: .read(leap.id, .localOnly), .markOpened(leap.id))
        fake.add(leap)
        return fake
      }(), resolver: FakeResolver(), coordinator: coordinator, errors: errors, context: Sample.context(zone: clinic))
    let page = try await model.page(at: .patient(leap.id), reading: .local)
    #expect(text(page).contains("2012-02-19") && json(page).contains(#""birthDate":"2012-02-19""#))
    #expect(!status.text.isEmpty)
  }

  @Test("recent patients are listed without asking the server")
  func recent() async throws {
    let patients = FakePatientRepository(expecting: .recent(20))
    patients.setRecent(Snapshot(value: [Sample.ana], freshness: .missing))
    #expect(text(try await answer("patients recent --fresh", commands(patients))).contains("Pérez, Ana"))
  }
}
