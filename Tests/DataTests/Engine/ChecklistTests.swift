@testable import Data
import Domain
import JSON
import MockServer
import Synchronization
import TestSupport
import Testing

@Suite("What other engines have lost, doubled or left waiting", .timeLimit(.minutes(10)))
struct ChecklistTests {
  @Test("attempts run out in review, never in a deletion, and a person can let the write go again")
  func attempts() async throws {
    let clinic = try await TestClinic.open()
    let id = try await clinic.register(family: "Ferrow")
    clinic.model.add(MockFault.status(503, method: "PUT", times: nil))
    var syncs = 0
    while await clinic.review().isEmpty, syncs < 40 {
      try await clinic.sync()
      syncs += 1
    }
    #expect(await clinic.review().map(\.kind) == [.unresolved] && syncs == Backoff.maximumAttempts)
    #expect(await clinic.patient(id)?.displayName == "Ferrow")
    clinic.model.removeFaults()
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete && clinic.model.resources("Patient").count == 1)
    await clinic.remove()
  }

  @Test(
    "a write that was tried again and again for a month goes to a person; one that only waited for a network does not")
  func age() async throws {
    let clinic = try await TestClinic.open()
    _ = try await clinic.register(family: "Tried")
    clinic.transport.isDown = true
    for _ in 0..<5 {
      try await clinic.sync()
      clinic.world.advance(seconds: 10 * 86_400)
    }
    #expect(await clinic.review().isEmpty)
    clinic.transport.isDown = false
    clinic.model.add(MockFault.status(503, method: "PUT", times: nil))
    for _ in 0..<3 { try await clinic.sync() }
    #expect(await clinic.review().map(\.kind) == [.unresolved])
    #expect(await clinic.outbox().count == 1)
    await clinic.remove()
  }

  @Test("records that refer to each other are sent without a circle", arguments: ServerKind.allCases)
  func circle(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    let one = try await clinic.register(family: "One")
    let two = try await clinic.register(family: "Two")
    for (from, to) in [(one, two), (two, one)] {
      _ = try await clinic.data.patients.edit(from) { patient in
        patient.link = [Patient.Link(other: Reference(to.key), type: .known(.seeAlso))]
      }
    }
    #expect(try await clinic.sync().outcome == .complete)
    let links = clinic.model.resources("Patient").map { document in
      (document["id"]?.string ?? "", document["link"]?[0]?["other"]?["reference"]?.string ?? "")
    }
    #expect(links.count == 2 && links[0].1 == "Patient/\(links[1].0)" && links[1].1 == "Patient/\(links[0].0)")
    await clinic.remove()
  }

  @Test("what was deleted here cannot be edited, nor deleted again")
  func afterDelete() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.delete("p-1")
    await #expect(throws: AppError.self) { try await clinic.setPhone("2", of: "p-1") }
    await #expect(throws: AppError.self) { try await clinic.delete("p-1") }
    #expect(await clinic.outbox().count == 1)
    await clinic.remove()
  }

  @Test("a record that was made, sent and deleted stays gone when a page still lists it", arguments: [0, 10])
  func deletedStaysGone(lag: Int) async throws {
    var profile = MockProfile.noHistory
    profile.searchLagSeconds = lag
    let clinic = try await TestClinic.open(profile: profile)
    let id = try await clinic.register(family: "Ferrow")
    try await clinic.sync()
    clinic.world.advance(seconds: 1)
    try await clinic.delete(id)
    try await clinic.sync()
    #expect(await clinic.patient(id) == nil)
    clinic.world.advance(seconds: 60)
    try await clinic.sync()
    #expect(await clinic.patient(id) == nil && clinic.model.resources("Patient").isEmpty)
    await clinic.remove()
  }

  @Test("an edit made while the answer to an earlier one arrives is not taken for sent", arguments: ServerKind.allCases)
  func editDuringAnswer(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let (data, transport) = try await clinic.detouring()
    let isFirst = Mutex(true)
    transport.beforeAnswers { line in
      guard line.hasPrefix("PUT"), isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      _ = try? await data.patients.edit("p-1") { $0.telecom[0].value = "3" }
    }
    let report = try await data.sync.sync(SyncOptions(), progress: { _ in })
    #expect(report.outcome == .complete, "\(report)")
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "3")
    #expect(clinic.model.log.count == 2)
    await data.close()
    await clinic.remove()
  }

  @Test(
    "a server without room keeps parent and child waiting, in order, and loses neither", arguments: [507, 423, 503])
  func noRoom(status: Int) async throws {
    let clinic = try await TestClinic.open()
    let patient = try await clinic.register(family: "Ferrow")
    _ = try await clinic.book(patient)
    clinic.model.add(MockFault.status(status, method: "PUT", times: 3))
    clinic.model.add(MockFault.status(status, method: "POST", times: 1))
    for _ in 0..<5 { try await clinic.sync() }
    if status == 423 {
      // A lock is a refusal that a person may lift: both stay until then.
      #expect(await clinic.outbox().count == 2 && clinic.model.log.isEmpty)
      for item in await clinic.review() {
        _ = try await clinic.data.review.decide(item.number, .retry, confirmed: true)
      }
      clinic.model.removeFaults()
      try await clinic.sync()
    }
    #expect(clinic.model.log.map(\.type) == ["Patient", "Appointment"])
    #expect(await clinic.outbox().isEmpty)
    await clinic.remove()
  }

  @Test("a write that fails holds up no reader, and the next write goes")
  func failingWrite() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    let started = Latch()
    let unseen = Counter(10)
    let patients = clinic.data.patients
    let readers = (0..<10).map { _ in
      Task { () -> Bool in
        for await snapshot in patients.patient("p-1", policy: .localOnly) {
          if unseen.decrement() == 0 { started.open() }
          if snapshot.value?.telecom.first?.value == "2" { return true }
        }
        return false
      }
    }
    await started.wait()
    await #expect(throws: AppError.self) {
      _ = try await clinic.data.patients.edit("p-1") { _ throws(AppError) in throw AppError(.invalidInput, "no") }
    }
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "1")
    try await clinic.setPhone("2", of: "p-1")
    for reader in readers { #expect(await reader.value) }
    await clinic.remove()
  }

  @Test("what another process writes reaches a reader here")
  func foreignCommit() async throws {
    let first = try await TestClinic.open()
    first.serverPatient("p-1")
    try await first.sync()
    let second = try await TestClinic.open(transport: first.transport, world: first.world, directory: first.directory)
    let watch = ForeignCommitWatch(store: first.data.store)
    let watching = Task { await watch.run() }
    let started = Latch()
    let reader = Task {
      for await snapshot in first.data.patients.patient("p-1", policy: .localOnly) {
        started.open()
        if snapshot.value?.telecom.first?.value == "2" { return }
      }
    }
    await started.wait()
    try await second.setPhone("2", of: "p-1")
    await reader.value
    watching.cancel()
    await watching.value
    await second.data.close()
    await first.remove()
  }

  @Test("a decision is on record: who, when, what, and both values")
  func decisionsAreKept() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .keepTheirs, confirmed: true)
    let kept = try await clinic.data.store.read { transaction throws(AppError) in
      try transaction.first("SELECT decision, decided IS NOT NULL, decided_by, details FROM review") {
        row throws(SQLiteError) in
        (row.text(0), row.flag(1), row.text(2), String(decoding: row.blob(3), as: UTF8.self))
      }
    }
    let record = try #require(kept)
    #expect(record.0 == ReviewDecision.keepTheirs.word && record.1 && record.2.contains("nora"))
    #expect(record.3.contains(#""mine""#) && record.3.contains(#""theirs""#) && record.3.contains(#""3""#))
    await clinic.remove()
  }
}
