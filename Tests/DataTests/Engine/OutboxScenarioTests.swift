import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Outbox: what was written reaches the server once")
struct OutboxScenarioTests {
  @Test("a registration made offline is visible at once and reaches the server once", arguments: ServerKind.allCases)
  func registration(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.transport.isDown = true
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    #expect(await clinic.patient(id)?.displayName == "Ferrow")
    let offline = try await clinic.sync()
    guard case .unreachable = offline.outcome else {
      Issue.record("\(offline.outcome)")
      return
    }
    clinic.transport.isDown = false
    #expect(try await clinic.sync().outcome == .complete)
    #expect(await clinic.outbox().isEmpty)
    #expect(clinic.model.resources("Patient").map(\.phone) == ["1"])
    #expect(await clinic.patient(id)?.displayName == "Ferrow")
    await clinic.remove()
  }

  @Test(
    "two offline edits become one; an edit after an acknowledgement meets no false conflict",
    arguments: ServerKind.allCases)
  func laterEdits(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    try await clinic.setPhone("2", of: id)
    #expect(await clinic.outbox().count == 1)
    try await clinic.sync()
    try await clinic.setPhone("3", of: id)
    try await clinic.setPhone("4", of: id)
    #expect(await clinic.outbox().count == 1)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").map(\.phone) == ["4"])
    #expect(clinic.model.log.count == 2)
    await clinic.remove()
  }

  @Test(
    "the second of two edits is sent without a false conflict when the first is acknowledged in between",
    arguments: ServerKind.allCases)
  func editWhileSending(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    // The answer to the first edit is lost, so that it is frozen while the second is made.
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    clinic.transport.isDown = false
    try await clinic.setPhone("3", of: "p-1")
    #expect(await clinic.outbox().count == 2)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    #expect(clinic.model.log.count == 2)
    await clinic.remove()
  }

  @Test("the same element changed on both sides goes to review, never silently over it", arguments: ServerKind.allCases)
  func conflict(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .conflict)
    #expect(item.elements.count == 1)
    for value in [item.elements[0].base, item.elements[0].mine, item.elements[0].theirs] {
      #expect(value?.json.contains("\"value\":") == true)
    }
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    await clinic.remove()
  }

  @Test(
    "different elements changed on both sides are merged, and both reach the server", arguments: ServerKind.allCases)
  func merge(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    #expect(try await clinic.sync().outcome == .complete)
    let document = try #require(clinic.model.resource("Patient", "p-1"))
    #expect(document.phone == "2")
    #expect(document["address"]?[0]?["city"] == "Newtown")
    await clinic.remove()
  }

  @Test("what the server adds to a create without telling survives the next edit")
  func addedIdentifier() async throws {
    var profile = MockProfile.standard
    profile.returnsBody = false
    profile.addsIdentifier = true
    let clinic = try await TestClinic.open(profile: profile)
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    clinic.model.profile.metadata = .statement
    try await clinic.sync(pulls: false)
    try await clinic.setPhone("2", of: id)
    #expect(try await clinic.sync(pulls: false).outcome == .complete)
    let document = try #require(clinic.model.resources("Patient").first)
    #expect(document.phone == "2")
    #expect(document["identifier"]?.array?.isEmpty == false)
    await clinic.remove()
  }

  @Test("an update whose answer was lost is found, not sent again", arguments: ServerKind.allCases)
  func lostUpdateAnswer(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.transport.plan(.loseAnswer, method: "PUT")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } == 1)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "2")
    await clinic.remove()
  }

  @Test("a correction made after our lost update stands, and a person is asked", arguments: ServerKind.allCases)
  func correctionStands(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    clinic.transport.isDown = false
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "1"]] }
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "1")
    #expect(await clinic.review().map(\.kind) == [.conflict])
    await clinic.remove()
  }

  @Test(
    "a create whose answer was lost, then pulled and edited, is one record here and there",
    arguments: ServerKind.allCases)
  func lostCreateThenPull(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    clinic.transport.plan(.blackout, method: "POST")
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    clinic.transport.calm()
    #expect(await clinic.outbox().map(\.state) == [.ambiguous])
    try await clinic.sync(pushes: false)
    try await clinic.setPhone("2", of: id)
    let report = try await clinic.sync()
    #expect(report.outcome == .complete, "\(report)")
    #expect(clinic.model.resources("Patient").map(\.phone) == ["2"])
    let found = await clinic.data.patients.patients(matching: PatientQuery(text: "ferrow"), policy: .localOnly).first()
    #expect(found?.value?.count == 1)
    await clinic.remove()
  }

  @Test("an ambiguous create waits for the server's search to catch up, and is made once")
  func laggingSearch() async throws {
    var profile = MockProfile.serverIds
    profile.searchLagSeconds = 10
    profile.honoursIfNoneExist = false
    let clinic = try await TestClinic.open(profile: profile)
    _ = try await clinic.register(family: "Ferrow")
    clinic.transport.plan(.loseAnswer, method: "POST")
    let before = clinic.world.now
    #expect(try await clinic.sync(pulls: false).outcome == .complete)
    #expect(clinic.world.now - before >= 15_000)
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test("what is held up on the way and arrives after it was sent again is made once", arguments: ServerKind.allCases)
  func lateRequest(_ kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.transport.plan(.late, method: "POST")
    clinic.transport.plan(.late, method: "PUT")
    let key = try await clinic.register(family: "Ferrow")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").map(\.phone) == [nil])
    clinic.transport.calm()
    try await clinic.setPhone("2", of: key)
    clinic.transport.plan(.late, method: "PUT")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").map(\.phone) == ["2"])
    await clinic.remove()
  }
}
