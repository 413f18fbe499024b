@testable import Data
import Domain
import Foundation
import JSON
import MockServer
import TestSupport
import Testing

/// Stores whose files were cut, emptied, flipped, or put beside others'.
@Suite("Store: damage is reported, set aside and salvaged")
struct DamagedStoreTests {
  /// What happens to the files.
  enum Damage: String, CaseIterable, Sendable {
    case cut, zeroedPage, zeroedHead, flipped, logMissing, logCut, logFlipped, foreignLog, foreignDatabase, empty
  }

  /// A folder with a store: most of it checkpointed, some of it in the log, entries in the outbox.
  private func store(_ name: String = "p") async throws -> TestClinic {
    let world = VirtualWorld(idPrefix: name == "p" ? "00000000" : "11111111")
    let clinic = try await TestClinic.open(profile: .serverIds, world: world)
    for number in 1...60 {
      clinic.serverPatient("\(name)-\(number)", family: "Family-\(number)", phone: "0")
    }
    try await clinic.sync()
    for number in 1...3 { try await clinic.setPhone("1", of: Patient.ID("\(name)-\(number)")) }
    _ = try await clinic.register(family: "First")
    try await clinic.data.store.checkpoint()
    _ = try await clinic.register(family: "Second")
    for number in 4...6 { try await clinic.setPhone("1", of: Patient.ID("\(name)-\(number)")) }
    await clinic.data.close()
    return clinic
  }

