import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Query plans: no question of the front reads a whole table")
struct QueryPlanTests {
  /// Statements that may look at every row, since their tables hold what is unsent or needs a person, which is little.
  private static let small = ["outbox", "review", "server", "outbox_reference"]

  @Test("every statement that the repositories run is answered by an index, and sorts nothing large")
  func plans() async throws {
    let clinic = try await TestClinic.open()
    // More of one name than are sorted: then the search walks along the names.
    clinic.model.load(
      (1...450).map { ["resourceType": "Patient", "id": .string("p-\($0)"), "name": [["family": "Ferrow"]]] })
    try await clinic.sync()
    let id = try await clinic.register(family: "Quist")
    _ = try await clinic.data.observations.record([
      ClinicalObservation(
        id: "", status: .known(.final), code: CodeableConcept(text: "Pulse"), subject: Reference(id.key))
    ])
    let start = try #require(Instant("2026-12-01T09:00:00Z"))
    let appointment = Appointment(
      id: "", status: .known(.booked), start: start, end: start.adding(seconds: 1_200),
      participant: [Appointment.Participant(actor: Reference(id.key), status: .known(.accepted))])
    _ = try await clinic.data.appointments.book(appointment, allowingOverlap: false)
    try await ask(clinic, id, start)
    let plans = try await clinic.data.store.readerPlans()
    #expect(plans.count > 15 && plans.keys.contains { $0.contains("CROSS JOIN patient_text") })
    // The journal since a mark is what one sync settled.
    let bad = plans.filter { !$0.key.contains("FROM journal") }.flatMap { sql, steps in
      steps.filter(Self.isCostly).map { "\($0) in \(sql)" }
    }
    #expect(bad.isEmpty, "\(bad.joined(separator: "\n"))")
    await clinic.remove()
  }

  /// Asks everything that the front asks, and a search so broad that it walks along the names.
  private func ask(_ clinic: TestClinic, _ id: Patient.ID, _ start: Instant) async throws {
    let data = clinic.data
    let day = start..<start.adding(seconds: 86_400)
    for _ in 1...2 {  // Once for each reader.
      _ = await data.patients.patient(id, policy: .localOnly).first()
      _ = await data.patients.patients(matching: PatientQuery(text: "qui fer"), policy: .localOnly).first()
      let broad = await data.patients.patients(matching: PatientQuery(text: "ferr"), policy: .localOnly).first()
      #expect(broad?.value?.count == 50)
      _ = await data.patients.recentPatients(limit: 5).first()
      _ = await data.appointments.appointments(matching: AppointmentQuery(span: day), policy: .localOnly).first()
      _ = await data.appointments.appointments(
        matching: AppointmentQuery(span: day, patient: id), policy: .localOnly
      ).first()
      _ = await data.appointments.appointments(
        matching: AppointmentQuery(span: day, practitioner: "d-1"), policy: .localOnly
      ).first()
      _ = await data.appointments.appointments(
        matching: AppointmentQuery(span: day, location: "l-1"), policy: .localOnly
      ).first()
      _ = await data.observations.observations(matching: ObservationQuery(patient: id), policy: .localOnly).first()
      _ = await data.encounters.encounters(of: id, policy: .localOnly).first()
      _ = await data.encounters.openEncounters(policy: .localOnly).first()
      _ = await data.practitioners.practitioners(policy: .localOnly).first()
      _ = await data.locations.locations(policy: .localOnly).first()
      _ = try await data.resolver.resolve("MRN-1", type: "Patient")
      _ = try await data.outbox.explain(id.key)
      _ = await data.sync.status().first()
      _ = try await data.sync.plan()
      _ = await data.outbox.outbox().first()
      _ = await data.review.reviewItems().first()
      _ = try await data.store.read { transaction throws(AppError) in
        try transaction.resourcesToRefresh(limit: 10)
      }
    }
  }

  private static func isCostly(_ step: String) -> Bool {
    // A text index that is asked nothing is read whole.
    if step.contains("TEMP B-TREE") || step.hasSuffix("VIRTUAL TABLE INDEX 0:") { return true }
    guard step.hasPrefix("SCAN"), !step.contains("VIRTUAL TABLE INDEX"), !step.contains("CONSTANT ROW") else {
      return false
    }
    let words = step.split(separator: " ")
    return words.count > 1 && !step.contains("USING") && !small.contains(String(words[1]))
      && !["o", "r", "c"].contains(words[1])
  }
}
