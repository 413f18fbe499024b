@testable import Data
import Domain
import Foundation
import TestSupport
import Testing

@Suite("Store: commits are whole, seen elsewhere, and survive checkpoints")
struct DurabilityTests {
  /// Another process that commits rows as fast as it can, with its own copy of the library.
  private static let writer = """
    import sqlite3, sys
    c = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
    c.execute("PRAGMA wal_autocheckpoint=0")
    for n in range(int(sys.argv[2])):
        c.execute("BEGIN IMMEDIATE")
        c.execute("INSERT INTO meta VALUES (?, ?)", ("foreign-%d" % n, "x" * 2000))
        c.execute("COMMIT")
    """

  @Test("another process that commits during checkpoints loses nothing", .timeLimit(.minutes(10)))
  func checkpoints() async throws {
    let python = "/usr/bin/python3"
    try #require(FileManager.default.isExecutableFile(atPath: python), "needs python3")
    let store = try await MigrationTests.store()
    let rows = 2_000
    let process = try Program.start(
      Program.Launch(
        path: python, arguments: ["-c", Self.writer, store.files.database, String(rows)], limit: .seconds(500)))
    var own = 0
    var checkpoints = 0
    while process.isRunning {
      let number = own
      try await store.write { transaction throws(AppError) in try transaction.setMeta("own-\(number)", "y") }
      own += 1
      try await store.checkpoint()
      checkpoints += 1
    }
    let ended = try await process.finished()
    #expect(ended.status == 0, "\(ended)")
    #expect(checkpoints > 0)
    try await store.checkpoint()
    await store.close()
    let counts = try await store.read { transaction throws(AppError) in
      try transaction.first(
        "SELECT sum(key LIKE 'foreign-%'), sum(key LIKE 'own-%') FROM meta"
      ) { row throws(SQLiteError) in [row.integer(0), row.integer(1)] } ?? []
    }
    #expect(counts == [Int64(rows), Int64(own)])
    #expect(try await store.integrityErrors() == [])
    await store.close()
    try FileManager.default.removeItem(atPath: store.files.directory)
  }

  @Test("a checkpoint copies everything, and says so; with an old reader it copies what it may, and says that")
  func completeness() async throws {
    let store = try await MigrationTests.store()
    #expect(try await store.checkpoint())
    let reader = try Connection(path: store.files.database, mode: .readWrite)
    try reader.execute("BEGIN; SELECT count(*) FROM meta")
    try await store.write { transaction throws(AppError) in try transaction.setMeta("a", "b") }
    try await store.write { transaction throws(AppError) in try transaction.setMeta("c", "d") }
    #expect(try await store.checkpoint() == false)
    try reader.execute("COMMIT")
    #expect(try await store.checkpoint())
    await store.close()
    try FileManager.default.removeItem(atPath: store.files.directory)
  }

