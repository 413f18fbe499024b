import Data
import Domain
import Foundation
import JSON
import MockServer
import TestSupport
import Testing

@Suite("The store's care: another place, another server, and what is dropped")
struct StoreCareTests {
  private func alter(_ clinic: TestClinic, _ sql: String) throws {
    try Connection(path: clinic.directory + "/clinic.sqlite", mode: .readWrite).execute(sql)
  }

  private func edited() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    return clinic
  }

  @Test("a store whose server moved is not opened before someone says so, and then reads before it sends")
  func otherServer() async throws {
    let clinic = try await edited()
    try alter(clinic, "UPDATE meta SET value = 'https://old.example/fhir' WHERE key = 'server'")
    let refused = await #expect(throws: AppError.self) { _ = try await clinic.reopened() }
    #expect(refused?.code == .storeMismatch && refused?.hint?.contains("store adopt") == true)
    let asked = await #expect(throws: AppError.self) { try await clinic.data.stores.adopt(confirmed: false) }
    #expect(asked?.code == .needsConfirmation && asked?.message.contains("https://old.example/fhir") == true)
    try await clinic.data.stores.adopt(confirmed: true)
    let adopted = try await clinic.reopened()
    // There, somebody has set another phone since.
    adopted.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    #expect(try await adopted.sync().outcome == .needsReview)
    #expect(adopted.model.resource("Patient", "p-1")?.phone == "3")
    await adopted.remove()
  }

  @Test("a moved store has all it had; its old place names the new one and begins nothing")
  func moved() async throws {
    let clinic = try await edited()
    let target = clinic.directory + "-moved"
    #expect(try await clinic.data.stores.move(to: target) == StoreMove(directory: target, unsent: 1))
    let gone = await #expect(throws: AppError.self) { _ = try await clinic.reopened() }
    #expect(gone?.code == .storeUnavailable && gone?.message.contains(target) == true)
    #expect(!FileManager.default.fileExists(atPath: clinic.directory + "/clinic.sqlite"))
    let there = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: target)
    #expect(await there.outbox().count == 1)
    #expect(try await there.data.stores.check().problems == [])
    let back = try await there.data.stores.move(to: clinic.directory)
    #expect(back.unsent == 1)
    #expect(await (try await clinic.reopened()).outbox().count == 1)
    await there.remove()
    await clinic.remove()
  }

  @Test(
    "a store is not moved onto another, nor from under somebody who works or syncs",
    arguments: ["store", "open", "sync"])
  func notMoved(obstacle: String) async throws {
    let clinic = try await edited()
    let other = try await TestClinic.open(
      transport: clinic.transport, world: clinic.world, directory: obstacle == "store" ? nil : clinic.directory)
    #expect(await other.outbox().count == (obstacle == "store" ? 0 : 1))
    var lock: SyncLock?
    if obstacle == "sync" {
      await other.data.close()
      lock = try SyncLock.take(clinic.directory + "/sync.lock", note: "process 1")
    }
    let target = obstacle == "store" ? other.directory : clinic.directory + "-moved"
    let error = await #expect(throws: AppError.self) { _ = try await clinic.data.stores.move(to: target) }
    #expect(error?.code == ["store": .invalidInput, "open": .storeUnavailable][obstacle, default: .syncRunning])
    lock?.release()
    await other.data.close()
    #expect(await clinic.outbox().count == 1)
    if obstacle == "store" { await other.remove() }
    await clinic.remove()
  }

  @Test("a copy beside the original is read and written, and sends nothing before someone says so")
  func copied() async throws {
    let original = try await edited()
    await original.data.close()
    let place = original.directory + "-copy"
    try FileManager.default.copyItem(atPath: original.directory, toPath: place)
    let copy = try await TestClinic.open(transport: original.transport, world: original.world, directory: place)
    let refused = await #expect(throws: AppError.self) { _ = try await copy.sync() }
    #expect(refused?.code == .storeMismatch && refused?.message.hasSuffix("where the same writes may be sent") == true)
    #expect(await copy.data.stores.diagnose().first { $0.subject == "identity" }?.verdict == .fault)
    #expect(copy.model.resource("Patient", "p-1")?.phone == "1")
    // The original sends, also after the copy was opened.
    let again = try await TestClinic.open(
      transport: original.transport, world: original.world, directory: original.directory)
    #expect(try await again.sync().outcome == .complete)
    let asked = await #expect(throws: AppError.self) { try await copy.data.stores.adopt(confirmed: false) }
    #expect(asked?.code == .needsConfirmation && asked?.message.contains("let this copy send") == true)
    try await copy.data.stores.adopt(confirmed: true)
    #expect(try await copy.sync().outcome == .complete)
    await copy.remove()
    await again.remove()
  }

  /// What may happen to a store's folder on one machine, and whether the store sends afterwards.
  enum Handling: String, CaseIterable, Sendable {
    case renamed, putBack, restoredHere
    case copiedAndGone, restoredElsewhere, swapped

    var isCopy: Bool { [.copiedAndGone, .restoredElsewhere, .swapped].contains(self) }
  }

  @Test(
    "what is renamed or put back is the store; what is another file elsewhere is a copy", arguments: Handling.allCases)
  func handled(_ handling: Handling) async throws {
    let clinic = try await edited()
    let (here, elsewhere) = (clinic.directory, clinic.directory + "-elsewhere")
    let files = FileManager.default
    let backup = here + "-backup.sqlite"
    _ = try await clinic.data.stores.backup(to: backup, replaces: false)
    await clinic.data.close()
    switch handling {
    case .renamed: try files.moveItem(atPath: here, toPath: elsewhere)
    case .putBack:
      try files.copyItem(atPath: here, toPath: elsewhere)
      try files.removeItem(atPath: here)
      try files.moveItem(atPath: elsewhere, toPath: here)
    case .copiedAndGone:
      try files.copyItem(atPath: here, toPath: elsewhere)
      try files.removeItem(atPath: here)
    case .swapped:
      try files.moveItem(atPath: here, toPath: elsewhere)
      try files.copyItem(atPath: elsewhere, toPath: here)
    case .restoredHere, .restoredElsewhere:
      let place = handling == .restoredHere ? here : elsewhere
      let target = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: place)
      let restored = try await target.data.stores.restore(from: backup, confirmed: true)
      #expect(restored.isFromElsewhere == handling.isCopy)
      await target.data.close()
    }
    let isHere = [.putBack, .restoredHere].contains(handling)
    let used = try await TestClinic.open(
      transport: clinic.transport, world: clinic.world, directory: isHere ? here : elsewhere)
    if handling.isCopy {
      await #expect { _ = try await used.sync() } throws: { ($0 as? AppError)?.code == .storeMismatch }
    } else {
      #expect(try await used.sync().outcome == .complete)
    }
    await used.remove()
    for path in [here, elsewhere, backup] { try? files.removeItem(atPath: path) }
  }

  private static let otherDisk = "/dev/shm"

  private static var hasOtherDisk: Bool {
    var (one, other) = (stat(), stat())
    return stat(FileManager.default.temporaryDirectory.path, &one) == 0 && stat(otherDisk, &other) == 0
      && one.st_dev != other.st_dev && access(otherDisk, W_OK) == 0
  }

  @Test("a store that is moved to another disk is another file there, and no copy", .enabled(if: hasOtherDisk))
  func movedToAnotherDisk() async throws {
    let clinic = try await edited()
    let target = Self.otherDisk + "/clinic-moved-" + clinic.directory.suffix(12)
    #expect(try await clinic.data.stores.move(to: target).unsent == 1)
    let there = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: target)
    #expect(try await there.sync().outcome == .complete)
    #expect(there.model.resource("Patient", "p-1")?.phone == "2")
    await there.remove()
    try FileManager.default.removeItem(atPath: clinic.directory)
  }

  /// A store in which some records left the scope of their type: as if the clinic had narrowed it.
  private func narrowed() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    for id in ["p-1", "p-2", "p-3", "p-4", "p-5"] { clinic.serverPatient(id, phone: "1") }
    for id in ["p-3", "p-5"] {
      clinic.put([
        "resourceType": "Observation", "id": .string("o-\(id)"), "status": "final", "code": ["text": "Pulse"],
        "subject": ["reference": .string("Patient/\(id)")], "effectiveDateTime": "2026-11-01",
      ])
    }
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-2")
    try alter(
      clinic,
      "DELETE FROM scope_member WHERE type = 'Patient' AND id != 'p-1' OR type = 'Observation' AND id != 'o-p-3'")
    try await clinic.data.patients.markOpened("p-5")
    return clinic
  }

  @Test("what left the scopes is dropped, but for what is unsent, was opened, or is referred to by what stays")
  func pruned() async throws {
    let clinic = try await narrowed()
    let asked = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.prune(keepingOpened: 1, confirmed: false)
    }
    #expect(asked?.code == .needsConfirmation && asked?.message.contains("drop 1 of 7 records") == true)
    let pruning = try await clinic.data.stores.prune(keepingOpened: 1, confirmed: true)
    #expect(pruning == StorePruning(dropped: [StorePruning.TypeCount(type: "Patient", count: 1)], kept: 6))
    #expect(await clinic.patient("p-4") == nil)
    for id in ["p-1", "p-2", "p-3", "p-5"] { #expect(await clinic.patient(Patient.ID(id)) != nil, "\(id)") }
    #expect(try await clinic.data.stores.check().problems == [])
    #expect(try await clinic.data.stores.prune(keepingOpened: 1, confirmed: false).count == 0)
    let later = try await clinic.data.stores.prune(keepingOpened: 0, confirmed: true)
    #expect(later.dropped.map(\.type) == ["Observation", "Patient"])
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-2")?.phone == "2")
    await clinic.remove()
  }

  @Test("nothing is dropped while a sync runs")
  func prunedWhileSyncing() async throws {
    let clinic = try await narrowed()
    let lock = try SyncLock.take(clinic.directory + "/sync.lock", note: "process 1")
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.stores.prune(keepingOpened: 0, confirmed: true)
    }
    #expect(error?.code == .syncRunning)
    lock.release()
    await clinic.remove()
  }
}
