@testable import Data
import Domain
import Foundation
import MockServer
import TestSupport
import Testing

@Suite("Store: opened by old and new, by many, and by nobody else")
struct MigrationTests {
  /// A store in a folder of its own.
  static func store(_ directory: String? = nil) async throws -> Store {
    let directory = directory ?? FileManager.default.temporaryDirectory.path + "/store-" + UUID().uuidString
    return try await Store.open(
      StoreFiles(directory: directory), server: ModelTransport.base, effects: VirtualWorld().effects)
  }

  private func contents(_ directory: String) throws -> [String: Foundation.Data] {
    var files: [String: Foundation.Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      files[name] = try Foundation.Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
    }
    return files
  }

  @Test(
    "a store of a later version is refused and not one byte of it changes, wherever its version stands",
    arguments: ["database", "log"])
  func newer(place: String) async throws {
    let store = try await Self.store()
    let directory = store.files.directory
    if place == "database" { try await store.checkpoint() }
    try await store.writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in try connection.execute("PRAGMA user_version=99") }
    }
    if place == "database" { try await store.checkpoint() }
    await store.close()
    let before = try contents(directory)
    await #expect { try await Self.store(directory) } throws: { ($0 as? AppError)?.code == .storeNewer }
    #expect(try contents(directory) == before)
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test("many programs that open one new store at once all come in")
  func concurrentOpening() async throws {
    for _ in 0..<8 {
      let directory = FileManager.default.temporaryDirectory.path + "/store-" + UUID().uuidString
      let stores = try await withThrowingTaskGroup(of: Store.self) { group in
        for _ in 0..<4 { group.addTask { try await Self.store(directory) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(try await stores[0].integrityErrors() == [])
      for store in stores { await store.close() }
      try FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test("a store of the first version is brought up to date with what is unsent in it, and that is sent")
  func firstVersion() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    _ = try await clinic.register(family: "New")
    try await clinic.data.store.writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        try connection.execute(
          """
          ALTER TABLE resource DROP COLUMN moved; ALTER TABLE server DROP COLUMN moves;
          ALTER TABLE scope RENAME COLUMN turn TO pages; ALTER TABLE resource DROP COLUMN withheld;
          DROP TABLE disappearance; DROP TABLE reconcile; ALTER TABLE outbox DROP COLUMN compared;
          DROP INDEX journal_resource; DROP INDEX journal_action; ALTER TABLE journal DROP COLUMN action;
          ALTER TABLE journal DROP COLUMN summary; DROP TABLE slot; PRAGMA user_version=1
          """)
      }
    }
    let again = try await clinic.reopened()
    #expect(await again.outbox().count == 2)
    #expect(try await again.sync().outcome == .complete)
    #expect(again.model.resources("Patient").count == 2 && again.model.resource("Patient", "p-1")?.phone == "2")
    #expect(try await again.data.store.integrityErrors() == [])
    await again.remove()
  }

  @Test("folder and files are for their owner only")
  func permissions() async throws {
    let store = try await Self.store()
    _ = try SyncLock.take(store.files.lock, note: "x")
    let directory = store.files.directory
    var modes = [directory: 0o700]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) { modes[directory + "/" + name] = 0o600 }
    #expect(modes.count == 5)
    for (path, mode) in modes {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(found == mode, "\(path)")
    }
    await store.close()
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test("a file that is no database is refused and left as it is")
  func notADatabase() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let bytes = Foundation.Data(String(repeating: "not a database ", count: 500).utf8)
    try bytes.write(to: URL(fileURLWithPath: directory + "/clinic.sqlite"))
    await #expect { try await Self.store(directory) } throws: { ($0 as? AppError)?.code == .storeCorrupt }
    #expect(try Foundation.Data(contentsOf: URL(fileURLWithPath: directory + "/clinic.sqlite")) == bytes)
    try FileManager.default.removeItem(atPath: directory)
  }
}
