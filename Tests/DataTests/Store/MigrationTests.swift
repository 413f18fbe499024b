@testable import Data
import Domain
import Foundation
import JSON
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

  /// What takes a store one version back, from which version.
  private static let stepsBack: [(from: Int, sql: String)] = [
    (
      6,
      """
      CREATE VIRTUAL TABLE patient_words USING fts5 (terms, tokenize = "ascii", prefix = '1 2 3', detail = none);
      INSERT INTO patient_words (rowid, terms) SELECT rowid, terms FROM patient_text;
      DROP TABLE patient_text; ALTER TABLE patient_words RENAME TO patient_text
      """
    ),
    (
      5,
      """
      ALTER TABLE resource DROP COLUMN moved; ALTER TABLE server DROP COLUMN moves;
      ALTER TABLE scope RENAME COLUMN turn TO pages
      """
    ),
    (4, "DROP TABLE slot"),
    (
      3,
      """
      DROP INDEX journal_resource; DROP INDEX journal_action; ALTER TABLE journal DROP COLUMN action;
      ALTER TABLE journal DROP COLUMN summary
      """
    ),
    (
      2,
      """
      ALTER TABLE resource DROP COLUMN withheld; DROP TABLE disappearance; DROP TABLE reconcile;
      ALTER TABLE outbox DROP COLUMN compared
      """
    ),
  ]

  /// A clinic with work of every kind: an edit that waits, one whose answer was lost, a registration with what hangs on
  /// it, one that was refused, and a conflict.
  private func busyClinic() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    for id in ["p-1", "p-2", "p-3"] { clinic.serverPatient(id, phone: "1") }
    try await clinic.sync()
    try await clinic.setPhone("conflict", of: "p-2")
    clinic.change("Patient", "p-2") { $0["telecom"] = [["system": "phone", "use": "home", "value": "theirs"]] }
    let refused = try await clinic.register(family: "Refused")
    clinic.model.add(MockFault.status(422, method: "PUT", path: refused.rawValue, times: 1))
    try await clinic.sync()
    try await clinic.setPhone("lost", of: "p-3")
    clinic.transport.plan(.blackout, method: "PUT", path: "p-3")
    try await clinic.sync()
    clinic.transport.calm()
    try await clinic.setPhone("waits", of: "p-1")
    let new = try await clinic.register(family: "New")
    _ = try await clinic.data.observations.record([
      ClinicalObservation(
        id: "", status: .known(.final), code: CodeableConcept(text: "Pulse"), subject: Reference(new.key))
    ])
    return clinic
  }

  @Test(
    "a store of any earlier version is brought up to date with all the work in it, which is sent once",
    arguments: 1..<Schema.version)
  func earlierVersion(_ version: Int) async throws {
    let clinic = try await busyClinic()
    let outbox = await clinic.outbox()
    // Both arose in one sync, in either order.
    let review = await clinic.review()
    let conflict = try #require(review.first { $0.kind == .conflict })
    let refusal = try #require(review.first { $0.kind == .refusal })
    #expect(outbox.map(\.state) == [.review, .review, .ambiguous, .pending, .pending, .pending])
    #expect(review.count == 2)
    try await clinic.data.store.writer.withConnection { connection throws(AppError) in
      try AppError.wrapping { () throws(SQLiteError) in
        for step in Self.stepsBack where step.from > version { try connection.execute(step.sql) }
        try connection.execute("PRAGMA user_version=\(version)")
      }
    }
    let again = try await clinic.reopened()
    #expect(await again.outbox() == outbox)
    #expect(await again.review() == review)
    #expect(try await again.data.stores.check().problems == [])
    let found = await again.data.patients.patients(matching: PatientQuery(text: "ferr"), policy: .localOnly).first()
    #expect(found?.value?.count == 3)
    _ = try await again.data.review.decide(conflict.number, .keepMine, confirmed: true)
    _ = try await again.data.review.decide(refusal.number, .retry, confirmed: true)
    again.transport.forgetSent()
    #expect(try await again.sync().outcome == .complete)
    let phones = ["p-1", "p-2", "p-3"].map { again.model.resource("Patient", $0)?.phone }
    #expect(phones == ["waits", "conflict", "lost"])
    #expect(again.model.resources("Patient").count == 5 && again.model.resources("Observation").count == 1)
    // The answer that was lost was found out: what had arrived is not sent a second time.
    let writes = again.transport.sent.filter { !$0.hasPrefix("GET") && !$0.hasPrefix("POST /fhir/Provenance") }
    #expect(!writes.contains { $0.contains("p-3") }, "\(writes)")
    await again.remove()
  }

  @Test("a store that is made anew is the same as one that was brought up to date step by step")
  func madeAnew() throws {
    func schema(_ steps: [String]) throws -> [String] {
      let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
      for step in steps { try connection.execute(step) }
      let server = try connection.all("SELECT * FROM server") { row throws(SQLiteError) in "\(row.integer(0))" }
      let tables = try connection.all("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name") {
        row throws(SQLiteError) in "\(row.text(0)): \(Self.plain(row.text(1)))"
      }
      return server + tables
    }
    let new = try schema([Schema.new])
    #expect(try new == schema(Schema.migrations))
    #expect(new.count > 50)
  }

  /// A table's definition without remarks, white space and quotes.
  private static func plain(_ sql: String) -> String {
    sql.split(separator: "\n").map { $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex) }.joined()
      .filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
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
