import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Visits and chart records in the store")
struct ChartStoreTests {
  private static let now = Instant(secondsSince1970: 1_790_000_000)

  private func visit(_ patient: Patient.ID, appointment: Appointment.ID? = nil) -> Encounter {
    Encounter(
      id: "", status: .known(.inProgress), encounterClass: Encounter.ambulatory, type: [CodeableConcept(text: "Visit")],
      subject: Reference(patient.key), appointment: appointment.map { [Reference(id: $0)] } ?? [],
      period: Period(start: .instant(Self.now)))
  }

  private func appointment(_ patient: Patient.ID) -> Appointment {
    Appointment(
      id: "", status: .known(.booked), start: Self.now, end: Self.now.adding(seconds: 1_800),
      participant: [Appointment.Participant(actor: Reference(patient.key))])
  }

  private func status(_ clinic: TestClinic, _ id: Appointment.ID) async -> AppointmentStatus? {
    await clinic.data.appointments.appointment(id, policy: .localOnly).first()?.value?.appointment.status?.known
  }

  @Test("a visit leads its appointment: arrived when it starts, fulfilled when it ends, each as one action")
  func visitAndAppointment() async throws {
    let clinic = try await TestClinic.open()
    let patient = try await clinic.register(family: "Ferrow")
    let booked = Appointment.ID(
      try await clinic.data.appointments.book(appointment(patient), allowingOverlap: false).key.id)
    let receipts = try await clinic.data.encounters.start(visit(patient, appointment: booked))
    #expect(receipts.map(\.key.type) == ["Encounter", "Appointment"])
    #expect(await status(clinic, booked) == .arrived)
    let id = Encounter.ID(receipts[0].key.id)
    #expect(await clinic.data.encounters.openEncounters(policy: .localOnly).first()?.value?.map(\.id) == [id])
    try await clinic.sync()
    let ended = try await clinic.data.encounters.edit(id) { encounter throws(AppError) in
      try encounter.become(.finished, at: Self.now.adding(seconds: 600))
    }
    #expect(ended.count == 2)
    #expect(await status(clinic, booked) == .fulfilled)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Encounter").first?["status"] == "finished")
    #expect(clinic.model.resources("Appointment").first?["status"] == "fulfilled")
    #expect(await clinic.data.encounters.openEncounters(policy: .localOnly).first()?.value == [])
    await clinic.remove()
  }

