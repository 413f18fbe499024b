import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

/// Writes that go a second time, over what has happened at the server meanwhile.
@Suite("Writes that go again", .timeLimit(.minutes(10)))
struct RetriedWriteTests {
  private func phone(_ value: String) -> JSONValue { [["system": "phone", "use": "home", "value": .string(value)]] }

  /// Servers that protect an update, that may, and that cannot even tell one version from another.
  private static let protections: [MockProfile] = {
    var strict = MockProfile.standard
    strict.requiresIfMatch = true
    var versionless = MockProfile.standard
    versionless.honoursIfMatch = false
    versionless.showsVersions = false
    return [.standard, strict, versionless]
  }()

  /// How a refused edit goes again, and what others did to its element meanwhile.
  private enum Again: CaseIterable { case retryChanged, amendChanged, retryRemoved, amendRemoved, editChanged }

  @Test(
    "a refused edit behind which the server changed the same is put to a person when it is sent again",
    arguments: protections, Again.allCases)
  private func retriedBehindChange(profile: MockProfile, again: Again) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    try await clinic.sync()
    let isRemoved = [.retryRemoved, .amendRemoved].contains(again)
    clinic.change("Patient", "p-1") { $0["telecom"] = isRemoved ? nil : phone("9") }
    try await clinic.sync()
    let item = try #require(await clinic.review().first)
    clinic.transport.forgetSent()
    switch again {
    case .retryChanged, .retryRemoved: _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    case .amendChanged, .amendRemoved:
      let amendment = ReviewDecision.Amendment("phone (home)", "3")
      _ = try await clinic.data.review.decide(item.number, .amend([amendment]), confirmed: true)
    case .editChanged: _ = try await clinic.data.patients.edit("p-1") { $0.gender = .known(.female) }
    }
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == (again == .editChanged ? [.refusal] : [.conflict]))
    #expect(clinic.transport.sent.count { $0.hasPrefix("GET /fhir/Patient/p-1") } < 4)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } < 2)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == (isRemoved ? nil : "9"))
    await clinic.remove()
  }

  @Test(
    "an edit that was given up, and is sent again, is compared with what the server has by now", arguments: protections)
  func givenUpBehindChange(profile: MockProfile) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(503, method: "PUT", times: 100))
    for _ in 0..<12 {
      clinic.world.advance(seconds: 86_400)
      try await clinic.sync()
    }
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .unresolved)
    clinic.model.removeFaults()
    clinic.change("Patient", "p-1") { $0["telecom"] = phone("9") }
    try await clinic.sync()
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == [.conflict])
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "9")
    await clinic.remove()
  }

  @Test("an edit that was given up is not sent again to a record that is gone", arguments: protections)
  func givenUpBehindDeletion(profile: MockProfile) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(503, method: "PUT", times: 100))
    for _ in 0..<12 {
      clinic.world.advance(seconds: 86_400)
      try await clinic.sync()
    }
    let item = try #require(await clinic.review().first)
    clinic.model.removeFaults()
    clinic.delete("Patient", "p-1")
    _ = await clinic.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == [.deletedRemotely])
    #expect(clinic.model.resource("Patient", "p-1") == nil)
    await clinic.remove()
  }

  @Test(
    "a record that is made anew over its deletion, and is back before that, is put to a person",
    arguments: protections, [true, false])
  func returned(profile: MockProfile, isListed: Bool) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.delete("Patient", "p-1")
    _ = await clinic.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    let gone = try #require(await clinic.review().first)
    #expect(gone.kind == .deletedRemotely)
    _ = try await clinic.data.review.decide(gone.number, .keepMine, confirmed: true)
    clinic.world.advance(seconds: 60)
    clinic.serverPatient("p-1", phone: "9")
    try await clinic.sync(pushes: !isListed)
    // Without versions a list proves nothing: the record is read by itself before it is made.
    try await clinic.sync()
    let back = try #require(await clinic.review().first)
    #expect(back.kind == .conflict)
    _ = try await clinic.data.review.decide(back.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "2")
    await clinic.remove()
  }

  @Test(
    "a create that arrives late, and for which its repetition is refused, is not made a second time",
    arguments: [200, 429, 500, 403])
  func lateCreate(look: Int) async throws {
    var profile = MockProfile.standard
    profile.requiresIfMatch = true
    let clinic = try await TestClinic.open(profile: profile)
    try await clinic.sync()
    let id = try await clinic.register(family: "Ferrow")
    clinic.transport.plan(.loseRequest, method: "PUT")
    let model = clinic.model
    clinic.transport.whenAnswered { line in
      guard line == "GET /fhir/Patient/\(id)", model.resources("Patient").isEmpty else { return }
      model.load([["resourceType": "Patient", "id": .string(id.rawValue), "name": [["family": "Ferrow"]]]])
      if look != 200 { model.add(MockFault.status(look, method: "GET", times: 1)) }
    }
    for _ in 0..<3 {
      try await clinic.sync()
      clinic.world.advance(seconds: 3_600)
    }
    #expect(model.resources("Patient").map { $0["id"]?.string } == [id.rawValue])
    #expect(await clinic.patient(id)?.id == id)
    #expect(await clinic.outbox().isEmpty)
    await clinic.remove()
  }

  @Test("two edits that are kept over a deletion make the record anew, with both", arguments: protections)
  func keptTwice(profile: MockProfile) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let other = try await clinic.reopened {
      $0.author = .operatingSystemUser("omar")
      $0.isServiceIdentity = true
    }
    _ = try await other.data.patients.edit("p-1") { $0.gender = .known(.female) }
    other.delete("Patient", "p-1")
    _ = await other.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    for _ in 0..<2 {
      let item = try #require(await other.review().first)
      _ = try await other.data.review.decide(item.number, .keepMine, confirmed: true)
    }
    #expect(try await other.sync().outcome == .complete)
    let document = other.model.resource("Patient", "p-1")
    #expect(document?.phone == "2" && document?["gender"]?.string == "female")
    await other.remove()
  }

  @Test(
    "a refused edit meets what others changed before its record changed again, and what they changed beside it",
    arguments: protections, ["twice", "beside", "edited"])
  func seenByItsAuthor(profile: MockProfile, how: String) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    clinic.change("Patient", "p-1") { $0["name"] = [["use": "official", "family": "Ferrow", "given": ["Jo"]]] }
    try await clinic.sync()
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    if how == "beside" {
      _ = try await clinic.data.patients.edit("p-1") { $0.name[0].family = "Farrow" }
    } else {
      try await clinic.setPhone("2", of: "p-1")
    }
    try await clinic.sync()
    if how == "beside" {
      clinic.change("Patient", "p-1") { $0["name"] = [["use": "official", "family": "Ferrow", "given": ["Joan"]]] }
    } else {
      clinic.change("Patient", "p-1") { $0["telecom"] = phone("9") }
    }
    try await clinic.sync()
    clinic.change("Patient", "p-1") { $0["gender"] = "female" }
    try await clinic.sync()
    let item = try #require(await clinic.review().first)
    if how == "edited" {
      _ = try await clinic.data.patients.edit("p-1") { $0.active = false }
    } else {
      _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    }
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == [how == "edited" ? .refusal : .conflict])
    let document = clinic.model.resource("Patient", "p-1")
    #expect(document?.phone == (how == "beside" ? "1" : "9"))
    #expect(document?["name"]?[0]?["family"]?.string == "Ferrow")
    await clinic.remove()
  }

  @Test("a conflict whose record is deleted and comes back with the same is a conflict still", arguments: protections)
  func backInConflict(profile: MockProfile) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = phone("9") }
    try await clinic.sync()
    clinic.delete("Patient", "p-1")
    _ = await clinic.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    #expect(await clinic.review().map(\.kind) == [.deletedRemotely])
    clinic.world.advance(seconds: 60)
    clinic.serverPatient("p-1", phone: "9")
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == [.conflict])
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "9")
    await clinic.remove()
  }

  @Test(
    "a record that is made anew, whose answer is lost, is not taken for made by others' words", arguments: protections)
  func madeByOthers(profile: MockProfile) async throws {
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.delete("Patient", "p-1")
    _ = await clinic.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    let gone = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(gone.number, .keepMine, confirmed: true)
    // The request is lost, and so is every answer to the question what became of it.
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    clinic.transport.calm()
    clinic.delete("Patient", "p-1")
    clinic.world.advance(seconds: 3_600)
    clinic.serverPatient("p-1", phone: "9")
    try await clinic.sync()
    #expect(await clinic.review().map(\.kind) == [.conflict])
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "9")
    await clinic.remove()
  }
}
