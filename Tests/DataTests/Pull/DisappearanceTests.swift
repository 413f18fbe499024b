@testable import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Disappearance: what is gone at the server leaves, a few at a time; many at once wait for a person")
struct DisappearanceTests {
  private static func filled(_ kind: ServerKind, _ count: Int) async throws -> TestClinic {
    let clinic = try await TestClinic.open(profile: kind.profile)
    for number in 0..<count { clinic.serverPatient("p-\(number)", family: "Ferrow") }
    try await clinic.sync()
    return clinic
  }

  private static func here(_ clinic: TestClinic) async throws -> Int {
    try await SelectionTests.ids(clinic, "Patient").count
  }

  /// A day later, so that a look after all records is due.
  private static func syncTomorrow(_ clinic: TestClinic) async throws -> SyncReport {
    clinic.world.advance(seconds: 86_400)
    return try await clinic.sync()
  }

  @Test(
    "what was deleted at the server leaves with the next pull, or with the daily look", arguments: ServerKind.allCases)
  func few(kind: ServerKind) async throws {
    let clinic = try await Self.filled(kind, 60)
    for number in 0..<5 { clinic.delete("Patient", "p-\(number)") }
    let report = try await Self.syncTomorrow(clinic)
    #expect(try await Self.here(clinic) == 55)
    #expect(report.types.first { $0.type == "Patient" }?.deleted == 5)
    #expect(await clinic.review().isEmpty)
    await clinic.remove()
  }

  @Test(
    "many records that are gone at once stay until a person decides, and the decision is carried out",
    arguments: [ServerKind.standard, .noHistory], [ReviewDecision.keepMine, .keepTheirs])
  func many(kind: ServerKind, decision: ReviewDecision) async throws {
    let clinic = try await Self.filled(kind, 60)
    for number in 0..<30 { clinic.delete("Patient", "p-\(number)") }
    #expect(try await Self.syncTomorrow(clinic).outcome == .needsReview)
    // Without a history a few are read before the others are believed to be gone.
    let left = try await Self.here(clinic)
    #expect(left >= 57)
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .massDisappearance && item.key.type == "Patient")
    #expect(item.subject == "\(left - 30) records of the type Patient")
    // It comes up once, however often one looks.
    _ = try await Self.syncTomorrow(clinic)
    #expect(await clinic.review().map(\.number) == [item.number])
    await #expect { try await clinic.data.review.decide(item.number, .retry, confirmed: true) } throws: {
      ($0 as? AppError)?.code == .notAllowed
    }
    _ = try await clinic.data.review.decide(item.number, decision, confirmed: true)
    #expect(try await Self.here(clinic) == (decision == .keepMine ? left : 30))
    #expect(await clinic.review().isEmpty)
    // What was decided is not asked again.
    #expect(try await Self.syncTomorrow(clinic).outcome == .complete)
    #expect(try await Self.here(clinic) == (decision == .keepMine ? left : 30))
    await clinic.remove()
  }

  @Test("the item goes by itself when the records come back, as after a mistake that was undone there")
  func back() async throws {
    let clinic = try await Self.filled(.standard, 40)
    for number in 0..<40 { clinic.delete("Patient", "p-\(number)") }
    try await clinic.sync()
    #expect(await clinic.review().count == 1)
    for number in 0..<40 { clinic.serverPatient("p-\(number)", family: "Back") }
    try await clinic.sync()
    #expect(await clinic.review().isEmpty)
    #expect(try await Self.here(clinic) == 40)
    await clinic.remove()
  }

  @Test("a server that does not search by several ids does not make its records look gone")
  func distrusted() async throws {
    let clinic = try await Self.filled(.noHistory, 40)
    clinic.model.add(
      try MockFault.list(["path": "_id=", "times": 0, "status": 200, "body": Self.empty]))
    #expect(try await Self.syncTomorrow(clinic).outcome == .complete)
    #expect(try await Self.here(clinic) == 40)
    #expect(await clinic.review().isEmpty)
    await clinic.remove()
  }

  private static let empty: JSONValue = ["resourceType": "Bundle", "type": "searchset", "total": 0]

  @Test("a record that this account may not see any more is reported once, stays, and is marked; seen again, it is not")
  func withheld() async throws {
    let clinic = try await Self.filled(.noHistory, 2)
    try clinic.model.add(
      MockFault.list(["path": "_id=", "times": 1, "status": 200, "body": Self.empty])
        + MockFault.list(["path": "/Patient/p-0", "times": 0, "status": 403]))
    let report = try await Self.syncTomorrow(clinic)
    #expect(report.warnings.contains { $0.contains("Patient/p-0") && $0.contains("not shown to this account") })
    let answer = await clinic.data.patients.patient("p-0", policy: .localOnly).first()
    #expect(answer?.value != nil && answer?.warnings.contains { $0.contains("does not show") } == true)
    clinic.model.removeFaults()
    _ = await clinic.data.patients.patient("p-0", policy: .revalidateAlways).settled()
    #expect(await clinic.data.patients.patient("p-0", policy: .localOnly).first()?.warnings == [])
    await clinic.remove()
  }

  @Test("a look that was cut goes on where it was; the next one is due a day later")
  func resumed() async throws {
    let clinic = try await Self.filled(.noHistory, 120)
    clinic.world.advance(seconds: 86_400)
    let second = (0..<120).map { "p-\($0)" }.sorted()[Recheck.batch]
    clinic.transport.plan(.unreachable, path: "_id=\(second)%2C", times: 1)
    _ = try await clinic.sync()
    clinic.transport.forgetSent()
    #expect(try await clinic.sync().outcome == .complete)
    let asked = clinic.transport.sent.filter { $0.contains("/Patient?_id=") }
    #expect(asked.count == 2)
    clinic.transport.forgetSent()
    try await clinic.sync()
    #expect(clinic.transport.sent.allSatisfy { !$0.contains("_id=") })
    await clinic.remove()
  }
}
