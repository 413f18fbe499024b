@testable import Data
import Domain
import Foundation
import JSON
import MockServer
import Synchronization
import TestSupport
import Testing

/// A network that does something in between: before a request leaves, or before its answer arrives.
final class DetouringTransport: HTTPTransport {
  typealias Detour = @Sendable (_ line: String) async -> Void

  private let inner: ModelTransport
  private let before: Mutex<Detour?> = Mutex(nil)
  private let after: Mutex<Detour?> = Mutex(nil)

  init(_ inner: ModelTransport) { self.inner = inner }

  /// Runs `detour` before a request is handled.
  func beforeRequests(_ detour: @escaping Detour) { before.withLock { $0 = detour } }
  /// Runs `detour` after a request was handled and before its answer arrives.
  func beforeAnswers(_ detour: @escaping Detour) { after.withLock { $0 = detour } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let line = request.method.name + " " + request.url.dropFirst(ModelTransport.base.count + 1)
    if let detour = before.withLock({ $0 }) { await detour(line) }
    let response = try await inner.send(request)
    if let detour = after.withLock({ $0 }) { await detour(line) }
    return response
  }
}

/// Opens once, for all who wait and all who come.
final class Latch: Sendable {
  private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

extension TestClinic {
  /// The same store through a network that makes detours.
  func detouring() async throws -> (data: ClinicData, transport: DetouringTransport) {
    await data.close()
    let detour = DetouringTransport(transport)
    let configuration = ClinicData.Configuration(
      directory: directory, server: ModelTransport.base, author: .operatingSystemUser("nora"))
    return (try await ClinicData.open(configuration, effects: world.effects, transport: detour), detour)
  }
}

@Suite("A commit wakes whatever waits, and nothing waits for another write", .timeLimit(.minutes(10)))
struct WakeUpTests {
  private static let newcomer = Patient(id: Patient.ID(""), name: [HumanName(family: "New")])

  @Test("what is written while a pass waits before it looks again is sent at once")
  func duringPause() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.sync()
    let first = try await clinic.register(family: "First")
    clinic.transport.plan(.loseAnswer, method: "PUT")
    let (data, world) = (clinic.data, clinic.world)
    let times = Mutex([String: Int64]())
    world.beforeNextSleep {
      times.withLock { $0["written"] = world.now }
      _ = try? await data.patients.register(Self.newcomer)
    }
    clinic.transport.whenAnswered { line in
      let isFirst = line.hasSuffix(first.rawValue)
      times.withLock { $0[isFirst ? "found" : "sent"] = world.now }
    }
    #expect(try await clinic.sync(pulls: false).outcome == .complete)
    let seen = times.withLock { $0 }
    let (written, sent, found) = (seen["written"] ?? 0, seen["sent"] ?? .max, seen["found"] ?? 0)
    #expect(sent - written <= 250 && found - written > 500, "\(seen)")
    await clinic.remove()
  }

  @Test("what is written while a slow request is in flight does not wait for its answer")
  func duringRequest() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let (data, transport) = try await clinic.detouring()
    let arrived = Latch()
    transport.beforeAnswers { line in
      guard line.hasPrefix("PUT") else { return }
      if line == "PUT Patient/p-1" {
        _ = try? await data.patients.register(Self.newcomer)
        await arrived.wait()
      } else {
        arrived.open()
      }
    }
    let report = try await data.sync.sync(SyncOptions(pulls: false), progress: { _ in })
    #expect(report.outcome == .complete && clinic.model.resources("Patient").count == 2)
    await data.close()
    await clinic.remove()
  }

  @Test(
    "what is written while a pass pulls is sent without waiting for the next round, also when others made that pass",
    arguments: [false, true])
  func duringPull(isMade: Bool) async throws {
    let clinic = try await TestClinic.open()
    try await clinic.sync()
    let (data, transport) = try await clinic.detouring()
    let world = clinic.world
    let written = Mutex<Int64?>(nil)
    let sent = Latch()
    let sentAt = Mutex<Int64?>(nil)
    transport.beforeRequests { line in
      if line.hasPrefix("GET Observation"), written.withLock({ $0 == nil }) {
        written.withLock { $0 = world.now }
        _ = try? await data.patients.register(Self.newcomer)
      }
      if line.hasPrefix("PUT"), sentAt.withLock({ $0 == nil }) {
        sentAt.withLock { $0 = world.now }
        sent.open()
      }
    }
    var background = BackgroundSync(store: data.store, sync: data.sync)
    let day = Duration.seconds(86_400)
    background.pace.troubled = day
    background.pace.longest = day
    let work = Task { [background] in
      guard isMade else { return await background.run() }
      let mark = await background.mark()
      let report = try await data.sync.sync(SyncOptions(retriesNow: false), progress: { _ in })
      await background.run(after: (.success(report), mark))
    }
    await sent.wait()
    work.cancel()
    _ = await work.result
    let waited = try #require(sentAt.withLock { $0 }) - (try #require(written.withLock { $0 }))
    #expect(waited < 60_000, "\(waited)")
    await data.close()
    await clinic.remove()
  }

  @Test("what others do to the store besides writing does not make a background sync ask the server")
  func othersCommits() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.sync()
    let store = clinic.data.store
    let mark = try await store.read { transaction throws(AppError) in try transaction.writtenMark() }
    try await store.write { transaction throws(AppError) in try transaction.noteSync(complete: true, error: nil) }
    #expect(await !store.hasWritten(after: mark))
    _ = try await clinic.register(family: "New")
    #expect(await store.hasWritten(after: mark))
    await clinic.remove()
  }
}
