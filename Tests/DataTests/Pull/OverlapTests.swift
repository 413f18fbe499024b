@testable import Data
import Domain
import Foundation
import JSON
import MockServer
import Synchronization
import TestSupport
import Testing

@Suite("Requests that overlap, and answers that arrive out of order", .timeLimit(.minutes(10)))
struct OverlapTests {
  @Test("the older of two answers arrives last and takes nothing back", arguments: [false, true])
  func olderArrivesLast(isDeleted: Bool) async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    clinic.world.advance(seconds: 10)
    clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "2"]] }
    let (data, transport) = try await clinic.detouring()
    let (isRead, isPulled) = (Latch(), Latch())
    let isFirst = Mutex(true)
    transport.beforeAnswers { line in
      guard line == "GET Patient/p-1", isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      isRead.open()
      await isPulled.wait()
    }
    let reading = Task { await data.patients.patient("p-1", policy: .revalidateAlways).settled() }
    await isRead.wait()
    clinic.world.advance(seconds: 10)
    if isDeleted {
      clinic.delete("Patient", "p-1")
    } else {
      clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    }
    _ = try await data.sync.sync(SyncOptions(), progress: { _ in })
    isPulled.open()
    _ = await reading.value
    let seen = await data.patients.patient("p-1", policy: .localOnly).first()?.value
    #expect(seen?.telecom.first?.value == (isDeleted ? nil : "3"))
    // It is not believed, and not forgotten either: the record is read once more.
    _ = try await data.sync.sync(SyncOptions(), progress: { _ in })
    let settled = await data.patients.patient("p-1", policy: .localOnly).first()?.value
    #expect(settled?.telecom.first?.value == (isDeleted ? nil : "3"))
    await data.close()
    await clinic.remove()
  }

  @Test("an update is compared anew where another reading tells of a change before the comparison is answered")
  func lateComparison() async throws {
    var profile = MockProfile.standard
    profile.honoursIfMatch = false
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    let (data, transport) = try await clinic.detouring()
    let isFirst = Mutex(true)
    transport.beforeAnswers { line in
      guard line == "GET Patient/p-1", isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      clinic.world.advance(seconds: 10)
      clinic.change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "9"]] }
      _ = await data.patients.patient("p-1", policy: .revalidateAlways).settled()
    }
    _ = try await data.sync.sync(SyncOptions(), progress: { _ in })
    #expect(await data.review.reviewItems().first()?.value?.map(\.kind) == [.conflict])
    #expect(clinic.model.resource("Patient", "p-1")?.phone == "9")
    await data.close()
    await clinic.remove()
  }

  @Test("a change that another reading tells of while an update is on its way is merged once it is refused")
  func readWhileSending() async throws {
    for isSame in [true, false] {
      let clinic = try await TestClinic.open()
      clinic.serverPatient("p-1", phone: "1")
      try await clinic.sync()
      try await clinic.setPhone("2", of: "p-1")
      let (data, transport) = try await clinic.detouring()
      let writes = Mutex(0)
      transport.beforeRequests { line in
        guard line == "PUT Patient/p-1",
          writes.withLock({
            $0 += 1; return $0 == 1
          })
        else { return }
        clinic.world.advance(seconds: 10)
        clinic.change("Patient", "p-1") { document in
          if isSame {
            document["telecom"] = [["system": "phone", "use": "home", "value": "9"]]
          } else {
            document["address"] = [["city": "Newtown"]]
          }
        }
        _ = await data.patients.patient("p-1", policy: .revalidateAlways).settled()
      }
      _ = try await data.sync.sync(SyncOptions(), progress: { _ in })
      let document = clinic.model.resource("Patient", "p-1")
      let items = await data.review.reviewItems().first()?.value?.map(\.kind)
      #expect(items == (isSame ? [.conflict] : []) && document?.phone == (isSame ? "9" : "2"))
      #expect(isSame || document?["address"]?[0]?["city"]?.string == "Newtown")
      #expect(writes.withLock { $0 } == (isSame ? 1 : 2))
      await data.close()
      await clinic.remove()
    }
  }

  @Test("what a lagging search shows of a record that was just written is passed over, without asking for it again")
  func laggingList() async throws {
    var profile = MockProfile.noHistory
    profile.requiresIfMatch = true
    profile.searchLagSeconds = 5
    let clinic = try await TestClinic.open(profile: profile)
    clinic.serverPatient("p-1", phone: "1")
    clinic.world.advance(seconds: 60)
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.transport.forgetSent()
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.transport.sent.count { $0.hasPrefix("PUT") } == 1)
    #expect(!clinic.transport.sent.contains("GET /fhir/Patient/p-1"))
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    await clinic.remove()
  }

  @Test("older versions that a history lists where it was cut are passed over, without asking for the record again")
  func olderVersions() async throws {
    var profile = MockProfile.standard
    profile.largestPage = 2
    let clinic = try await TestClinic.open(profile: profile)
    for id in ["p-1", "p-2"] { clinic.serverPatient(id, phone: "1") }
    clinic.world.advance(seconds: 60)
    try await clinic.sync()
    for (id, value) in [("p-1", "2"), ("p-1", "3"), ("p-1", "4"), ("p-2", "5")] {
      clinic.world.advance(seconds: 60)
      clinic.change("Patient", id) { $0["telecom"] = [["system": "phone", "use": "home", "value": .string(value)]] }
    }
    clinic.transport.plan(.unreachable, method: "GET", path: "_page=")
    #expect(try await clinic.sync().outcome != .complete)
    clinic.transport.forgetSent()
    clinic.world.advance(seconds: 60)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.transport.sent.contains { $0.contains("_page=") })
    try await clinic.sync()
    #expect(!clinic.transport.sent.contains("GET /fhir/Patient/p-1"))
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "4")
    await clinic.remove()
  }

  @Test("a pull that is overtaken ends without moving the place of the one that began later")
  func overtakenPull() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/clinic-overlap-\(UUID().uuidString)"
    let clinic = try await TestClinic.open(directory: directory)
    @Sendable func row(_ id: String, _ second: Int) -> JSONValue { PagedServer.patient(id, second) }
    let (isHeld, isCut) = (Latch(), Latch())
    let scripted = ScriptedTransport { _, target in
      if target.contains("p=2") { return .page([row("b", 20)]) }
      return .page([row("a", 10), row("a2", 10)], next: "?p=2")
    }
    let slow = Slow(scripted) { target in
      guard target.contains("p=2") else { return }
      isHeld.open()
      await isCut.wait()
    }
    let store = clinic.data.store
    @Sendable func puller(_ transport: any HTTPTransport) -> Puller {
      Puller(
        store: store, client: FHIRClient(base: ModelTransport.base, transport: transport, nowSeconds: { 0 }),
        progress: { _, _, _ in })
    }
    let first = Task { try await puller(slow).pull(PullPass(.whole("Patient")), mayGoOn: { true }) }
    await isHeld.wait()
    // The second pull begins, sees one page with a later stamp, and is cut.
    let pages = Mutex(0)
    let cut = ScriptedTransport { _, target in
      pages.withLock { $0 += 1 }
      if target.contains("p=9") { return .answer(500) }
      return .page([row("c", 50), row("d", 50)], next: "?p=9")
    }
    try await clinic.data.store.write { transaction throws(AppError) in
      var scope = try transaction.scope(.whole("Patient"))
      scope.cursor = nil
      try transaction.store(scope)
    }
    _ = try await puller(cut).pull(PullPass(.whole("Patient")), mayGoOn: { pages.withLock { $0 } < 2 })
    isCut.open()
    #expect(try await first.value.received == 3)
    let scope = try await clinic.data.store.read { transaction throws(AppError) in
      try transaction.scope(.whole("Patient"))
    }
    #expect(scope.cursor != nil && scope.watermark == nil && scope.completed == nil)
    await clinic.remove()
  }

  /// A server that is slow where it is told to be.
  private struct Slow: HTTPTransport {
    let inner: ScriptedTransport
    let detour: @Sendable (String) async -> Void

    init(_ inner: ScriptedTransport, _ detour: @escaping @Sendable (String) async -> Void) {
      self.inner = inner
      self.detour = detour
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      await detour(request.url)
      return try await inner.send(request)
    }
  }

  @Test(
    "a record that is changed between two pages, so that all rows behind it move up, makes the pull miss none",
    arguments: [1, 1_000] as [Int64])
  func shiftingPages(gap: Int64) async throws {
    var profile = MockProfile.noHistory
    profile.largestPage = 2
    profile.stablePages = false
    let clinic = try await TestClinic.open(profile: profile)
    for number in 1...6 {
      clinic.model.clock = MockClock(milliseconds: clinic.world.now)
      clinic.put(["resourceType": "Patient", "id": .string("p-\(number)"), "name": [["family": .string("F\(number)")]]])
      clinic.change("Patient", "p-\(number)") { $0["active"] = true }
      clinic.world.advance(seconds: gap)
    }
    let isFirst = Mutex(true)
    clinic.transport.whenAnswered { line in
      guard line.hasPrefix("GET /fhir/Patient?"), isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      clinic.change("Patient", "p-1") { $0["gender"] = "female" }
    }
    #expect(try await clinic.sync().outcome == .complete)
    let found = await clinic.data.patients.patients(matching: PatientQuery(text: "f"), policy: .localOnly).first()
    #expect(found?.value?.count == 6)
    await clinic.remove()
  }

  @Test(
    "a pull follows the links where stamps tell nothing: not in order, not filtered by, missing, or all the same",
    arguments: ["unordered", "ignored", "missing", "same"])
  func byLinks(kind: String) async throws {
    let clinic = try await TestClinic.open()
    let seconds =
      ["unordered": [30, 10, 20, 40], "ignored": [10, 20, 30, 40], "missing": [0, 0, 0, 0]][kind] ?? [7, 7, 7, 7]
    let rows = seconds.enumerated().map { index, second in
      var row = PagedServer.patient("p-\(index)", second)
      if kind == "missing" { row["resource"]?["meta"] = nil }
      return row
    }
    let scripted = ScriptedTransport { _, target in
      target.contains("p=2") ? .page(Array(rows[2...])) : .page(Array(rows[..<2]), next: "?p=2")
    }
    let puller = Puller(
      store: clinic.data.store,
      client: FHIRClient(base: ModelTransport.base, transport: scripted, nowSeconds: { 0 }), progress: { _, _, _ in })
    let result = try await puller.pull(PullPass(.whole("Patient")), mayGoOn: { true })
    #expect(result.failure == nil && result.received == 4, "\(scripted.sent)")
    // Rows of one stamp are read a second time, to see whether they have moved; what seems to be in order is asked about.
    #expect(scripted.sent.count <= (["same": 5, "ignored": 4][kind] ?? 3))
    await clinic.remove()
  }
}
