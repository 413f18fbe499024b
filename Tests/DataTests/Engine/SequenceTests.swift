import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Sequences in which writes were lost or doubled elsewhere")
struct SequenceTests {
  @Test(
    "what the server adds to a create without telling survives the next edit, also when a pull comes in between",
    arguments: [true, false])
  func addedIdentifier(pulls: Bool) async throws {
    var profile = MockProfile.standard
    profile.addsIdentifier = true
    let clinic = try await TestClinic.open(profile: profile)
    clinic.transport.bodiless = true
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    try await clinic.sync(pulls: pulls)
    try await clinic.setPhone("2", of: id)
    #expect(try await clinic.sync(pulls: pulls).outcome == .complete)
    let document = try #require(clinic.model.resources("Patient").first)
    #expect(document.phone == "2")
    #expect(document["identifier"]?.array?.isEmpty == false)
    await clinic.remove()
  }

  @Test(
    "a clinic whose server was restored from a backup goes on, and what the server lost is offered again",
    arguments: ServerKind.allCases)
  func restoredServer(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    clinic.model.snapshot()
    clinic.world.advance(seconds: 40_000)
    try await clinic.setPhone("2", of: "p-1")
    #expect(try await clinic.sync().outcome == .complete)
    clinic.world.advance(seconds: 40_000)
    #expect(clinic.model.restore())
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "1")
    _ = try await clinic.data.patients.edit("p-1") { $0.address = [Address(city: "Newtown")] }
    clinic.transport.forgetSent()
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } <= 2)
    let document = try #require(clinic.model.resource("Patient", "p-1"))
    #expect(document["address"]?[0]?["city"] == "Newtown")
    #expect(document.phone == "1")
    let item = try #require(await clinic.review().first)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "2")
    await clinic.remove()
  }

  @Test(
    "once a server shows that it was restored, all that it may have lost is read, and offered again through review",
    arguments: ServerKind.allCases)
  func lostRecords(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    for name in ["p-1", "p-2", "p-3"] { clinic.serverPatient(name, family: "Ferrow", phone: "1") }
    try await clinic.sync()
    clinic.model.snapshot()
    clinic.world.advance(seconds: 40_000)
    for name in ["p-1", "p-2"] { try await clinic.setPhone("2", of: Patient.ID(name)) }
    let made = try await clinic.register(family: "Ferrow", phone: "3")
    #expect(try await clinic.sync().outcome == .complete)
    clinic.world.advance(seconds: 40_000)
    #expect(clinic.model.restore())
    // One of them is touched; of the others nobody here has thought since.
    _ = try await clinic.data.patients.edit("p-1") { $0.address = [Address(city: "Newtown")] }
    #expect(try await clinic.sync().outcome == .needsReview)
    let items = await clinic.review()
    #expect(items.map(\.kind.rawValue).sorted() == ["conflict", "conflict", "deleted-remotely"])
    #expect(await clinic.patient(made)?.telecom.first?.value == "3")
    clinic.transport.forgetSent()
    #expect(try await clinic.sync().outcome == .needsReview)
    #expect(clinic.transport.sent.count { $0.hasPrefix("GET /fhir/Patient/") && !$0.contains("_history") } == 0)
    for item in items { _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true) }
    let report = try await clinic.sync()
    #expect(report.outcome == .complete, "\(report)")
    #expect(clinic.model.resources("Patient").compactMap(\.phone).sorted() == ["1", "2", "2", "3"])
    #expect(await clinic.patient(made)?.telecom.first?.value == "3")
    await clinic.remove()
  }

  @Test("a list item appended here that a pull already contains is there once", arguments: ServerKind.allCases)
  func appendedTwice(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    _ = try await clinic.data.patients.edit("p-1") { patient in
      patient.telecom.append(ContactPoint(system: .known(.phone), value: "7", use: .known(.work)))
    }
    clinic.change("Patient", "p-1") { document in
      let item: JSONValue = ["system": "phone", "value": "7", "use": "work"]
      document["telecom"] = .array((document["telecom"]?.array ?? []) + [item])
    }
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?["telecom"]?.array?.count == 2)
    #expect(await clinic.patient("p-1")?.telecom.count == 2)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } <= 1)
    await clinic.remove()
  }

  @Test(
    "an appointment on another's unsent patient waits for its author, and a service sends both in order",
    arguments: [false, true])
  func authors(isService: Bool) async throws {
    let nora = try await TestClinic.open()
    let patient = try await nora.register(family: "Ferrow")
    let omar = try await nora.reopened {
      $0.author = .operatingSystemUser("omar")
      $0.isServiceIdentity = isService
    }
    _ = try await omar.book(patient)
    let report = try await omar.sync()
    if isService {
      #expect(report.outcome == .complete)
      #expect(omar.model.log.map(\.type) == ["Patient", "Appointment"])
    } else {
      #expect(report.outcome == .unfinished)
      #expect(omar.model.log.isEmpty)
      #expect(await omar.outbox().allSatisfy { $0.waitsFor != nil })
      let again = try await omar.reopened()
      // Nora may send her own; what Omar wrote still waits for him.
      _ = try await again.sync()
      #expect(again.model.log.map(\.type) == ["Patient"])
      let omarAgain = try await again.reopened { $0.author = .operatingSystemUser("omar") }
      #expect(try await omarAgain.sync().outcome == .complete)
      #expect(omarAgain.model.log.map(\.type) == ["Patient", "Appointment"])
    }
    await omar.remove()
  }

  @Test("a write that was cancelled before its transaction is not there; one that returned is")
  func cancelledWrites() async throws {
    let clinic = try await TestClinic.open()
    var acknowledged = 0
    for round in 0..<60 {
      let task = Task { try await clinic.register(family: "F\(round)") }
      if round % 3 > 0 { await Task.yield() }
      task.cancel()
      if (try? await task.value) != nil { acknowledged += 1 }
    }
    #expect(await clinic.outbox().count == acknowledged)
    try await clinic.sync()
    #expect(clinic.model.resources("Patient").count == acknowledged)
    await clinic.remove()
  }

  @Test(
    "a claim whose process ended before its first byte stays a claim: it is not squashed, and is made once",
    arguments: ServerKind.allCases)
  func claimWithoutBytes(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    try await clinic.sync()
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    try await clinic.claimAll()
    let again = try await clinic.reopened()
    try await again.setPhone("2", of: id)
    #expect(await again.outbox().map(\.state) == [.sending, .pending])
    #expect(try await again.sync().outcome == .complete)
    #expect(again.model.resources("Patient").map(\.phone) == ["2"])
    await again.remove()
  }

  @Test("a sync that finds another one at work names it and sends nothing")
  func secondSync() async throws {
    let first = try await TestClinic.open()
    let second = try await TestClinic.open(transport: first.transport, world: first.world, directory: first.directory)
    _ = try await first.register(family: "Ferrow")
    let lock = try SyncLock.take(first.data.store.files.lock, note: "process 1")
    await #expect { try await second.sync() } throws: { ($0 as? AppError)?.code == .syncRunning }
    #expect(first.transport.sent == [])
    lock.release()
    #expect(try await second.sync().outcome == .complete)
    #expect(first.model.log.count == 1)
    await second.data.close()
    await first.remove()
  }

  @Test("two programs on one store that sync without end send each write once")
  func twoPrograms() async throws {
    let first = try await TestClinic.open()
    let second = try await TestClinic.open(transport: first.transport, world: first.world, directory: first.directory)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for clinic in [first, second] {
        group.addTask {
          for number in 0..<25 {
            _ = try await clinic.register(family: "F\(number)")
            if number % 5 == 0 { _ = try? await clinic.sync() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await first.sync().outcome == .complete)
    #expect(first.model.log.count == 50)
    #expect(try await second.data.store.integrityErrors() == [])
    await second.data.close()
    await first.remove()
  }
}