  private func harm(_ folder: String, _ damage: Damage, _ random: inout SeededNumbers, foreign: String) throws {
    let (database, log) = (folder + "/clinic.sqlite", folder + "/clinic.sqlite-wal")
    func bytes(_ path: String) throws -> [UInt8] { Array(try Foundation.Data(contentsOf: URL(fileURLWithPath: path))) }
    func put(_ bytes: [UInt8], _ path: String) throws {
      try Foundation.Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    func flip(_ bytes: inout [UInt8], _ count: Int) {
      for _ in 0..<count {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
    }
    try? FileManager.default.removeItem(atPath: database + "-shm")
    var main = try bytes(database)
    var wal = try bytes(log)
    switch damage {
    case .cut: main.removeLast(Int.random(in: 1..<main.count, using: &random))
    case .zeroedPage:
      let page = Int.random(in: 1..<main.count / 4_096, using: &random)
      main.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: [UInt8](repeating: 0, count: 4_096))
    case .zeroedHead: main.replaceSubrange(0..<4_096, with: [UInt8](repeating: 0, count: 4_096))
    case .flipped: flip(&main, Int.random(in: 1...200, using: &random))
    case .logMissing: return try FileManager.default.removeItem(atPath: log)
    case .logCut: wal.removeLast(Int.random(in: 1..<wal.count, using: &random))
    case .logFlipped: flip(&wal, Int.random(in: 1...50, using: &random))
    case .foreignLog: wal = try bytes(foreign + "/clinic.sqlite-wal")
    case .foreignDatabase: main = try bytes(foreign + "/clinic.sqlite")
    case .empty: (main, wal) = ([], [])
    }
    try put(main, database)
    try put(wal, log)
  }

  @Test(
    "a damaged store never crashes the program; it is set aside, what is unsent is saved, and nothing is made twice",
    arguments: Damage.allCases)
  func damaged(damage: Damage) async throws {
    let clinic = try await store()
    let other = try await store("q")
    let written = try await Self.entries(clinic)
    var random = SeededNumbers(UInt64(damage.rawValue.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
    for round in 1...6 {
      let folder = clinic.directory + "-\(round)"
      try FileManager.default.copyItem(atPath: clinic.directory, toPath: folder)
      try harm(folder, damage, &random, foreign: other.directory)
      let label = Comment(rawValue: "\(damage) \(round)")
      var configuration = ClinicData.Configuration(
        directory: folder, server: ModelTransport.base, author: .operatingSystemUser("nora"))
      configuration.requestTimeout = .seconds(5)
      // Reading what is there gives answers or errors.
      let isOpen = try await opens(configuration, clinic)
      let before = Self.files(folder + "/clinic.sqlite")
      let stores = ClinicData.maintenance(configuration)
      let salvage: StoreSalvage
      do throws(AppError) { salvage = try await stores.salvage(confirmed: true) } catch {
        // What does no harm to what is read needs no salvage.
        #expect(error.code == .notAllowed && isOpen, label)
        continue
      }
      if damage != .empty { #expect(Self.files(try #require(salvage.setAside)) == before, label) }
      let saved = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: folder)
      #expect(try await saved.data.stores.check().problems == [], label)
      let left = try await Self.entries(saved)
      // Of two stores in one, nobody can tell whose an entry is: all of them are put to a person.
      let isMixed = damage == .foreignLog || damage == .foreignDatabase
      #expect(left.count == salvage.entries && (isMixed || left.allSatisfy { written[$0.key] == $0.value }), label)
      // A whole outbox is what damage elsewhere leaves.
      if salvage.torn.isEmpty,
        ![.logMissing, .logCut, .logFlipped, .foreignLog, .foreignDatabase, .empty, .cut].contains(damage)
      {
        #expect(left.count == written.count && salvage.doubtful == 0, label)
      }
      await saved.data.close()
      try? FileManager.default.removeItem(atPath: folder)
    }
    await clinic.remove()
    await other.remove()
  }

  /// Whether the store can be opened, read and written; errors must be the store's own.
  private func opens(_ configuration: ClinicData.Configuration, _ clinic: TestClinic) async throws -> Bool {
    do throws(AppError) {
      let data = try await ClinicData.open(configuration, effects: clinic.world.effects, transport: nil)
      _ = await data.patients.patients(matching: PatientQuery(text: "family"), policy: .localOnly).first()
      let check = try? await data.stores.check()
      await data.close()
      return check?.problems == []
    } catch {
      #expect(error.code == .storeCorrupt || error.code == .storeUnavailable, "\(error)")
      return false
    }
  }

  @Test("a store without its log is not taken for the newest")
  func goneBack() async throws {
    let clinic = try await store()
    var random = SeededNumbers(1)
    try harm(clinic.directory, .logMissing, &random, foreign: "")
    let error = await #expect(throws: AppError.self) {
      _ = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: clinic.directory)
    }
    #expect(error?.code == .storeCorrupt)
    await clinic.remove()
  }

  @Test("what was saved is sent once, and what may be at the server is looked for first", arguments: [false, true])
  func sentOnce(loses: Bool) async throws {
    let clinic = try await store()
    // The answer to a create is lost, and then the network: the server has it, and the store does not know.
    if loses {
      let again = try await TestClinic.open(
        transport: clinic.transport, world: clinic.world, directory: clinic.directory)
      again.transport.plan(.blackout, method: "POST")
      try await again.sync(pulls: false)
      again.transport.calm()
      await again.data.close()
    }
    let last = try await TestClinic.open(transport: clinic.transport, world: clinic.world, directory: clinic.directory)
    try await last.data.store.checkpoint()
    await last.data.close()
    // All of it is in the database: its log is not needed any more.
    try Foundation.Data().write(to: URL(fileURLWithPath: clinic.directory + "/clinic.sqlite-wal"))
    var random = SeededNumbers(3)
    try harm(clinic.directory, .zeroedHead, &random, foreign: "")
    let stores = ClinicData.maintenance(
      ClinicData.Configuration(
        directory: clinic.directory, server: ModelTransport.base, author: .operatingSystemUser("nora")))
    let salvage = try await stores.salvage(confirmed: true)
    #expect(salvage.entries > 0 && salvage.doubtful == salvage.entries)
    let saved = try await TestClinic.open(
      transport: clinic.transport, world: clinic.world, directory: clinic.directory)
    try await saved.sync()
    for item in await saved.review() {
      _ = try await saved.data.review.decide(item.number, .retry, confirmed: true)
    }
    for _ in 1...3 {
      saved.world.advance(seconds: 60)
      try await saved.sync()
    }
    let families = saved.model.resources("Patient").compactMap { $0["name"]?[0]?["family"]?.string }
    #expect(["First", "Second"].map { family in families.count { $0 == family } } == [1, 1])
    #expect(await saved.outbox().isEmpty)
    #expect((1...6).allSatisfy { saved.model.resource("Patient", "p-\($0)")?.phone == "1" })
    await saved.remove()
  }

  @Test("a sound store is not salvaged, and nothing is without a question")
  func refusals() async throws {
    let clinic = try await store()
    let sound = await #expect(throws: AppError.self) { try await clinic.data.stores.salvage(confirmed: true) }
    await clinic.data.close()
    try Foundation.Data().write(to: URL(fileURLWithPath: clinic.directory + "/clinic.sqlite-wal"))
    var random = SeededNumbers(2)
    try harm(clinic.directory, .zeroedHead, &random, foreign: "")
    let asked = await #expect(throws: AppError.self) { try await clinic.data.stores.salvage(confirmed: false) }
    #expect([sound?.code, asked?.code] == [.notAllowed, .needsConfirmation])
    await clinic.remove()
  }

  // MARK: Pages

  @Test("the pages of a sound store tell the same rows as SQLite, checkpointed or not")
  func pages() async throws {
    let clinic = try await store()
    let path = clinic.directory + "/clinic.sqlite"
    func bytes(_ path: String) throws -> [UInt8] { Array(try Foundation.Data(contentsOf: URL(fileURLWithPath: path))) }
    let scan = try #require(PageScan(database: try bytes(path), log: try bytes(path + "-wal")))
    let rows = SalvageReader.read(path)
    let scanned = Dictionary(
      scan.rows(columns: SalvagedStore.firstOutboxColumns...SalvagedStore.outboxColumns.count).map {
        ($0.rowID, $0.values)
      },
      uniquingKeysWith: { a, _ in a })
    for row in rows.rows("outbox") {
      let number = try #require(row["number"]?.integer)
      let values = SalvagedStore.outboxColumns.dropFirst().map { row[$0] }
      #expect(scanned[number].map { Array($0.dropFirst()) } == values.map { $0 ?? .null })
    }
    let connection = try Connection(path: path, mode: .readWrite)
    for (table, columns) in [("outbox", SalvagedStore.outboxColumns), ("journal", SalvagedStore.journalColumns)] {
      let named = try connection.all("PRAGMA table_info(\(table))") { row throws(SQLiteError) in row.text(1) }
      #expect(named == columns)
    }
    await clinic.remove()
  }

  // MARK: Looking

  private static func entries(_ clinic: TestClinic) async throws -> [Int64: String] {
    var entries: [Int64: String] = [:]
    for item in await clinic.data.outbox.outbox().first()?.value ?? [] {
      let detail = try await clinic.data.outbox.outboxItem(item.number)
      entries[item.number] = "\(item.key) \(item.kind) \(detail.changes.map { "\($0.path) \($0.new ?? "-")" })"
    }
    await clinic.data.close()
    return entries
  }

  /// A database and its log, byte for byte.
  private static func files(_ database: String) -> [Foundation.Data?] {
    [database, database + "-wal"].map { try? Foundation.Data(contentsOf: URL(fileURLWithPath: $0)) }
  }
}

/// Numbers that depend on a seed alone.
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 { SplitMix.next(&state) }
}
