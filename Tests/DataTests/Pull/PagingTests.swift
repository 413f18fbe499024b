@testable import Data
import Domain
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@Suite("Pull: pages, links, stamps")
struct PagingTests {
  typealias Page = @Sendable (String) -> HTTPResponse?

  /// A clinic whose server answers questions about patients by `page`; all else is empty, and metadata is unknown.
  private static func open(history: Bool = false, _ page: @escaping Page) async throws -> (
    ClinicData, ScriptedTransport, VirtualWorld
  ) {
    let transport = ScriptedTransport(script(history: history, page))
    let world = VirtualWorld()
    let directory = FileManager.default.temporaryDirectory.path + "/clinic-pull-\(UUID().uuidString)"
    let data = try await ClinicData.open(
      ClinicData.Configuration(directory: directory, server: ModelTransport.base, author: .operatingSystemUser("nora")),
      effects: world.effects, transport: transport)
    return (data, transport, world)
  }

  private static func script(history: Bool, _ page: @escaping Page) -> ScriptedTransport.Script {
    { method, target in
      if target == "metadata" {
        guard history else { return .answer(404) }
        return .document([
          "resourceType": "CapabilityStatement", "fhirVersion": "4.0.1", "kind": "instance", "status": "active",
          "rest": [
            [
              "mode": "server",
              "resource": [["type": "Patient", "interaction": [["code": "read"], ["code": "history-type"]]]],
            ]
          ],
        ])
      }
      return page(target) ?? .page([])
    }
  }

  private static func sync(_ data: ClinicData, pages: Int? = nil) async throws -> SyncReport {
    try await data.sync.sync(SyncOptions(), progress: { _ in })
  }

  static func patient(_ id: String, _ second: Int, version: String = "1", phone: String = "1") -> JSONValue {
    [
      "resource": [
        "resourceType": "Patient", "id": .string(id),
        "meta": [
          "versionId": .string(version), "lastUpdated": .string("2026-11-30T09:00:\(second / 10)\(second % 10)Z"),
        ],
        "telecom": [["system": "phone", "use": "home", "value": .string(phone)]],
      ], "search": ["mode": "match"],
    ]
  }

  private static func known(_ data: ClinicData) async throws -> [String: String] {
    try await data.store.read { transaction throws(AppError) in
      let ids = try transaction.all("SELECT id FROM resource WHERE type = 'Patient' AND visible = 1 ORDER BY id") {
        row throws(SQLiteError) in row.text(0)
      }
      var found: [String: String] = [:]
      for id in ids { found[id] = try transaction.resource(ResourceKey(type: "Patient", id: id))?.view?.phone ?? "-" }
      return found
    }
  }

  private static func scope(_ data: ClinicData) async throws -> ScopeRecord {
    try await data.store.read { transaction throws(AppError) in try transaction.scope(.whole("Patient")) }
  }

