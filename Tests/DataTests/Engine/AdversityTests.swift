import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Adversity: answers, clocks and silence")
struct AdversityTests {
  @Test(
    "a refused token stops the pass, counts nothing, and loses nothing, however often",
    arguments: ["POST", "PUT", "GET"])
  func signIn(method: String) async throws {
    let clinic = try await TestClinic.open(profile: .serverIds)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    _ = try await clinic.register(family: "New")
    clinic.model.add(MockFault.status(401, method: method, times: nil))
    for _ in 0..<20 { #expect(try await clinic.sync().outcome == .signInNeeded) }
    #expect(await clinic.review().isEmpty)
    clinic.model.removeFaults()
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").map(\.phone) == ["2", nil])
    await clinic.remove()
  }

  @Test("a server out of reach is asked once a sync, and nothing is given up", arguments: ServerKind.allCases)
  func unreachable(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    _ = try await clinic.register(family: "A")
    clinic.transport.plan(.blackout, method: "POST")
    clinic.transport.plan(.blackout, method: "PUT")
    for _ in 0..<50 { _ = try await clinic.sync() }
    #expect(await clinic.review().isEmpty)
    clinic.transport.calm()
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test(
    "a record that cannot be read before its update waits; it is not read again and again, nor given up at once",
    arguments: [500, 503, 401, 429])
  func unreadable(status: Int) async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(412, method: "PUT", times: 1))
    clinic.model.add(MockFault.status(status, method: "GET", path: "Patient/p-1", times: nil))
    clinic.transport.forgetSent()
    _ = try await clinic.sync(pulls: false)
    #expect(clinic.transport.sent.count { $0.contains("Patient/p-1") } <= 8)
    #expect(await clinic.review().isEmpty)
    await clinic.remove()
  }

  @Test("an update is not sent blindly when the reading before it fails", arguments: [500, 503, 429])
  func compareFails(status: Int) async throws {
    let clinic = try await TestClinic.open(profile: .poor)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    clinic.model.add(MockFault.status(status, method: "GET", path: "Patient/p-1", times: 1))
    _ = try await clinic.sync(pulls: false)
    clinic.world.advance(seconds: 600)
    _ = try await clinic.sync()
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    #expect(await clinic.review().map(\.kind) == [.conflict])
    await clinic.remove()
  }

  @Test(
    "silence that was asked for is kept over a restart, in both forms, and by every kind of request",
    arguments: [
      "120", "Mon, 30 Nov 2026 10:02:00 GMT",
    ])
  func throttled(retryAfter: String) async throws {
    var clinic = try await TestClinic.open()
    try await clinic.sync()
    _ = try await clinic.register(family: "A")
    _ = try await clinic.register(family: "B")
    let asked = ["Retry-After": retryAfter, "Date": "Mon, 30 Nov 2026 10:00:00 GMT"]
    clinic.model.add(MockFault.status(429, method: "PUT", times: 2, headers: asked))
    let start = clinic.world.now
    let first = try await clinic.sync()
    guard case .throttled(let until) = first.outcome else {
      Issue.record("\(first.outcome)")
      return
    }
    #expect(until.milliseconds - start >= 119_000)
    clinic = try await clinic.reopened()
    clinic.transport.forgetSent()
    _ = try await clinic.sync()
    #expect(clinic.transport.sent == [])
    clinic.world.advance(seconds: 130)
    #expect(try await clinic.sync().outcome == .complete)
    await clinic.remove()
  }

  @Test(
    "a clock that jumps by a day or ten years loses no entry and makes no wait of years",
    arguments: [
      86_400, -86_400, 315_360_000, -315_360_000,
    ] as [Int64])
  func clockJumps(seconds: Int64) async throws {
    let clinic = try await TestClinic.open(profile: .serverIds)
    try await clinic.sync()
    _ = try await clinic.register(family: "A")
    clinic.transport.plan(.loseAnswer, method: "POST")
    clinic.model.add(
      MockFault.status(503, method: "GET", path: "Patient\\?identifier", times: 1, headers: ["Retry-After": "60"]))
    _ = try await clinic.sync(pulls: false)
    clinic.world.turnClock(seconds: seconds)
    _ = try await clinic.register(family: "B")
    clinic.model.add(MockFault.status(429, method: "POST", times: 1, headers: ["Retry-After": "60"]))
    for _ in 0..<6 {
      _ = try await clinic.data.sync.sync(SyncOptions(pulls: false, retriesNow: false), progress: { _ in })
      clinic.world.advance(seconds: 100)
    }
    #expect(await clinic.outbox().isEmpty)
    #expect(clinic.model.resources("Patient").count == 2)
    await clinic.remove()
  }

  @Test(
    "a captive portal settles nothing, and the sync says that it was no FHIR server", arguments: ServerKind.allCases)
  func portal(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    _ = try await clinic.register(family: "New")
    clinic.model.add(MockFault(times: nil, effect: .portal))
    for _ in 0..<3 {
      guard case .unreachable(let error) = try await clinic.sync().outcome, error.code == .notFHIR else {
        Issue.record("not seen")
        return
      }
    }
    #expect(await clinic.outbox().count == 2)
    clinic.model.removeFaults()
    clinic.world.advance(seconds: 600)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    await clinic.remove()
  }

  @Test("a server that shows people a page for its metadata is still one")
  func metadataPage() async throws {
    var profile = MockProfile.serverIds
    profile.metadata = .html
    let clinic = try await TestClinic.open(profile: profile)
    _ = try await clinic.register(family: "New")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test("an answer of 500 after the write took effect makes no second record", arguments: ServerKind.allCases)
  func brokenAfterwards(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    _ = try await clinic.register(family: "New", phone: "1")
    for method in ["POST", "PUT"] {
      clinic.model.add(
        MockFault(method: method, times: 1, effect: .answerAfterwards(status: 500, headers: [:], body: "")))
    }
    for _ in 0..<3 { _ = try await clinic.sync() }
    #expect(await clinic.outbox().isEmpty)
    #expect(clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test("any trouble in any order ends with each write there once", arguments: 0..<24)
  func troubles(seed: UInt64) async throws {
    var random = seed &* 77 &+ 5
    func below(_ bound: UInt64) -> UInt64 { SplitMix.next(&random) % bound }
    let kind = ServerKind.allCases[Int(below(UInt64(ServerKind.allCases.count)))]
    let clinic = try await TestClinic.open(profile: kind.profile, world: VirtualWorld(seed: seed))
    clinic.serverPatient("p-1", phone: "0")
    var written = 0
    var lastPhone = "0"
    for step in 1...12 {
      if below(2) == 0 {
        _ = try await clinic.register(family: "F\(step)")
        written += 1
      }
      if below(2) == 0, await clinic.patient("p-1") != nil {
        lastPhone = String(step)
        try await clinic.setPhone(lastPhone, of: "p-1")
      }
      let trouble: [ModelTransport.Trouble] = [.loseAnswer, .unreachable, .loseRequest, .blackout]
      clinic.transport.plan(trouble[Int(below(4))], method: ["POST", "PUT", "GET"][Int(below(3))])
      _ = try await clinic.sync(pulls: below(2) == 0)
      clinic.transport.isDown = false
      clinic.world.advance(seconds: Int64(below(300)))
    }
    clinic.transport.calm()
    for _ in 0..<4 {
      _ = try await clinic.sync()
      clinic.world.advance(seconds: 300)
    }
    #expect(await clinic.outbox().map(\.state) == [])
    #expect(clinic.model.resources("Patient").count == written + 1)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == lastPhone)
    #expect(try await clinic.unbalanced() == 0)
    await clinic.remove()
  }
}
