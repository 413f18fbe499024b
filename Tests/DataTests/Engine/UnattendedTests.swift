import Data
import Domain
import Foundation
import JSON
import MockServer
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
