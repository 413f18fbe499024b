import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Actions: what was done together goes together, or stops together")
struct ActionGroupTests {
  /// Two observations of one patient, recorded as one action.
  private func recordTwo(_ clinic: TestClinic, of patient: Patient.ID) async throws {
    _ = try await clinic.data.observations.record(
      ["Pulse", "Temperature"].map { name in
        ClinicalObservation(
          id: "", status: .known(.final), code: CodeableConcept(text: name), subject: Reference(patient.key))
      })
  }

  private func posts(_ clinic: TestClinic) -> [String] {
    clinic.transport.sent.filter { !$0.hasPrefix("GET") }
  }

  @Test("one action is one transaction where the server has real ones", arguments: [true, false])
  func together(clientIDs: Bool) async throws {
    var profile = MockProfile.standard
    if !clientIDs { profile.clientIds = .refused(status: 404) }
    let clinic = try await TestClinic.open(profile: profile)
    let id = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    clinic.transport.forgetSent()
    try await recordTwo(clinic, of: id)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(posts(clinic) == ["POST /fhir"])
    #expect(clinic.model.resources("Observation").count == 2)
    await clinic.remove()
  }

  @Test("a refused part stops its action; nothing of a real transaction is applied before a person decides")
  func refusedPart() async throws {
    let clinic = try await TestClinic.open()
    let id = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    try await recordTwo(clinic, of: id)
    clinic.model.add(MockFault.status(422, method: "POST", times: nil))
    clinic.model.add(MockFault.status(422, method: "PUT", path: "Observation", times: 1))
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resources("Observation").isEmpty)
    let items = await clinic.outbox()
    #expect(items.map(\.state) == [.review, .pending])
    #expect(items.last?.waitsFor?.contains("same action") == true)
    await clinic.remove()
  }

  @Test("a server that runs transactions as batches is found out, and is sent single requests from then on")
  func fakeTransactions() async throws {
    var profile = MockProfile.standard
    profile.realTransactions = false
    let clinic = try await TestClinic.open(profile: profile)
    let id = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    try await recordTwo(clinic, of: id)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Observation").count == 2)
    await clinic.remove()
  }

  @Test(
    "a transaction whose answer was lost is found part by part, and nothing is there twice", arguments: [true, false])
  func lostAnswer(clientIDs: Bool) async throws {
    var profile = MockProfile.standard
    if !clientIDs { profile.clientIds = .refused(status: 404) }
    let clinic = try await TestClinic.open(profile: profile)
    let id = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    try await recordTwo(clinic, of: id)
    clinic.transport.plan(.loseAnswer, method: "POST")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Observation").count == 2)
    #expect(clinic.model.log.count { $0.type == "Observation" } == 2)
    await clinic.remove()
  }
}