  @Test(
    "links to the next page are followed as they stand, absolute or not",
    arguments: [
      ModelTransport.base + "?_getpages=2", "?_getpages=2", "/fhir?_getpages=2",
      ModelTransport.base + "/Patient?page=2&_getpages=2",
    ])
  func links(next: String) async throws {
    let (data, transport, _) = try await Self.open { target in
      if target.contains("_getpages") { return .page([Self.patient("b", 2)]) }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 1)], next: next) : nil
    }
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(try await Self.known(data).keys.sorted() == ["a", "b"], "\(transport.sent)")
    await data.close()
  }

  @Test(
    "a link to another origin is not followed, and the sync says so",
    arguments: [
      "https://127.0.0.1/fhir?p=2", "http://evil.example/fhir?p=2", "http://127.0.0.1:81/fhir?p=2", "//evil.example/x",
      "http://[bad",
    ])
  func foreignLink(next: String) async throws {
    let (data, transport, _) = try await Self.open { target in
      target.hasPrefix("Patient?") ? .page([Self.patient("a", 1)], next: next) : nil
    }
    guard case .unreachable(let error) = try await Self.sync(data).outcome, error.code == .notFHIR else {
      Issue.record("not refused")
      return
    }
    #expect(transport.sent.allSatisfy { !$0.contains("p=2") && !$0.contains("evil") })
    #expect(try await Self.scope(data).completed == nil)
    await data.close()
  }

  @Test(
    "links that go round in circles, or expire, end in a warning, keep what came, and begin anew the next time",
    arguments: ["circle", "expired"])
  func badLinks(kind: String) async throws {
    let (data, transport, _) = try await Self.open { target in
      if target.contains("_getpages") {
        return kind == "circle" ? .page([Self.patient("b", 2)], next: "?_getpages=2") : .answer(410)
      }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 1)], next: "?_getpages=2") : nil
    }
    let report = try await Self.sync(data)
    #expect(report.warnings.contains { $0.hasPrefix("Patient was not pulled to its end") }, "\(report.warnings)")
    #expect(try await Self.scope(data).watermark == nil)
    #expect(transport.sent.count < 30)
    transport.play(Self.script(history: false) { $0.hasPrefix("Patient?") ? .page([Self.patient("c", 3)]) : nil })
    _ = try await Self.sync(data)
    #expect(try await Self.known(data)["c"] == "1")
    #expect(try await Self.scope(data).watermark?.text == "2026-11-30T09:00:03Z")
    await data.close()
  }

  @Test("the store's log stays short during a long pull")
  func shortLog() async throws {
    let padding = JSONValue.string(String(repeating: "x", count: 1_000_000))
    let (data, _, _) = try await Self.open { target in
      let page = target.split(separator: "p=").dropFirst().first.flatMap { Int($0) } ?? 0
      guard page > 0 || target.hasPrefix("Patient?") else { return nil }
      var entry = Self.patient("p-\(page)", page)
      entry["resource"]?["padding"] = padding
      return .page([entry], next: page < 19 ? "?p=\(page + 1)" : nil)
    }
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(try await Self.known(data).count == 20)
    #expect(data.store.files.logSize() < 12_000_000)
    await data.close()
  }

  @Test("an empty page in the middle is no end")
  func emptyPage() async throws {
    let (data, _, _) = try await Self.open { target in
      if target.contains("p=2") { return .page([], next: "?p=3") }
      if target.contains("p=3") { return .page([Self.patient("b", 2)]) }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 1)], next: "?p=2") : nil
    }
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(try await Self.known(data).count == 2)
    await data.close()
  }

  @Test(
    "the next pull asks from behind the latest stamp seen, by the server's clock, whatever ours says",
    arguments: [0, 86_400, -86_400] as [Int64])
  func watermark(skew: Int64) async throws {
    let (data, transport, world) = try await Self.open { target in
      target.hasPrefix("Patient?") ? .page([Self.patient("a", 30), Self.patient("b", 30), Self.patient("c", 10)]) : nil
    }
    world.turnClock(seconds: skew)
    _ = try await Self.sync(data)
    _ = try await Self.sync(data)
    let asked = transport.sent.last { $0.hasPrefix("GET Patient?") }
    #expect(
      asked?.contains("_lastUpdated=ge2026-11-30T08:58:30Z") == true
        || asked?.contains("ge2026-11-30T08%3A58%3A30Z") == true, "\(asked ?? "")")
    await data.close()
  }

  @Test("a change that becomes visible late, with an earlier stamp, is found")
  func lateCommit() async throws {
    let (data, transport, _) = try await Self.open { $0.hasPrefix("Patient?") ? .page([Self.patient("a", 40)]) : nil }
    _ = try await Self.sync(data)
    transport.play(
      Self.script(history: false) {
        $0.hasPrefix("Patient?") ? .page([Self.patient("late", 20), Self.patient("a", 40)]) : nil
      })
    _ = try await Self.sync(data)
    #expect(try await Self.known(data).keys.sorted() == ["a", "late"])
    await data.close()
  }

  @Test(
    "a pass that is cut between pages goes on with its next page, and the watermark moves only at the end",
    arguments: [false, true])
  func resumption(isLost: Bool) async throws {
    let isDown = Mutex(true)
    let (data, transport, _) = try await Self.open { target in
      if target.contains("p=2") {
        if isDown.withLock({ $0 }) { return .answer(isLost ? 502 : 500) }
        return .page([Self.patient("b", 20)])
      }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 10)], next: "?p=2") : nil
    }
    guard case .unreachable = try await Self.sync(data).outcome else {
      Issue.record("not cut")
      return
    }
    #expect(try await Self.known(data).keys.sorted() == ["a"])
    #expect(try await Self.scope(data).watermark == nil)
    isDown.withLock { $0 = false }
    let before = transport.sent.count
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(transport.sent.dropFirst(before).filter { $0.hasPrefix("GET Patient?_sort") } == [])
    #expect(try await Self.known(data).keys.sorted() == ["a", "b"])
    #expect(try await Self.scope(data).watermark?.text == "2026-11-30T09:00:20Z")
    await data.close()
  }

  private static func history(_ id: String, _ second: Int, version: String, deleted: Bool = false) -> JSONValue {
    var entry: JSONValue =
      deleted
      ? ["request": ["method": "DELETE", "url": .string("Patient/\(id)")]]
      : [
        "resource": patient(id, second, version: version, phone: version)["resource"] ?? .null,
        "request": ["method": "PUT", "url": .string("Patient/\(id)")],
      ]
    entry["response"] = ["status": "200", "lastModified": .string("2026-11-30T09:00:\(second / 10)\(second % 10)Z")]
    return entry
  }

  @Test("a history that is cut and taken up again never goes back to an older version, nor undoes a deletion")
  func historyResumption() async throws {
    let isDown = Mutex(true)
    let (data, _, _) = try await Self.open(history: true) { target in
      if target.contains("p=2") {
        if isDown.withLock({ $0 }) { return .answer(500) }
        return .page([Self.history("a", 20, version: "2"), Self.history("b", 15, version: "1")], type: "history")
      }
      if target.contains("_history") {
        return .page(
          [Self.history("b", 50, version: "2", deleted: true), Self.history("a", 40, version: "3")], next: "?p=2",
          type: "history")
      }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 10), Self.patient("b", 10)]) : nil
    }
    _ = try await Self.sync(data)
    _ = try await Self.sync(data)
    // Deletions are counted at the end of the pass, and then go.
    #expect(try await Self.known(data) == ["a": "3", "b": "1"])
    isDown.withLock { $0 = false }
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(try await Self.known(data) == ["a": "3"])
    await data.close()
  }

  @Test("a history whose later pages forget since when ends where the known begins")
  func sinceDropped() async throws {
    let (data, transport, _) = try await Self.open(history: true) { target in
      if target.contains("p=") {
        return .page(
          [Self.history("old", 1, version: "1")].map { entry in
            var entry = entry
            entry["resource"]?["meta"]?["lastUpdated"] = "2020-01-01T00:00:00Z"
            return entry
          }, next: "?p=\(target.count)", type: "history")
      }
      if target.contains("_history") {
        return .page([Self.history("a", 50, version: "2")], next: "?p=2", type: "history")
      }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 30)]) : nil
    }
    _ = try await Self.sync(data)
    #expect(try await Self.sync(data).outcome == .complete)
    #expect(transport.sent.count { $0.contains("p=") } == 1)
    #expect(try await Self.known(data) == ["a": "2"])
    await data.close()
  }

  @Test("what is included is stored and moves no watermark; what is cut, unreadable or advice is kept apart")
  func oddEntries() async throws {
    let subsetted: JSONValue = [
      "resource": [
        "resourceType": "Patient", "id": "cut",
        "meta": ["lastUpdated": "2026-11-30T09:00:01Z", "tag": [["code": "SUBSETTED"]]],
      ]
    ]
    let included: JSONValue = [
      "resource": [
        "resourceType": "Location", "id": "l", "meta": ["versionId": "1", "lastUpdated": "2026-11-30T09:59:59Z"],
      ],
      "search": ["mode": "include"],
    ]
    let advice: JSONValue = [
      "resource": [
        "resourceType": "OperationOutcome",
        "issue": [["severity": "warning", "code": "processing", "diagnostics": "slow today"]],
      ],
      "search": ["mode": "outcome"],
    ]
    let (data, _, _) = try await Self.open { target in
      target.hasPrefix("Patient?")
        ? .page([
          Self.patient("a", 10), subsetted, included, advice, ["resource": ["resourceType": "Patient"]], 7,
          ["resource": ["id": "x"]],
        ]) : nil
    }
    for _ in 0..<2 {
      let report = try await Self.sync(data)
      #expect(report.outcome == .complete)
      #expect(
        report.warnings.contains { $0.contains("slow today") }
          && report.warnings.contains { $0.contains("Patient/cut") })
    }
    #expect(try await Self.known(data).keys.sorted() == ["a"])
    #expect(try await Self.scope(data).watermark?.text == "2026-11-30T09:00:10Z")
    let counts = try await data.store.read { transaction throws(AppError) in
      try transaction.first(
        "SELECT (SELECT count(*) FROM unreadable), (SELECT count(*) FROM resource WHERE type = 'Location')"
      ) { row throws(SQLiteError) in [row.integer(0), row.integer(1)] } ?? []
    }
    #expect(counts == [3, 1])
    await data.close()
  }

  @Test("one type that is not there does not keep the others", arguments: [404, 400, 403, 501])
  func missingType(status: Int) async throws {
    let (data, _, _) = try await Self.open { target in
      if target.hasPrefix("Practitioner?") {
        return .document(["resourceType": "OperationOutcome", "issue": []], status: status)
      }
      return target.hasPrefix("Patient?") ? .page([Self.patient("a", 1)]) : nil
    }
    let report = try await Self.sync(data)
    #expect(try await Self.known(data).count == (status == 501 ? 0 : 1) || report.warnings.isEmpty == false)
    await data.close()
  }

  @Test(
    "a page that is no FHIR stops the pull and is not data",
    arguments: [
      (200, "text/html", "<html>Sign in</html>"), (200, "application/fhir+json", "{\"resourceType\":\"Bund"),
      (200, "application/json", "{}"), (302, "text/html", ""), (200, "application/fhir+json", ""),
    ])
  func notFHIR(status: Int, type: String, body: String) async throws {
    let (data, _, _) = try await Self.open { target in
      target.hasPrefix("Patient?") ? .answer(status, type, Array(body.utf8)) : nil
    }
    guard case .unreachable(let error) = try await Self.sync(data).outcome else {
      Issue.record("taken for data")
      return
    }
    #expect(error.code == .notFHIR)
    #expect(try await Self.scope(data).completed == nil)
    await data.close()
  }

  @Test("a page that shows an older version than is known is checked by a reading", arguments: [true, false])
  func laggingPage(isRestored: Bool) async throws {
    let (data, transport, world) = try await Self.open { target in
      target.hasPrefix("Patient?") ? .page([Self.patient("a", 40, version: "2", phone: "new")]) : nil
    }
    _ = try await Self.sync(data)
    // A list is not believed at once after the record was confirmed.
    world.advance(seconds: 20)
    transport.play(
      Self.script(history: false) { target in
        let now = Self.patient(
          "a", isRestored ? 20 : 40, version: isRestored ? "1" : "2", phone: isRestored ? "old" : "new")
        if target == "Patient/a" { return .document(now["resource"] ?? .null) }
        return target.hasPrefix("Patient?") ? .page([Self.patient("a", 20, version: "1", phone: "old")]) : nil
      })
    _ = try await Self.sync(data)
    #expect(try await Self.known(data) == ["a": isRestored ? "old" : "new"])
    #expect(transport.sent.count { $0 == "GET Patient/a" } == 1)
    await data.close()
  }
}
