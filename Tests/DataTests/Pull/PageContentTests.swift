@testable import Data
import Domain
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Pull: what pages hold, and what is none")
struct PageContentTests {
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
    let (data, _, _) = try await PagedServer.open { target in
      target.hasPrefix("Patient?")
        ? .page([
          PagedServer.patient("a", 10), subsetted, included, advice, ["resource": ["resourceType": "Patient"]], 7,
          ["resource": ["id": "x"]],
        ]) : nil
    }
    for _ in 0..<2 {
      let report = try await PagedServer.sync(data)
      #expect(report.outcome == .complete)
      #expect(
        report.warnings.contains { $0.contains("slow today") }
          && report.warnings.contains { $0.contains("Patient/cut") })
    }
    #expect(try await PagedServer.known(data).keys.sorted() == ["a"])
    #expect(try await PagedServer.scope(data).watermark?.text == "2026-11-30T09:00:10Z")
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
    let (data, _, _) = try await PagedServer.open { target in
      if target.hasPrefix("Practitioner?") {
        return .document(["resourceType": "OperationOutcome", "issue": []], status: status)
      }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 1)]) : nil
    }
    let report = try await PagedServer.sync(data)
    #expect(report.outcome == .complete)
    #expect(report.warnings.contains { $0.contains("Practitioner") }, "\(report.warnings)")
    #expect(try await PagedServer.known(data).keys.sorted() == ["a"])
    await data.close()
  }

  @Test(
    "a page that is no FHIR stops the pull and is not data",
    arguments: [
      (200, "text/html", "<html>Sign in</html>"), (200, "application/fhir+json", "{\"resourceType\":\"Bund"),
      (200, "application/json", "{}"), (302, "text/html", ""), (200, "application/fhir+json", ""),
    ])
  func notFHIR(status: Int, type: String, body: String) async throws {
    let (data, _, _) = try await PagedServer.open { target in
      target.hasPrefix("Patient?") ? .answer(status, type, Array(body.utf8)) : nil
    }
    guard case .unreachable(let error) = try await PagedServer.sync(data).outcome else {
      Issue.record("taken for data")
      return
    }
    #expect(error.code == .notFHIR)
    #expect(try await PagedServer.scope(data).completed == nil)
    await data.close()
  }

  @Test("a page that shows an older version than is known is checked by a reading", arguments: [true, false])
  func laggingPage(isRestored: Bool) async throws {
    let (data, transport, world) = try await PagedServer.open { target in
      target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 40, version: "2", phone: "new")]) : nil
    }
    _ = try await PagedServer.sync(data)
    // A list is not believed at once after the record was confirmed.
    world.advance(seconds: 20)
    transport.play(
      PagedServer.script(history: false) { target in
        let now = PagedServer.patient(
          "a", isRestored ? 20 : 40, version: isRestored ? "1" : "2", phone: isRestored ? "old" : "new")
        if target == "Patient/a" { return .document(now["resource"] ?? .null) }
        return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 20, version: "1", phone: "old")]) : nil
      })
    _ = try await PagedServer.sync(data)
    #expect(try await PagedServer.known(data) == ["a": isRestored ? "old" : "new"])
    #expect(transport.sent.count { $0 == "GET Patient/a" } == 1)
    await data.close()
  }
}
