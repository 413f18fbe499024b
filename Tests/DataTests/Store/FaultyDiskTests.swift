import Data
import Domain
import Foundation
import JSON
import MockServer
import TestSupport
import Testing

/// A day whose disk fails, at each of its writes in turn.
@Suite("Store: a disk that fails or loses power at any write")
struct FaultyDiskTests {
  /// A short day, and what of it was acknowledged.
  private final class Day {
    let disk = FaultyDisk()
    let mount: String
    // What a power cut leaves stands in a folder of its own, and is the store.
    let world = VirtualWorld(knowsPlaces: false)
    let transport: ModelTransport
    var directory = FileManager.default.temporaryDirectory.path + "/clinic-disk-" + UUID().uuidString
    var clinic: TestClinic?
    /// The phones that p-1 may have: the last one that was acknowledged, and later ones that failed.
    var phones: [String] = ["0"]
    var families: Set<String> = []
    var failures: [AppError] = []

    init() {
      mount = disk.mount()
      transport = ModelTransport(
        MockModel(profile: .serverIds, clock: MockClock(milliseconds: world.now), baseURL: ModelTransport.base),
        world: world)
      transport.model.load([
        ["resourceType": "Patient", "id": "p-1", "telecom": [["system": "phone", "use": "home", "value": "0"]]]
      ])
    }

    func play() async {
      await attempt { _ in }
      await attempt { try await $0.sync() }
      await edit("1")
      await attempt { clinic in
        _ = try await clinic.register(family: "Ferrow")
        self.families.insert("Ferrow")
      }
      await attempt { try await $0.sync() }
      await edit("2")
      await attempt { _ = try await $0.data.store.checkpoint() }
      await edit("3")
      await attempt { try await $0.sync() }
      await clinic?.data.close()
      clinic = nil
    }

    private func edit(_ phone: String) async {
      phones.append(phone)
      await attempt { clinic in
        try await clinic.setPhone(phone, of: "p-1")
        self.phones = [phone]
      }
    }

    private func attempt(_ body: (TestClinic) async throws -> Void) async {
      do {
        if clinic == nil { clinic = try await open() }
        if let clinic { try await body(clinic) }
      } catch {
        failures.append(error as? AppError ?? AppError(.internalFault, "\(error)"))
      }
    }

    func open() async throws -> TestClinic {
      let mount = mount
      return try await TestClinic.open(transport: transport, world: world, directory: directory) { $0.vfs = mount }
    }

    /// What must hold once the disk is sound again. Gives what does not.
    func problems() async throws -> [String] {
      disk.heal(mount)
      let clinic = try await open()
      var problems = try await clinic.data.stores.check().problems
      let here = await clinic.patient("p-1")?.telecom.first?.value
      if let here, !phones.contains(here) { problems.append("the phone is \(here), not one of \(phones)") }
      if here == nil, phones[0] != "0" { problems.append("the patient is gone") }
      for round in 0..<4 {
        let isDone = await clinic.outbox().isEmpty
        if round > 0, isDone { break }
        world.advance(seconds: 3_600)
        let outcome = try await clinic.sync().outcome
        if outcome != .complete, round == 3 { problems.append("a sync ends with \(outcome)") }
      }
      let there = transport.model.resource("Patient", "p-1")?.phone ?? "-"
      let now = await clinic.patient("p-1")?.telecom.first?.value
      if !phones.contains(there) || now != there {
        problems.append("the server has \(there), not one of \(phones)")
      }
      let made = transport.model.resources("Patient").filter { $0["id"] != "p-1" }
      if made.count > 1 || made.isEmpty && families.contains("Ferrow") { problems.append("made: \(made.count)") }
      if !(await clinic.outbox()).isEmpty { problems.append("something is unsent") }
      await clinic.data.close()
      return problems
    }

    func remove() { try? FileManager.default.removeItem(atPath: directory) }
  }

  /// On which of a day's writes, or reads, a fault is tried: on each, as `CLINIC_TEST_SCALE` asks for, or on ten from the
  /// first part of the day to the last, other ones for each fault.
  private static func points(of total: Int, _ fault: FaultyDisk.Fault, _ count: Int?) -> [Int] {
    guard ProcessInfo.processInfo.environment["CLINIC_TEST_SCALE"] == nil else { return Array(1...total) }
    let shift = Int(fault.rawValue) * 2 + (count ?? 0)
    return (0..<10).map { part in 1 + (part * total / 10 + shift) % total }
  }

  /// What may go wrong, for how long, and what the user is told.
  private static let faults: [(FaultyDisk.Fault, Int?, Set<AppError.Code>)] = [
    (.full, 1, [.storeFull]), (.full, nil, [.storeFull]), (.short, 1, [.storeFull]),
    (.broken, 1, [.storeUnavailable]), (.broken, nil, [.storeUnavailable]), (.readOnly, nil, [.storeUnavailable]),
    (.unreadable, 3, [.storeUnavailable]),
  ]

  @Test("no write is lost or doubled, whichever write fails, and the message says what to do", arguments: faults)
  func failing(fault: FaultyDisk.Fault, count: Int?, codes: Set<AppError.Code>) async throws {
    let sound = Day()
    await sound.play()
    let total = fault == .unreadable ? sound.disk.reads(on: sound.mount) : sound.disk.changes(on: sound.mount)
    sound.remove()
    #expect(sound.failures == [] && total > 100)
    var met = 0
    for first in Self.points(of: total, fault, count) {
      let day = Day()
      day.disk.plan(fault, on: day.mount, first: first, count: count)
      await day.play()
      met += day.failures.isEmpty ? 0 : 1
      // What could not be received is not known.
      let strange = day.failures.filter { !codes.contains($0.code) && $0.code != .notFound }
      #expect(strange == [], "\(fault) at \(first)")
      let problems = try await day.problems()
      #expect(problems == [], "\(fault) at \(first)")
      day.remove()
      if !problems.isEmpty || !strange.isEmpty { break }
    }
    #expect(met > 3)
  }

  @Test(
    "what was acknowledged survives a power cut at any write, whatever the disk keeps of the rest", arguments: [1, 2])
  func powerCut(seed: Int) async throws {
    var first = seed
    while first < 2_000 {
      let day = Day()
      day.disk.plan(.dead, on: day.mount, first: first)
      await day.play()
      if day.disk.changes(on: day.mount) < first { return day.remove() }
      let other = day.directory + "-cut"
      day.disk.cut(from: day.directory, to: other, seed: UInt64(first * 31 + seed))
      // What was written before the power went is on the disk, or it was never acknowledged.
      try? FileManager.default.copyItem(atPath: day.directory + "/clinic.mark", toPath: other + "/clinic.mark")
      day.remove()
      day.directory = other
      let problems = try await day.problems()
      #expect(problems == [], "cut at \(first)")
      day.remove()
      if !problems.isEmpty { return }
      first += 2
    }
  }
}
