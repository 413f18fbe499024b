import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Review: what needs a person waits for one, and nothing else does")
struct RefusalAndReviewTests {
  @Test(
    "a refused create is amended by its author's next edit and sent once; nothing waits for ever behind it",
    arguments: ServerKind.allCases)
  func amendedRefusal(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    let refused = try await clinic.register(family: "Refused", phone: "1")
    let other = try await clinic.register(family: "Other")
    // Whichever way it is created, the first answer to the first patient is a refusal.
    clinic.model.add(MockFault.status(422, method: "POST", times: 1))
    clinic.model.add(MockFault.status(422, method: "PUT", path: refused.rawValue, times: 1))
    let report = try await clinic.sync()
    #expect(report.outcome == .needsReview)
    #expect(await clinic.review().map(\.kind) == [.refusal])
    #expect(await clinic.patient(other) != nil)
    #expect(clinic.model.resources("Patient").count == 1)
    let stuck = try #require(await clinic.outbox().first)
    try await clinic.setPhone("2", of: Patient.ID(stuck.key.id))
    #expect(await clinic.review().isEmpty)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    await clinic.remove()
  }

  @Test(
    "a refused edit that the server has meanwhile contradicted takes no further edit along",
    arguments: ServerKind.allCases)
  func contradictedRefusal(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", path: "p-1", times: 1))
    #expect(try await clinic.sync().outcome == .needsReview)
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    try await clinic.sync()
    _ = try await clinic.data.patients.edit("p-1") { $0.address = [Address(city: "X")] }
    #expect(try await clinic.sync().outcome == .needsReview)
    // Nobody has decided between 2 and 3.
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    #expect(await clinic.patient("p-1")?.telecom.map(\.value) == ["2"])
    await clinic.remove()
  }

  @Test("a typed value is not lost when the base moves under it and it is typed back")
  func typedBack() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    try await clinic.sync(pushes: false)
    try await clinic.setPhone("1", of: "p-1")
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "1")
    #expect(await clinic.outbox().isEmpty == false)
    await clinic.remove()
  }

  @Test("an edit typed back to the server's value vanishes without a request")
  func undone() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    try await clinic.setPhone("1", of: "p-1")
    #expect(await clinic.outbox().isEmpty)
    await clinic.remove()
  }

  @Test("keeping mine sends it over what the server has; keeping theirs drops it", arguments: [true, false])
  func decisions(mine: Bool) async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, mine ? .keepMine : .keepTheirs, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    let expected = mine ? "2" : "3"
    #expect(clinic.model.resource("Patient", "p-1")?.phone == expected)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == expected)
    #expect(await clinic.review().isEmpty)
    await clinic.remove()
  }

  @Test("an edit of a list item that the server took away stays in the view, and is sent whole when kept")
  func vanishedItem() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "value": "7"]] }
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(await clinic.patient("p-1")?.telecom.compactMap(\.value).sorted() == ["2", "7"])
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    let phones = clinic.model.resource("Patient", "p-1")?["telecom"]?.array?.compactMap { $0["value"]?.string }
    #expect(phones?.sorted() == ["2", "7"])
    await clinic.remove()
  }

  @Test("a decision is checked again when the server moved since")
  func decisionOvertaken() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let item = try #require(await clinic.review().first)
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "4"]] }
    _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "4")
    await clinic.remove()
  }

  @Test("a refusal of the very version that the server shows goes to a person at once, and is not repeated")
  func refusedOwnVersion() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(412, method: "PUT", times: nil))
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } == 1)
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } == 1)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    await clinic.remove()
  }

  @Test(
    "a record deleted at the server while it was edited here waits for a person, and can be made anew",
    arguments: ServerKind.allCases)
  func deletedRemotely(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.delete("Patient", "p-1")
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .deletedRemotely)
    _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").map(\.phone) == ["2"])
    await clinic.remove()
  }

  @Test("discarding a create names what hangs on it, and takes it along when told to")
  func discardCreate() async throws {
    let clinic = try await TestClinic.open()
    let id = try await clinic.register(family: "Ferrow")
    _ = try await clinic.data.observations.record([
      ClinicalObservation(
        id: "", status: .known(.final), code: CodeableConcept(text: "Pulse"), subject: Reference(id.key))
    ])
    let create = try #require(await clinic.outbox().first)
    await #expect(throws: AppError.self) { try await clinic.data.outbox.discard(create.number, confirmed: false) }
    #expect(await clinic.outbox().count == 2)
    let fallen = try await clinic.data.outbox.discard(create.number, confirmed: true)
    #expect(fallen.count == 2)
    #expect(await clinic.outbox().isEmpty)
    #expect(await clinic.patient(id) == nil)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.log.isEmpty)
    await clinic.remove()
  }
}