  @Test("a visit on a cancelled appointment is refused whole")
  func cancelled() async throws {
    let clinic = try await TestClinic.open()
    let patient = try await clinic.register(family: "Ferrow")
    let booked = Appointment.ID(
      try await clinic.data.appointments.book(appointment(patient), allowingOverlap: false).key.id)
    _ = try await clinic.data.appointments.edit(booked, allowingOverlap: true) { $0.status = .known(.cancelled) }
    await #expect(throws: AppError.self) {
      _ = try await clinic.data.encounters.start(visit(patient, appointment: booked))
    }
    #expect(await clinic.data.encounters.encounters(of: patient, policy: .localOnly).first()?.value == [])
    await clinic.remove()
  }

  @Test(
    "records of a chart are listed by patient, newest first, and survive the server's own ids",
    arguments: [true, false])
  func charts(clientIDs: Bool) async throws {
    var profile = MockProfile.standard
    if !clientIDs { profile.clientIds = .refused(status: 404) }
    let clinic = try await TestClinic.open(profile: profile)
    let patient = try await clinic.register(family: "Ferrow")
    let encounter = try await clinic.data.encounters.start(visit(patient))[0].key
    for (name, year) in [("Old", "2001"), ("New", "2020"), ("Middle", "2010-05")] {
      var problem = Condition(
        id: "", clinicalStatus: Condition.ClinicalStatus.active.concept, category: [Condition.problemListItem],
        code: CodeableConcept(text: name), subject: Reference(patient.key), encounter: Reference(encounter))
      problem.onset = DateTime(year).map(Onset.dateTime)
      _ = try await clinic.data.conditions.add(problem)
    }
    let note = DocumentReference(
      id: "", docStatus: .known(.preliminary), type: DocumentReference.progressNote, subject: Reference(patient.key),
      content: [DocumentReference.Attachment(text: "Grüße")])
    let noteID = DocumentReference.ID(try await clinic.data.notes.add(note).key.id)
    func problems() async -> [Charted<Condition>] {
      await clinic.data.conditions.entries(of: patient, policy: .localOnly).first()?.value ?? []
    }
    #expect(await problems().map { $0.entry.code?.text } == ["New", "Middle", "Old"])
    #expect(await problems().allSatisfy(\.isPending))
    #expect(try await clinic.sync().outcome == .complete)
    #expect(await problems().map { $0.entry.code?.text } == ["New", "Middle", "Old"])
    #expect(await problems().allSatisfy { !$0.isPending && $0.entry.visitID != nil && $0.patient != nil })
    _ = try await clinic.data.notes.edit(noteID) { note throws(AppError) in
      try note.sign(by: Reference(reference: "Practitioner/d"))
    }
    try await clinic.sync()
    let stored = clinic.model.resources("DocumentReference").first
    #expect(stored?["docStatus"] == "final" && stored?["content"]?[0]?["attachment"]?["data"] == "R3LDvMOfZQ==")
    await clinic.remove()
  }

  @Test("a state that takes another's place reaches the server as the only one, and one that is removed leaves nothing")
  func states() async throws {
    let clinic = try await TestClinic.open()
    let patient = try await clinic.register(family: "Ferrow")
    let problem = Condition(
      id: "", clinicalStatus: Condition.ClinicalStatus.active.concept, category: [Condition.problemListItem],
      code: CodeableConcept(text: "Gout"), subject: Reference(patient.key))
    let id = Condition.ID(try await clinic.data.conditions.add(problem).key.id)
    try await clinic.sync()
    _ = try await clinic.data.conditions.edit(id) { problem throws(AppError) in
      try problem.resolve(at: .instant(Self.now))
    }
    #expect(try await clinic.sync().outcome == .complete)
    let codes = clinic.model.resources("Condition").first?["clinicalStatus"]?["coding"]?.array?.map { $0["code"] }
    #expect(codes == ["resolved"])
    _ = try await clinic.data.conditions.edit(id) { problem throws(AppError) in try problem.retract() }
    #expect(try await clinic.sync().outcome == .complete)
    let withdrawn = clinic.model.resources("Condition").first
    #expect(withdrawn?["clinicalStatus"] == Optional.none)
    #expect(withdrawn?["verificationStatus"]?["coding"]?[0]?["code"] == "entered-in-error")
    await clinic.remove()
  }

  @Test("what lies on a record that was merged into another is found from that one, and stays where it is")
  func merged() async throws {
    let clinic = try await TestClinic.open()
    clinic.put([
      "resourceType": "Patient", "id": "p-57a", "active": false, "name": [["family": "Mergold"]],
      "link": [["other": ["reference": "Patient/p-57b"], "type": "replaced-by"]],
    ])
    clinic.put(["resourceType": "Patient", "id": "p-57b", "name": [["family": "Mergold"]]])
    clinic.put([
      "resourceType": "Observation", "id": "o-57", "status": "final", "code": ["text": "Pulse"],
      "subject": ["reference": "Patient/p-57a"], "effectiveDateTime": "2026-11-01T08:00:00Z",
    ])
    clinic.put([
      "resourceType": "AllergyIntolerance", "id": "a-57", "code": ["text": "Egg"],
      "patient": ["reference": "Patient/p-57a"],
    ])
    try await clinic.sync()
    let survivor = Patient.ID("p-57b")
    let pulses = await clinic.data.observations.observations(
      matching: ObservationQuery(patient: survivor), policy: .localOnly
    ).first()?.value
    #expect(pulses?.map(\.observation.patientID) == [Patient.ID("p-57a")])
    let allergies = await clinic.data.allergies.entries(of: survivor, policy: .localOnly).first()?.value
    #expect(allergies?.map(\.entry.patientID) == [Patient.ID("p-57a")])
    await clinic.remove()
  }

  @Test("a deleted patient takes no record, nor does one who is not known")
  func gone() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    clinic.delete("Patient", "p-1")
    try await clinic.sync()
    var codes: [AppError.Code] = []
    for id in ["p-1", "p-2"] {
      do throws(AppError) { _ = try await clinic.data.encounters.start(visit(Patient.ID(id))) } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [.deleted, .notFound])
    await clinic.remove()
  }
}
