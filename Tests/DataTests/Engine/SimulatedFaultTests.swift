import Data
import Domain
import JSON
import MockServer
import Synchronization
import TestSupport
import Testing

/// What the simulation found, each as the shortest story that showed it.
@Suite("Faults that the simulation found")
struct SimulatedFaultTests {
  private func phone(_ value: String) -> JSONValue { [["system": "phone", "use": "home", "value": .string(value)]] }

  @Test("a note that replaces an unsent one is in the record, and the record stays valid")
  func replacedNote() async throws {
    let clinic = try await TestClinic.open()
    clinic.put(["resourceType": "Observation", "id": "o-1", "status": "final", "code": ["text": "Pulse"]])
    try await clinic.sync()
    for text in ["one", "two"] {
      _ = try await clinic.data.observations.edit("o-1") { $0.note = [Annotation(text: text)] }
    }
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Observation", "o-1")?["note"] == [["text": "two"]])
    await clinic.remove()
  }

  @Test("a store is sound to SQLite's own check")
  func integrity() async throws {
    let clinic = try await TestClinic.open(profile: .serverIds)
    _ = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    #expect(try await clinic.data.store.integrityErrors() == [])
    await clinic.remove()
  }

  @Test("a decision about what was shown before the server moved again finds nothing to decide")
  func overtakenItem() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = phone("3") }
    try await clinic.sync()
    let shown = try #require(await clinic.review().first)
    clinic.change("Patient", "p-1") { $0["telecom"] = phone("4") }
    try await clinic.sync()
    await #expect(throws: AppError.self) {
      try await clinic.data.review.decide(shown.number, .keepMine, confirmed: true)
    }
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "4")
    let now = try #require(await clinic.review().first)
    #expect(now.elements.allSatisfy { $0.theirs?.json.contains("4") ?? false })
    await clinic.remove()
  }

  @Test("a refused edit that is sent again does not take back what others wrote meanwhile")
  func retriedRefusal() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    try await clinic.sync()
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    try await clinic.sync()
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    let document = try #require(clinic.model.resource("Patient", "p-1"))
    #expect([document.phone, document["address"]?[0]?["city"]?.string] == ["2", "Newtown"])
    await clinic.remove()
  }

  @Test("when an edit falls in a conflict, the edit behind it is compared with what the server has")
  func behindConflict() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let other = try await clinic.reopened { $0.author = .operatingSystemUser("omar") }
    try await other.setPhone("3", of: "p-1")
    other.change("Patient", "p-1") { $0["telecom"] = phone("9") }
    try await other.sync()
    let item = try #require(await other.review().first)
    _ = try await other.data.review.decide(item.number, .keepTheirs, confirmed: true)
    #expect(await other.review().map(\.kind) == [.conflict])
    try await other.sync()
    #expect(other.model.resource("Patient", "p-1")?.phone == "9")
    await other.remove()
  }

  @Test("when a refused edit is discarded, the edit behind it is compared with what the server has by now")
  func behindRefusal() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    try await clinic.sync()
    let other = try await clinic.reopened { $0.author = .operatingSystemUser("omar") }
    try await other.setPhone("3", of: "p-1")
    other.change("Patient", "p-1") { $0["telecom"] = phone("9") }
    try await other.sync()
    let item = try #require(await other.review().first)
    #expect(item.kind == .refusal)
    _ = try await other.data.review.decide(item.number, .discard, confirmed: true)
    #expect(await other.review().map(\.kind) == [.conflict])
    try await other.sync()
    #expect(other.model.resource("Patient", "p-1")?.phone == "9")
    await other.remove()
  }

  @Test("when theirs is kept, a later edit that waits for a person shows also what it would now overwrite")
  func behindConflictInReview() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let other = try await clinic.reopened { $0.author = .operatingSystemUser("omar") }
    _ = try await other.data.patients.edit("p-1") { patient in
      patient.telecom[0].value = "3"
      patient.name[0].family = "Here"
    }
    other.change("Patient", "p-1") { document in
      document["telecom"] = phone("9")
      document["name"] = [["family": "There"]]
    }
    try await other.sync()
    let first = try #require(await other.review().first)
    _ = try await other.data.review.decide(first.number, .keepTheirs, confirmed: true)
    let second = try #require(await other.review().first)
    #expect(second.elements.contains { $0.theirs?.json.contains("9") ?? false })
    await other.remove()
  }

  @Test("records that were gone before we ever knew them leave nothing behind")
  func goneBefore() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    clinic.delete("Patient", "p-1")
    try await clinic.sync()
    let connection = try Connection(path: clinic.directory + "/clinic.sqlite", mode: .readOnly)
    let rows = try connection.first("SELECT count(*) FROM scope_member") { row throws(SQLiteError) in row.integer(0) }
    #expect(rows == 0)
    await clinic.remove()
  }

  @Test("what others made while a pass lay cut is not missed when it goes on")
  func madeDuringCut() async throws {
    var profile = MockProfile.noHistory
    profile.largestPage = 2
    let clinic = try await TestClinic.open(profile: profile)
    func wait(_ seconds: Int64) {
      clinic.world.advance(seconds: seconds)
      clinic.model.clock = MockClock(milliseconds: clinic.world.now, stepMilliseconds: 0)
    }
    for number in 1...3 { clinic.serverPatient("p-\(number)") }
    try await clinic.sync()
    wait(600)
    for number in 1...3 { clinic.change("Patient", "p-\(number)") { $0["telecom"] = phone("2") } }
    clinic.transport.plan(.loseRequest, path: "_page")
    try await clinic.sync()
    clinic.serverPatient("p-9", phone: "9")
    wait(3_600)
    clinic.change("Patient", "p-3") { $0["telecom"] = phone("3") }
    for _ in 1...2 {
      wait(60)
      try await clinic.sync()
    }
    #expect(await clinic.patient("p-9")?.telecom.first?.value == "9")
    await clinic.remove()
  }

  @Test("a server that cannot tell just now what it can do is asked again", arguments: [408, 425, 429, 503])
  func capabilitiesLater(status: Int) async throws {
    let clinic = try await TestClinic.open()
    clinic.model.add(MockFault.status(status, method: "GET", path: "metadata", times: 1))
    #expect(try await clinic.sync().outcome != .complete)
    clinic.transport.forgetSent()
    clinic.world.advance(seconds: 60)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.transport.sent.contains { $0.hasSuffix("metadata") })
    await clinic.remove()
  }

  @Test("a clock that is set back while a sync waits does not make the wait longer")
  func clockSetBackInWait() async throws {
    let clinic = try await TestClinic.open(profile: .serverIds)
    _ = try await clinic.register(family: "Ferrow")
    clinic.transport.plan(.loseAnswer, method: "POST")
    // The search may lag: the sync waits, and meanwhile somebody sets the clock.
    clinic.world.beforeNextSleep { [world = clinic.world] in world.turnClock(seconds: -3_600) }
    let start = clinic.world.effects.timer.now()
    try await clinic.sync(pulls: false)
    #expect(clinic.world.effects.timer.now() - start < .seconds(60))
    await clinic.remove()
  }

  @Test("an update that cannot be compared just now is not sent", arguments: [500, 503, 429])
  func noComparison(status: Int) async throws {
    let clinic = try await TestClinic.open(profile: .poor)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    clinic.model.add(MockFault.status(status, method: "GET", path: "Patient/p-1", times: 1))
    clinic.transport.forgetSent()
    try await clinic.sync(pulls: false)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } == 0)
    await clinic.remove()
  }

  @Test("a search that lags behind an accepted write does not take it back")
  func laggingList() async throws {
    var profile = MockProfile.noHistory
    profile.searchLagSeconds = 10
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    clinic.world.advance(seconds: 60)
    try await clinic.setPhone("2", of: "p-1")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    await clinic.remove()
  }

  @Test("a clock that is set back while the server takes its time to say \"not now\" makes no silence longer")
  func setBackDuringAnswer() async throws {
    let clinic = try await TestClinic.open()
    clinic.model.add(MockFault.status(503, times: 1, headers: ["Retry-After": "20"]))
    let world = clinic.world
    let isFirst = Mutex(true)
    clinic.transport.whenAnswered { _ in
      guard isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      world.turnClock(seconds: -400 * 86_400)
    }
    #expect(try await clinic.sync().outcome != .complete)
    clinic.world.advance(seconds: 21)
    #expect(try await clinic.sync().outcome == .complete)
    await clinic.remove()
  }

  @Test("a clock that is set back does not make a short silence long")
  func clockSetBack() async throws {
    let clinic = try await TestClinic.open()
    clinic.model.add(MockFault.status(503, times: 1, headers: ["Retry-After": "20"]))
    try await clinic.sync()
    clinic.world.turnClock(seconds: -3_600)
    clinic.model.add(MockFault.status(503, times: 1, headers: ["Retry-After": "20"]))
    try await clinic.sync()
    clinic.world.advance(seconds: 30)
    #expect(try await clinic.sync().outcome == .complete)
    await clinic.remove()
  }
}
