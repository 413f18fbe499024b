import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Followers: entries behind one that waits, fails or changes its id")
struct FollowerTests {
  @Test(
    "an edit of a list item named by our id still hits it once the server has given another",
    arguments: ServerKind.allCases)
  func participantOfOurId(kind: ServerKind) async throws {
    let nora = try await TestClinic.open(profile: kind.profile)
    let patient = try await nora.register(family: "Ferrow")
    let booked = try await nora.book(patient)
    let omar = try await nora.reopened {
      $0.author = .operatingSystemUser("omar")
      $0.isServiceIdentity = true
    }
    _ = try await omar.data.appointments.edit(Appointment.ID(booked.key.id), allowingOverlap: true) {
      $0.participant[0].status = .known(.declined)
    }
    #expect(await omar.outbox().count == 3)
    #expect(try await omar.sync().outcome == .complete)
    let stored = try #require(omar.model.resources("Appointment").first)
    #expect(stored["participant"]?[0]?["status"] == "declined")
    let made = try #require(omar.model.resources("Patient").first?["id"]?.string)
    #expect(stored["participant"]?[0]?["actor"]?["reference"]?.string?.hasSuffix("Patient/\(made)") == true)
    await omar.remove()
  }

  @Test("a refused edit that the server moved under is still amended by the next one")
  func amendedAfterMove() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("bad", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    #expect(try await clinic.sync(pulls: false).outcome == .needsReview)
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    try await clinic.sync()
    #expect(await clinic.patient("p-1")?.address.first?.city == "Newtown")
    try await clinic.setPhone("good", of: "p-1")
    #expect(await clinic.outbox().count == 1)
    #expect(try await clinic.sync().outcome == .complete)
    let document = try #require(clinic.model.resource("Patient", "p-1"))
    #expect(document.phone == "good" && document["address"]?[0]?["city"] == "Newtown")
    await clinic.remove()
  }

  @Test("a decision over values that a pull has replaced since is refused: the item is a new one")
  func supersededItem() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let shown = try #require(await clinic.review().first)
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "4"]] }
    try await clinic.sync()
    await #expect(throws: AppError.self) {
      try await clinic.data.review.decide(shown.number, .keepMine, confirmed: true)
    }
    let item = try #require(await clinic.review().first)
    #expect(item.elements.first?.theirs?.json.contains("4") == true)
    _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "2")
    await clinic.remove()
  }

  @Test("a later edit of what was in conflict does not slip over the server's value when theirs is kept")
  func keptTheirs() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let item = try #require(await clinic.review().first)
    try await clinic.setPhone("5", of: "p-1")
    _ = try await clinic.data.review.decide(item.number, .keepTheirs, confirmed: true)
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    await clinic.remove()
  }

  @Test(
    "any of two edits by two people fails, in either order: the view is the base with what is left",
    arguments: [
      [], [0], [1], [0, 1], [1, 0],
    ] as [[Int]])
  func rollback(discarded: [Int]) async throws {
    let nora = try await TestClinic.open()
    nora.serverPatient("p-1", phone: "1")
    try await nora.sync()
    try await nora.setPhone("2", of: "p-1")
    let omar = try await nora.reopened { $0.author = .operatingSystemUser("omar") }
    _ = try await omar.data.patients.edit("p-1") { $0.address = [Address(city: "Newtown")] }
    let numbers = await omar.outbox().map(\.number)
    #expect(numbers.count == 2)
    for index in discarded { _ = try await omar.data.outbox.discard(numbers[index], confirmed: true) }
    let patient = await omar.patient("p-1")
    #expect(patient?.telecom.first?.value == (discarded.contains(0) ? "1" : "2"))
    #expect(patient?.address.first?.city == (discarded.contains(1) ? nil : "Newtown"))
    #expect(try await omar.unbalanced() == 0)
    await omar.remove()
  }

  @Test("one poisoned entry does not stop ninety-nine others")
  func poisoned() async throws {
    let clinic = try await TestClinic.open()
    let bad = try await clinic.register(family: "Bad")
    clinic.model.add(MockFault.status(422, path: bad.rawValue, times: nil))
    for number in 1..<100 { _ = try await clinic.register(family: "F\(number)") }
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.model.resources("Patient").count == 99)
    await clinic.remove()
  }

  @Test("what refers to a refused create is blocked by it, and goes when it is amended")
  func blockedChild() async throws {
    let clinic = try await TestClinic.open()
    let patient = try await clinic.register(family: "Bad")
    _ = try await clinic.book(patient)
    clinic.model.add(MockFault.status(422, method: "PUT", path: patient.rawValue, times: 1))
    _ = try await clinic.sync()
    #expect(clinic.model.log.isEmpty)
    #expect(await clinic.outbox().count == 2)
    clinic.model.removeFaults()
    _ = try await clinic.data.patients.edit(patient) { $0.name[0].family = "Good" }
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.log.map(\.type) == ["Patient", "Appointment"])
    await clinic.remove()
  }

  @Test("queues empty when the network flaps with every request", arguments: [1, 2, 3])
  func flapping(period: Int) async throws {
    let clinic = try await TestClinic.open(profile: .serverIds)
    try await clinic.sync()
    for number in 0..<20 { _ = try await clinic.register(family: "F\(number)") }
    for round in 0..<100 where await !clinic.outbox().isEmpty {
      clinic.transport.plan(round % 2 == 0 ? .unreachable : .loseAnswer, times: period)
      _ = try await clinic.sync(pulls: false)
      clinic.world.advance(seconds: 20)
    }
    #expect(await clinic.outbox().isEmpty)
    #expect(clinic.model.resources("Patient").count == 20)
    await clinic.remove()
  }

  @Test("once the server is back, the queue empties with no other stimulus", arguments: ServerKind.allCases)
  func noLostWakeUp(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    _ = try await clinic.register(family: "A")
    clinic.model.add(MockFault.status(503, method: "POST", times: 1))
    clinic.model.add(MockFault.status(503, method: "PUT", times: 1))
    for _ in 0..<2 {
      _ = try await clinic.sync(pulls: false)
      clinic.world.advance(seconds: 4)
    }
    #expect(await clinic.outbox().isEmpty)
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test("an unsent record that is deleted was never anywhere; an edited one is deleted with one request")
  func deletes() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    let unsent = try await clinic.register(family: "New")
    try await clinic.delete(unsent)
    try await clinic.setPhone("2", of: "p-1")
    try await clinic.delete("p-1")
    #expect(await clinic.outbox().map(\.kind) == [.delete])
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.log.map(\.method) == ["DELETE"])
    #expect(await clinic.patient("p-1") == nil)
    #expect(try await clinic.unbalanced() == 0)
    await clinic.remove()
  }

  @Test("a delete whose answer was lost is found to be done, and its record stays gone", arguments: ServerKind.allCases)
  func lostDelete(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.delete("p-1")
    clinic.transport.plan(.loseAnswer, method: "DELETE")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.transport.sent.count { $0.hasPrefix("DELETE") } == 1)
    #expect(await clinic.patient("p-1") == nil)
    await clinic.remove()
  }

  @Test("a delete over an edit of others is for a person, and discarding it brings the record back")
  func deleteOverEdit() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.delete("p-1")
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    #expect(try await clinic.sync().outcome == .needsReview)
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .discard, confirmed: true)
    #expect(await clinic.patient("p-1")?.address.first?.city == "Newtown")
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }
}
