@testable import Data
import Domain
import Foundation
import JSON
import MockServer
import Synchronization
import TestSupport
import Testing

@Suite("Syncing unattended: waits, goes on, stops when asked, and tells")
struct UnattendedTests {
  @Test("a sync that waits begins when the other one ends; it gives up when its time is up")
  func waits() async throws {
    let clinic = try await TestClinic.open()
    let lock = try SyncLock.take(clinic.directory + "/sync.lock", note: "process 1")
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.sync.sync(
        SyncOptions(maximumTime: .seconds(10), waits: true), progress: { _ in })
    }
    #expect(error?.code == .syncRunning)
    lock.release()
    #expect(try await clinic.data.sync.sync(SyncOptions(waits: true), progress: { _ in }).outcome == .complete)
    await clinic.remove()
  }

  @Test("until empty goes on through trouble that passes, and ends where only a person can help")
  func untilEmpty() async throws {
    let clinic = try await TestClinic.open()
    for family in ["One", "Two"] { _ = try await clinic.register(family: family) }
    clinic.model.add(MockFault.status(503, times: 6))
    let options = SyncOptions(untilEmpty: true)
    #expect(try await clinic.data.sync.sync(options, progress: { _ in }).outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    _ = try await clinic.register(family: "Three")
    for method in ["POST", "PUT"] { clinic.model.add(MockFault.status(422, method: method, times: nil)) }
    #expect(try await clinic.data.sync.sync(options, progress: { _ in }).outcome == .needsReview)
    await clinic.remove()
  }

  @Test("a report counts by type what was tried in vain, and only what was tried in this run")
  func failed() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.transport.plan(.unreachable, method: "PUT")
    func counts(_ report: SyncReport) -> [Int] {
      report.types.first { $0.type == "Patient" }.map { [$0.sent, $0.unsent, $0.failed] } ?? []
    }
    #expect(counts(try await clinic.sync()) == [0, 1, 1])
    #expect(counts(try await clinic.sync(pushes: false)) == [0, 1, 0])
    #expect(counts(try await clinic.sync()) == [1, 0, 0])
    await clinic.remove()
  }

  @Test("until empty ends when its time is up, and says what is left")
  func untilEmptyInTime() async throws {
    let clinic = try await TestClinic.open()
    _ = try await clinic.register(family: "One")
    clinic.model.add(MockFault.status(503, times: nil))
    let report = try await clinic.data.sync.sync(
      SyncOptions(maximumTime: .seconds(600), untilEmpty: true), progress: { _ in })
    #expect(report.unsent == 1 && report.outcome != .complete)
    await clinic.remove()
  }

  @Test("a sync ends when its bytes are used up, and the next ones go on until all is there")
  func bytes() async throws {
    let clinic = try await TestClinic.open()
    for number in 1...450 { clinic.serverPatient("p-\(number)") }
    // Of a type that comes last: what is received again and again must not keep it away.
    clinic.put([
      "resourceType": "DocumentReference", "id": "d-1", "status": "current", "content": [],
      "subject": ["reference": "Patient/p-1"],
    ])
    var syncs = 0
    while try await clinic.data.stores.check().records < 451, syncs < 30 {
      let report = try await clinic.data.sync.sync(SyncOptions(maximumBytes: 20_000), progress: { _ in })
      #expect(report.outcome == .unfinished)
      syncs += 1
    }
    #expect(syncs > 2 && syncs < 30)
    #expect(try await clinic.sync().outcome == .complete)
    await clinic.remove()
  }

  @Test("a watch goes on until it is asked to end, and tells of every pass")
  func watch() async throws {
    let clinic = try await TestClinic.open()
    _ = try await clinic.register(family: "One")
    let sync = clinic.data.sync
    let passes = Mutex<[SyncReport]>([])
    let last = try await sync.watch(SyncOptions(), progress: { _ in }) { report in
      let count = passes.withLock { passes in
        passes.append(report)
        return passes.count
      }
      if count == 2 { clinic.serverPatient("p-1") }
      if count == 4 { _ = sync.requestStop() }
    }
    let seen = passes.withLock { $0 }
    #expect(seen.count == 4 && seen.last == last && seen.map(\.isEventful) == [true, false, true, false])
    let error = await #expect(throws: AppError.self) {
      let lock = try SyncLock.take(clinic.directory + "/sync.lock", note: "process 1")
      defer { lock.release() }
      _ = try await sync.watch(SyncOptions(), progress: { _ in }, told: { _ in })
    }
    #expect(error?.code == .syncRunning && sync.requestStop() == false)
    await clinic.remove()
  }

  @Test("the pauses of a sync that goes on are short while something happens, and grow while nothing does")
  func pace() {
    var pace = SyncPace()
    func pause(_ report: SyncReport) -> Duration { pace.pause(after: .success(report), now: 0, unit: 1) }
    let quiet = SyncReport(outcome: .complete)
    let busy = SyncReport(outcome: .complete, types: [SyncReport.TypeCounts(type: "Patient", pulled: 1)])
    let lost = SyncReport(outcome: .unreachable(AppError(.offline, "away")))
    #expect((1...6).map { _ in pause(quiet) } == [30, 60, 120, 240, 300, 300].map { .seconds($0) })
    #expect([pause(busy), pause(quiet)] == [.seconds(15), .seconds(30)])
    #expect((1...8).map { _ in pause(lost) } == [5, 10, 20, 40, 80, 160, 300, 300].map { .seconds($0) })
    #expect(pause(SyncReport(outcome: .throttled(until: Instant(milliseconds: 20_000)))) == .seconds(20))
    #expect(pause(quiet) == .seconds(60))
    // Two machines do not come back at the same moment.
    #expect(pace.pause(after: .success(lost), now: 0, unit: 0) == .milliseconds(2_500))
  }

  @Test("a request to end lets the answers in hand be settled, and nothing more is begun")
  func stops() async throws {
    let clinic = try await TestClinic.open()
    #expect(clinic.data.sync.requestStop() == false)
    for number in 1...200 { _ = try await clinic.register(family: "P\(number)") }
    let sync = clinic.data.sync
    let report = try await sync.sync(SyncOptions()) { step in
      if case .pushing(let settled, _) = step, settled > 0 { _ = sync.requestStop() }
    }
    #expect(report.outcome == .unfinished && report.ambiguous == 0)
    let made = clinic.model.resources("Patient").count
    #expect(made > 0 && made < 200 && report.unsent == 200 - made)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 200)
    await clinic.remove()
  }

  @Test("the log has a line for each pass, no patient, and goes on in a new file after a rotation")
  func log() async throws {
    let clinic = try await TestClinic.open()
    let path = clinic.directory + "/sync.log"
    _ = try await clinic.register(family: "Ferrow")
    for method in ["POST", "PUT"] { clinic.model.add(MockFault.status(422, method: method, times: nil)) }
    _ = try await clinic.data.sync.sync(SyncOptions(logFile: path), progress: { _ in })
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    _ = try await clinic.data.sync.sync(SyncOptions(logFile: path), progress: { _ in })
    for file in [path + ".1", path] {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let lines = try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(lines.map { $0["event"]?.string } == ["sync-begun", "sync-ended"])
      #expect(lines.last?["outcome"]?.string == "needsReview" && lines.last?["inReview"]?.int == 1)
      #expect(!text.contains("Ferrow"))
    }
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.sync.sync(SyncOptions(logFile: clinic.directory + "/no/log"), progress: { _ in })
    }
    #expect(error?.code == .fileUnreadable)
    await clinic.remove()
  }
}
