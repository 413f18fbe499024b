import Data
import Domain
import Foundation
import JSON
import MockServer
import TestSupport
import Testing

@Suite("The store's care: copies, checks, and what an operator should know")
struct StoreMaintenanceTests {
  /// A clinic with one patient of the server's, edited here, and one that was registered here.
  private func clinic() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    _ = try await clinic.register(family: "New")
    return clinic
  }

  @Test("a copy taken while the store is open is sound, the owner's alone, and holds what is unsent")
  func backup() async throws {
    let clinic = try await clinic()
    let file = clinic.directory + "/copy.sqlite"
    let copy = try await clinic.data.stores.backup(to: file, replaces: false)
    #expect(copy.unsent == 2)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600 && Int(status.st_size) == copy.size)
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.backup(to: file, replaces: false)
    }
    #expect(error?.code == .needsConfirmation)
    _ = try await clinic.data.stores.backup(to: file, replaces: true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: clinic.directory).contains { $0.contains("partial") } == false
    )
    await clinic.remove()
  }

  @Test("a restored copy is the store again, and what it replaced is set aside")
  func restore() async throws {
    let clinic = try await clinic()
    let file = clinic.directory + "/copy.sqlite"
    _ = try await clinic.data.stores.backup(to: file, replaces: false)
    try await clinic.sync()
    #expect(await clinic.outbox().isEmpty)
    let asked = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.restore(from: file, confirmed: false)
    }
    #expect(asked?.code == .needsConfirmation)
    let restored = try await clinic.data.stores.restore(from: file, confirmed: true)
    #expect(restored.unsent == 2)
    #expect(FileManager.default.fileExists(atPath: try #require(restored.setAside)))
    #expect(await clinic.outbox().count == 2)
    // What the copy does not know to be sent already is not made twice.
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    #expect(try await clinic.data.stores.check().problems == [])
    await clinic.remove()
  }

  @Test("a restoration that cannot be is refused, and changes nothing", arguments: ["text", "nothing", "syncing"])
  func refusedRestoration(kind: String) async throws {
    let clinic = try await clinic()
    let file = clinic.directory + "/other"
    if kind == "text" { try "no store".write(toFile: file, atomically: true, encoding: .utf8) }
    var lock: SyncLock?
    if kind == "syncing" {
      _ = try await clinic.data.stores.backup(to: file, replaces: false)
      lock = try SyncLock.take(clinic.directory + "/sync.lock", note: "process 1")
    }
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.restore(from: file, confirmed: true)
    }
    #expect(error?.code == (kind == "syncing" ? .syncRunning : .fileUnreadable))
    lock?.release()
    #expect(await clinic.outbox().count == 2)
    await clinic.remove()
  }

  @Test("a restoration is refused while another process has the store open")
  func restorationWhileOpen() async throws {
    let clinic = try await clinic()
    let file = clinic.directory + "/copy.sqlite"
    _ = try await clinic.data.stores.backup(to: file, replaces: false)
    let other = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: clinic.directory)
    #expect(await other.outbox().count == 2)
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.restore(from: file, confirmed: true)
    }
    #expect(error?.code == .storeUnavailable)
    await other.data.close()
    _ = try await clinic.data.stores.restore(from: file, confirmed: true)
    await clinic.remove()
  }

  @Test("a check finds a record that is not what its edits make it, a wrong count, and an entry without its item")
  func check() async throws {
    let clinic = try await clinic()
    let sound = try await clinic.data.stores.check()
    #expect(sound == StoreCheck(records: 2, entries: 2, problems: []))
    let connection = try Connection(path: clinic.directory + "/clinic.sqlite", mode: .readWrite)
    try connection.execute("UPDATE resource SET view = NULL, pending = 7 WHERE id = 'p-1'")
    try connection.execute("UPDATE outbox SET state = 'review' WHERE type = 'Patient' AND kind = 'create'")
    let problems = try await clinic.data.stores.check().problems
    #expect(problems.count == 4)
    #expect(problems.contains { $0.hasPrefix("Patient/p-1 is not shown") })
    #expect(problems.contains { $0.contains("waits for a decision that no review item asks for") })
    await clinic.remove()
  }

  @Test("a store from another machine is adopted on purpose only, and then sends")
  func adopt() async throws {
    let clinic = try await clinic()
    let own = await #expect(throws: AppError.self) { try await clinic.data.stores.adopt(confirmed: true) }
    #expect(own?.code == .notAllowed)
    let connection = try Connection(path: clinic.directory + "/clinic.sqlite", mode: .readWrite)
    try connection.execute("UPDATE meta SET value = 'elsewhere' WHERE key = 'machine'")
    let refused = await #expect(throws: AppError.self) { _ = try await clinic.sync() }
    #expect(refused?.code == .storeMismatch)
    #expect(await clinic.data.stores.diagnose().first { $0.subject == "identity" }?.verdict == .fault)
    let asked = await #expect(throws: AppError.self) { try await clinic.data.stores.adopt(confirmed: false) }
    #expect(asked?.code == .needsConfirmation)
    try await clinic.data.stores.adopt(confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    await clinic.remove()
  }

  @Test("the doctor tells of everything once, and what the server's abilities lead to")
  func doctor() async throws {
    let clinic = try await clinic()
    let findings = await clinic.data.stores.diagnose()
    #expect(
      findings.map(\.subject) == [
        "store", "libraries", "free space", "permissions", "disk encryption", "identity", "sync", "outbox", "review",
        "server", "clock", "guarantees", "sign-in",
      ])
    #expect(findings.filter { $0.verdict == .fault } == [])
    #expect(findings[0].text.hasSuffix(", sound") && findings[7].text.hasPrefix("2 unsent"))
    await clinic.remove()
  }

  @Test("what is unsent is exported once for each record, as a transaction that the server takes")
  func export() async throws {
    let clinic = try await clinic()
    _ = try await clinic.data.observations.record([
      ClinicalObservation(
        id: "", status: .known(.final), code: CodeableConcept(text: "Pulse"),
        subject: Reference(ResourceKey(type: "Patient", id: "p-1")))
    ])
    let file = clinic.directory + "/unsent.json"
    let export = try await clinic.data.outbox.export(to: file, replaces: false)
    #expect(export == OutboxExport(file: file, records: 3, entries: 3, inReview: 0, ambiguous: 0))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let bundle = try JSONValue(parsing: Array(Foundation.Data(contentsOf: URL(filePath: file))))
    let answer = clinic.model.handle(MockRequest("POST", "/fhir", document: bundle))
    #expect(answer.status == 200)
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "2")
    #expect(clinic.model.resources("Observation").count == 1)
    // The outbox stayed: what the transaction did is found there, and nothing is made twice.
    #expect(await clinic.outbox().count == 3)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2 && clinic.model.resources("Observation").count == 1)
    await clinic.remove()
  }
}