  @Test("a transaction that fails half way leaves nothing behind, and the next one goes")
  func rollback() async throws {
    let store = try await MigrationTests.store()
    await #expect(throws: AppError.self) {
      try await store.write { transaction throws(AppError) in
        try transaction.setMeta("half", "1")
        throw AppError(.internalFault, "stop")
      }
    }
    try await store.write { transaction throws(AppError) in try transaction.setMeta("whole", "1") }
    let found = try await store.read { transaction throws(AppError) in
      [try transaction.meta("half"), try transaction.meta("whole")]
    }
    #expect(found == [nil, "1"])
    await store.close()
    try FileManager.default.removeItem(atPath: store.files.directory)
  }

  @Test("what another program commits moves the number that watches for it; one's own commits do not")
  func foreignCommits() async throws {
    let (mine, other) = (try await MigrationTests.store(), try await MigrationTests.store())
    let twin = try await MigrationTests.store(mine.files.directory)
    let before = try await mine.foreignCommits()
    try await mine.write { transaction throws(AppError) in try transaction.setMeta("a", "1") }
    #expect(try await mine.foreignCommits() == before)
    try await twin.write { transaction throws(AppError) in try transaction.setMeta("b", "1") }
    #expect(try await mine.foreignCommits() != before)
    for store in [mine, other, twin] { await store.close() }
    for store in [mine, other] { try FileManager.default.removeItem(atPath: store.files.directory) }
  }

  @Test(
    "the journal keeps the last ten thousand and the histories of no others, whatever the rhythm of transitions",
    arguments: [1, 2, 3])
  func journal(transitions: Int) async throws {
    let clinic = try await TestClinic.open()
    let total = 11_000
    let context = WriteContext(author: clinic.data.author, action: "a")
    try await clinic.data.store.write(durability: .normal) { transaction throws(AppError) in
      for number in 0..<total {
        let entry = OutboxEntry(
          key: ResourceKey(type: "Patient", id: "p\(number)"), patch: .delete, baseVersion: nil, summary: "",
          at: transaction.now,
          transaction.ids, context)
        let stored = try transaction.insert(entry)
        guard let entry = try transaction.outboxEntry(stored) else { continue }
        for _ in 1..<transitions { try transaction.move(entry, to: .pending, reason: "x") }
        try transaction.remove(entry, outcome: "done")
      }
    }
    let counts = try await clinic.data.store.read { transaction throws(AppError) in
      try transaction.first("SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM transition)") {
        row throws(SQLiteError) in [Int(row.integer(0)), Int(row.integer(1))]
      } ?? []
    }
    #expect(counts[0] >= 10_000 && counts[0] < 10_256)
    #expect(counts[1] == counts[0] * (transitions + 1))
    await clinic.remove()
  }
}

@Suite("News of commits")
struct ChangeHubTests {
  @Test("a slow reader gets all that it missed at once; nobody gets what is not new")
  func coalescing() async {
    let hub = ChangeHub()
    let (slow, other) = (hub.subscribe(), hub.subscribe())
    for type in ["Patient", "Appointment", "Patient"] {
      var changes = StoreChanges()
      changes.types = [type]
      hub.publish(changes)
    }
    hub.publish(StoreChanges())
    #expect(slow.take().types == ["Patient", "Appointment"])
    #expect(slow.take().isEmpty)
    var wakes = 0
    slow.cancel()
    for await _ in slow.wakes { wakes += 1 }
    #expect(wakes <= 1)
    #expect(other.take().types.count == 2)
    other.cancel()
    #expect(hub.subscriberCount == 0)
  }

  @Test("ten thousand readers that come and go leave nothing behind", .timeLimit(.minutes(10)))
  func noLeaks() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    for round in 0..<10_000 {
      var answers = clinic.data.patients.patient("p-1", policy: round % 10 == 0 ? .revalidateAlways : .localOnly)
        .makeAsyncIterator()
      _ = await answers.next()
    }
    for _ in 0..<1_000 where clinic.data.store.hub.subscriberCount > 0 { await Task.yield() }
    for _ in 0..<3000 where clinic.data.store.hub.subscriberCount > 0 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(clinic.data.store.hub.subscriberCount == 0)
    await clinic.remove()
  }

  @Test("a commit reaches a reader that waits, and the reader ends when its task does")
  func reader() async throws {
    let clinic = try await TestClinic.open()
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    let patients = clinic.data.patients
    let seen = Task {
      var phones: [String] = []
      for await snapshot in patients.patient(id, policy: .localOnly) {
        phones.append(snapshot.value?.telecom.first?.value ?? "-")
        if phones.last == "3" { break }
      }
      return phones
    }
    try await clinic.setPhone("2", of: id)
    try await clinic.setPhone("3", of: id)
    #expect(await seen.value.last == "3")
    let endless = Task { for await _ in patients.patient(id, policy: .localOnly) {} }
    endless.cancel()
    await endless.value
    await clinic.remove()
  }

  @Test("many readers of one record make one request, and each gets the answer")
  func sharedRevalidation() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    let patients = clinic.data.patients
    let found = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<40 {
        group.addTask { await patients.patient("p-1", policy: .revalidateAlways).settled()?.value?.displayName }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: "Ferrow", count: 40))
    #expect(clinic.transport.sent.count < 20)
    await clinic.remove()
  }
}
