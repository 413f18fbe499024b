@testable import Data
import Domain
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@Suite("Pull: pages, links, stamps")
struct PagingTests {
  @Test(
    "links to the next page are followed as they stand, absolute or not",
    arguments: [
      ModelTransport.base + "?_getpages=2", "?_getpages=2", "/fhir?_getpages=2",
      ModelTransport.base + "/Patient?page=2&_getpages=2",
    ])
  func links(next: String) async throws {
    let (data, transport, _) = try await PagedServer.open { target in
      if target.contains("_getpages") { return .page([PagedServer.patient("b", 2)]) }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 1)], next: next) : nil
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data).keys.sorted() == ["a", "b"], "\(transport.sent)")
    await data.close()
  }

  @Test(
    "a link to another origin is not followed, and the sync says so",
    arguments: [
      "https://127.0.0.1/fhir?p=2", "http://evil.example/fhir?p=2", "http://127.0.0.1:81/fhir?p=2", "//evil.example/x",
      "http://[bad",
    ])
  func foreignLink(next: String) async throws {
    let (data, transport, _) = try await PagedServer.open { target in
      target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 1)], next: next) : nil
    }
    guard case .unreachable(let error) = try await PagedServer.sync(data).outcome, error.code == .notFHIR else {
      Issue.record("not refused")
      return
    }
    #expect(transport.sent.allSatisfy { !$0.contains("p=2") && !$0.contains("evil") })
    #expect(try await PagedServer.scope(data).completed == nil)
    await data.close()
  }

  @Test(
    "links that go round in circles, or expire, end in a warning, keep what came, and begin anew the next time",
    arguments: ["circle", "expired"])
  func badLinks(kind: String) async throws {
    let (data, transport, _) = try await PagedServer.open { target in
      if target.contains("_getpages") {
        return kind == "circle" ? .page([PagedServer.patient("b", 2)], next: "?_getpages=2") : .answer(410)
      }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 1)], next: "?_getpages=2") : nil
    }
    let report = try await PagedServer.sync(data)
    #expect(report.warnings.contains { $0.hasPrefix("Patient was not pulled to its end") }, "\(report.warnings)")
    #expect(try await PagedServer.scope(data).watermark == nil)
    #expect(transport.sent.count < 30)
    transport.play(
      PagedServer.script(history: false) { $0.hasPrefix("Patient?") ? .page([PagedServer.patient("c", 3)]) : nil })
    _ = try await PagedServer.sync(data)
    #expect(try await PagedServer.known(data)["c"] == "1")
    #expect(try await PagedServer.scope(data).watermark?.text == "2026-11-30T09:00:03Z")
    await data.close()
  }

  @Test("the store's log stays short during a long pull")
  func shortLog() async throws {
    let padding = JSONValue.string(String(repeating: "x", count: 1_000_000))
    let (data, _, _) = try await PagedServer.open { target in
      let page = target.split(separator: "p=").dropFirst().first.flatMap { Int($0) } ?? 0
      guard page > 0 || target.hasPrefix("Patient?") else { return nil }
      var entry = PagedServer.patient("p-\(page)", page)
      entry["resource"]?["padding"] = padding
      return .page([entry], next: page < 19 ? "?p=\(page + 1)" : nil)
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data).count == 20)
    #expect(data.store.files.logSize() < 12_000_000)
    await data.close()
  }

  @Test("an empty page in the middle is no end")
  func emptyPage() async throws {
    let (data, _, _) = try await PagedServer.open { target in
      if target.contains("p=2") { return .page([], next: "?p=3") }
      if target.contains("p=3") { return .page([PagedServer.patient("b", 2)]) }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 1)], next: "?p=2") : nil
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data).count == 2)
    await data.close()
  }

  @Test(
    "the next pull asks from behind the latest stamp seen, by the server's clock, whatever ours says",
    arguments: [0, 86_400, -86_400] as [Int64])
  func watermark(skew: Int64) async throws {
    let (data, transport, world) = try await PagedServer.open { target in
      target.hasPrefix("Patient?")
        ? .page([PagedServer.patient("a", 30), PagedServer.patient("b", 30), PagedServer.patient("c", 10)]) : nil
    }
    world.turnClock(seconds: skew)
    _ = try await PagedServer.sync(data)
    _ = try await PagedServer.sync(data)
    let asked = transport.sent.last { $0.hasPrefix("GET Patient?") }
    #expect(
      asked?.contains("_lastUpdated=ge2026-11-30T08:58:30Z") == true
        || asked?.contains("ge2026-11-30T08%3A58%3A30Z") == true, "\(asked ?? "")")
    await data.close()
  }

  @Test("a change that becomes visible late, with an earlier stamp, is found")
  func lateCommit() async throws {
    let (data, transport, _) = try await PagedServer.open {
      $0.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 40)]) : nil
    }
    _ = try await PagedServer.sync(data)
    transport.play(
      PagedServer.script(history: false) {
        $0.hasPrefix("Patient?") ? .page([PagedServer.patient("late", 20), PagedServer.patient("a", 40)]) : nil
      })
    _ = try await PagedServer.sync(data)
    #expect(try await PagedServer.known(data).keys.sorted() == ["a", "late"])
    await data.close()
  }

  @Test(
    "a pass that is cut between pages goes on where it was, and the watermark moves only at the end",
    arguments: [false, true])
  func resumption(isLost: Bool) async throws {
    let isDown = Mutex(true)
    let (data, transport, _) = try await PagedServer.open { target in
      if target.contains("_lastUpdated=ge") {
        if isDown.withLock({ $0 }) { return .answer(isLost ? 502 : 500) }
        return .page([PagedServer.patient("b", 12), PagedServer.patient("c", 20)])
      }
      return target.hasPrefix("Patient?")
        ? .page([PagedServer.patient("a", 10), PagedServer.patient("b", 12)], next: "?p=2") : nil
    }
    guard case .unreachable = try await PagedServer.sync(data).outcome else {
      Issue.record("not cut")
      return
    }
    #expect(try await PagedServer.known(data).keys.sorted() == ["a", "b"])
    #expect(try await PagedServer.scope(data).watermark == nil)
    isDown.withLock { $0 = false }
    let before = transport.sent.count
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(transport.sent.dropFirst(before).filter { $0.hasPrefix("GET Patient?_sort") } == [])
    #expect(try await PagedServer.known(data).keys.sorted() == ["a", "b", "c"])
    #expect(try await PagedServer.scope(data).watermark?.text == "2026-11-30T09:00:20Z")
    await data.close()
  }

  @Test(
    "of more rows of one stamp than a page holds none is lost, whichever of them is changed while they are listed",
    arguments: 0..<6)
  func shiftingRows(changed: Int) async throws {
    let ids = ["a", "b", "c", "d", "e", "f"]
    let server = ShiftingServer(rows: ids.map { ShiftingServer.Row(id: $0, second: 10) })
    let (data, transport, _) = try await PagedServer.open { server.page($0) }
    // Each is changed as soon as it was shown, once.
    server.whenShown { shown in shown.contains(ids[changed]) ? ids[changed] : nil }
    let report = try await PagedServer.sync(data)
    #expect(report.outcome == .complete && report.warnings == [])
    #expect(try await PagedServer.known(data).keys.sorted() == ids, "\(transport.sent)")
    #expect(try await PagedServer.known(data)[ids[changed]] == "2")
    #expect(report.types.first { $0.type == "Patient" }.map(\.pulled) == 7)
    await data.close()
  }

  @Test("where something moves with every page, reading ends all the same, and nothing that was shown is lost")
  func neverStill() async throws {
    let ids = ["a", "b", "c", "d", "e", "f"]
    let server = ShiftingServer(rows: ids.map { ShiftingServer.Row(id: $0, second: 10) })
    let (data, transport, _) = try await PagedServer.open { server.page($0) }
    server.whenShown { _ in nil }
    let new = Mutex(0)
    server.whenListed {
      new.withLock { number in
        number += 1
        return ShiftingServer.Row(id: "n-\(number)", second: 10)
      }
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(Set(ids).isSubset(of: try await PagedServer.known(data).keys))
    #expect(transport.sent.count < 300)
    await data.close()
  }

  @Test("a pass whose links expire goes on from the stamp that it has reached, however often they do")
  func expiringLinks() async throws {
    let rows = (1...5).flatMap { group in
      ["a", "b", "c"].map { ShiftingServer.Row(id: "\($0)\(group)", second: group * 5) }
    }
    let server = ShiftingServer(rows: rows)
    server.linksLast = false
    let (data, transport, _) = try await PagedServer.open { server.page($0) }
    let report = try await PagedServer.sync(data)
    #expect(report.outcome == .complete && report.warnings == [])
    #expect(try await PagedServer.known(data).count == 15)
    // The first rows are asked for when the pass begins, once more when their link expired, and once more to compare.
    #expect(
      transport.sent.count { $0 == "GET Patient?_sort=_lastUpdated&_count=200" } <= 3, "\(transport.sent)")
    await data.close()
  }

  @Test("where the links of a history never last, the changes are searched for, and the sync says so")
  func historyWithoutLinks() async throws {
    let (data, transport, _) = try await PagedServer.open(history: true) { target in
      if target.contains("p=2") { return .answer(410) }
      if target.contains("_history") {
        return .page([PagedServer.history("b", 50, version: "2")], next: "?p=2", type: "history")
      }
      guard target.hasPrefix("Patient?") else { return nil }
      return target.contains("_lastUpdated=ge")
        ? .page([
          PagedServer.patient("a", 40, version: "2", phone: "2"),
          PagedServer.patient("b", 50, version: "2", phone: "2"),
        ])
        : .page([PagedServer.patient("a", 10), PagedServer.patient("b", 10)])
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    let report = try await PagedServer.sync(data)
    #expect(report.outcome == .complete)
    #expect(report.warnings.contains { $0.contains("the links of its history do not last") }, "\(report.warnings)")
    #expect(try await PagedServer.known(data) == ["a": "2", "b": "2"])
    #expect(transport.sent.count { $0.contains("_history?_since") } == 2)
    await data.close()
  }

  @Test("a history that is cut and taken up again never goes back to an older version, nor undoes a deletion")
  func historyResumption() async throws {
    let isDown = Mutex(true)
    let (data, _, _) = try await PagedServer.open(history: true) { target in
      if target.contains("p=2") {
        if isDown.withLock({ $0 }) { return .answer(500) }
        return .page(
          [PagedServer.history("a", 20, version: "2"), PagedServer.history("b", 15, version: "1")], type: "history")
      }
      if target.contains("_history") {
        return .page(
          [PagedServer.history("b", 50, version: "2", deleted: true), PagedServer.history("a", 40, version: "3")],
          next: "?p=2",
          type: "history")
      }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 10), PagedServer.patient("b", 10)]) : nil
    }
    _ = try await PagedServer.sync(data)
    _ = try await PagedServer.sync(data)
    // Deletions are counted at the end of the pass, and then go.
    #expect(try await PagedServer.known(data) == ["a": "3", "b": "1"])
    isDown.withLock { $0 = false }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data) == ["a": "3"])
    await data.close()
  }

  @Test("a history whose later pages forget since when ends where the known begins")
  func sinceDropped() async throws {
    let (data, transport, _) = try await PagedServer.open(history: true) { target in
      if target.contains("p=") {
        return .page(
          [PagedServer.history("old", 1, version: "1")].map { entry in
            var entry = entry
            entry["resource"]?["meta"]?["lastUpdated"] = "2020-01-01T00:00:00Z"
            return entry
          }, next: "?p=\(target.count)", type: "history")
      }
      if target.contains("_history") {
        return .page([PagedServer.history("a", 50, version: "2")], next: "?p=2", type: "history")
      }
      return target.hasPrefix("Patient?") ? .page([PagedServer.patient("a", 30)]) : nil
    }
    _ = try await PagedServer.sync(data)
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(transport.sent.count { $0.contains("p=") } == 1)
    #expect(try await PagedServer.known(data) == ["a": "2"])
    await data.close()
  }
}
