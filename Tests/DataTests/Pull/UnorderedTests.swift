@testable import Data
import Domain
import JSON
import Synchronization
import TestSupport
import Testing

/// Where rows are not listed in the order of time, a later stamp does not mean that everything before it was seen.
@Suite("Pull: servers that ignore the order")
struct UnorderedTests {
  @Test(
    "what is changed behind the page in hand, while a long pull lists later changes, is found by the next pull",
    arguments: [true, false])
  func changedDuringPull(tellsTime: Bool) async throws {
    let server = Self.server(tellsTime: tellsTime)
    server.beforeNextPage { Self.changeBothSides(of: $0) }
    let (data, _, _) = try await PagedServer.open(orders: false) { server.page($0) }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data)["a"] == "1")
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data) == server.versions)
    await data.close()
  }

  @Test(
    "what is changed behind the place at which a pull was cut is found once it has gone on",
    arguments: [true, false])
  func changedDuringCut(stamps: Bool) async throws {
    let server = Self.server(stamps: stamps)
    server.isDown = true
    let (data, transport, _) = try await PagedServer.open(orders: false) { server.page($0) }
    guard case .unreachable = try await PagedServer.sync(data).outcome else {
      Issue.record("not cut")
      return
    }
    Self.changeBothSides(of: server)
    server.isDown = false
    let before = transport.sent.count
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(transport.sent.dropFirst(before).first { $0.hasPrefix("GET Patient") } == "GET Patient?p=2")
    #expect(try await PagedServer.known(data) == server.versions)
    await data.close()
  }

  @Test("a list without order is not listed as a whole again, although its latest row is not on its first page")
  func listedOnce() async throws {
    let server = UnorderedServer()
    for id in "abdcfe" {
      server.write(String(id))
      server.advance(seconds: 600)
    }
    let (data, transport, _) = try await PagedServer.open(orders: false) { server.page($0) }
    _ = try await PagedServer.sync(data)
    server.write("g")
    let before = transport.sent.count
    _ = try await PagedServer.sync(data)
    #expect(transport.sent.dropFirst(before).count { $0.contains("p=") } == 0, "\(transport.sent.dropFirst(before))")
    #expect(try await PagedServer.known(data) == server.versions)
    await data.close()
  }

  @Test("rows whose first page happens to be in order are all found", arguments: ["acdefb", "abdcfe", "abcdef"])
  func orderedByChance(made: String) async throws {
    let server = UnorderedServer()
    for id in made {
      server.write(String(id))
      server.advance(seconds: 600)
    }
    let (data, transport, _) = try await PagedServer.open(orders: false) { server.page($0) }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data) == server.versions, "\(transport.sent)")
    await data.close()
  }

  @Test("rows behind many of one stamp are all found, although the last of those was changed since")
  func orderedByChanceAfterMany() async throws {
    let server = UnorderedServer()
    for id in "abcefgh" { server.write(String(id)) }
    server.advance(seconds: 600)
    server.write("d")
    let (data, transport, _) = try await PagedServer.open(orders: false) { server.page($0) }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(try await PagedServer.known(data) == server.versions, "\(transport.sent)")
    await data.close()
  }

  @Test("a server is asked about its order once a pull, and only where a list has more than a page")
  func askedOnce() async throws {
    let rows = (1...3).map { group in (1...2).map { PagedServer.patient("p-\(group)\($0)", group * 10 + $0 * 2) } }
    let (data, transport, _) = try await PagedServer.open { target in
      if target.hasPrefix("Location?") {
        return .page([
          ["resource": ["resourceType": "Location", "id": "l", "meta": ["lastUpdated": "2026-11-30T09:00:00Z"]]]
        ])
      }
      guard target.hasPrefix("Patient?") else { return nil }
      let page = target.contains("ge") ? target.contains(":23") ? 2 : 1 : 0
      return .page(rows[page], next: page < 2 ? "?p=\(page + 1)" : nil)
    }
    #expect(try await PagedServer.sync(data).outcome == .complete)
    #expect(
      transport.sent.filter { $0.hasSuffix("_count=1") }
        == ["_lastUpdated", "-_lastUpdated"].map { "GET Patient?_sort=\($0)&_elements=id%2Cmeta&_count=1" })
    #expect(try await PagedServer.known(data).count == 6, "\(transport.sent)")
    await data.close()
  }

  @Test(
    "a pull that is stopped after every page comes to its end all the same, whether the server orders or not",
    arguments: [(true, true), (true, false), (false, true), (false, false)])
  func pageByPage(orders: Bool, isBudgeted: Bool) async throws {
    let server = ShiftingServer(rows: (0..<6).map { ShiftingServer.Row(id: "p-\($0)", second: $0 * 8) })
    let unordered = Self.server()
    let (data, transport, _) = try await PagedServer.open(orders: orders) {
      orders ? server.page($0) : unordered.page($0)
    }
    let client = FHIRClient(base: ModelTransport.base, transport: transport, nowSeconds: { 0 })
    let puller = Puller(
      store: data.store, client: client, progress: { _, _, _ in }, isBudgeted: isBudgeted)
    var runs = 0
    while try await PagedServer.scope(data).completed == nil, runs < 20 {
      let pages = Mutex(1)
      _ = try await puller.pull(PullPass(.whole("Patient"))) {
        pages.withLock { pages in
          pages -= 1
          return pages >= 0
        }
      }
      runs += 1
    }
    #expect(try await PagedServer.known(data).count == 6)
    // Pages overlap by a row where they are asked for by time.
    #expect(runs == (orders ? 5 : 3))
    await data.close()
  }

  @Test(
    "a server orders by time where the first rows in both directions are others, and the page lies between them",
    arguments: [
      (("a", 10), ("b", 20), true), (("a", 10), ("b", 30), true), (("c", 20), ("b", 20), true),
      (("a", 20), ("a", 20), false), (("a", 30), ("b", 40), false), (("a", 10), ("b", 19), false),
      (("a", 10), nil, false), (nil, nil, false),
    ] as [((String, Int)?, (String, Int)?, Bool)])
  func order(oldest: (String, Int)?, newest: (String, Int)?, isKept: Bool) async throws {
    let transport = ScriptedTransport { _, target in
      let row = target.contains("_sort=-") ? newest : oldest
      return .page(row.map { [PagedServer.patient($0.0, $0.1)] } ?? [])
    }
    let client = FHIRClient(base: ModelTransport.base, transport: transport, nowSeconds: { 0 })
    let since = Instant(secondsSince1970: 1_796_000_400)
    let page = try #require(
      BundleReader.read([
        "resourceType": "Bundle", "entry": [PagedServer.patient("x", 10), PagedServer.patient("y", 20)],
      ]))
    let pass = PullPass(PullScope(type: "Patient", filter: [PullScope.Parameter(name: "active", value: "true")]))
    let order = try await TimeOrder.ask(client, .updated(since: since), pass, around: page)
    #expect(order == (isKept ? .kept : .notKept))
    #expect(
      transport.sent.allSatisfy { $0.hasPrefix("GET Patient?active=true&_lastUpdated=ge2026-11-30T01:00:00Z&_sort=") })
  }

  @Test("a single failure of the server does not make a pull go by links")
  func failedOnce() async throws {
    let isFirst = Mutex(true)
    let server = ShiftingServer(rows: (0..<6).map { ShiftingServer.Row(id: "p-\($0)", second: $0 * 8) })
    let (data, transport, _) = try await PagedServer.open(orders: false) { target in
      guard target.hasPrefix("Patient?"), target.hasSuffix("_count=1") else { return server.page(target) }
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }; return isFirst
      }) {
        return .answer(500)
      }
      return .page([target.contains("_sort=-") ? PagedServer.patient("p-5", 40) : PagedServer.patient("p-0", 0)])
    }
    let report = try await PagedServer.sync(data)
    #expect(report.outcome == .complete && report.warnings == [])
    #expect(!transport.sent.contains { $0.contains("p=2") }, "\(transport.sent)")
    #expect(try await PagedServer.known(data).count == 6)
    await data.close()
  }

  @Test(
    "a pull stops where the server does not tell just then whether it orders, and goes by links where it never does",
    arguments: [503, 502, 429, 500, 400, 404])
  func orderUnknown(status: Int) async throws {
    let isBusy = Mutex(true)
    let (data, transport, _) = try await PagedServer.open(orders: false) { target in
      if target.hasSuffix("_count=1"), isBusy.withLock({ $0 }) { return .answer(status) }
      if target == "Patient?p=2" { return .page([PagedServer.patient("c", 30)]) }
      return target.hasPrefix("Patient?")
        ? .page([PagedServer.patient("a", 10), PagedServer.patient("b", 20)], next: "?p=2") : nil
    }
    let report = try await PagedServer.sync(data)
    let outcome = report.outcome
    #expect(report.warnings.contains { $0.contains("orders by time") } == [500, 400, 404].contains(status))
    if [503, 502, 429].contains(status) {
      #expect(outcome != .complete && !transport.sent.contains("GET Patient?p=2"))
      #expect(try await PagedServer.scope(data).completed == nil)
      // What was read by then is kept.
      #expect(try await PagedServer.known(data).keys.sorted() == ["a", "b"])
      isBusy.withLock { $0 = false }
      _ = try await PagedServer.sync(data)
    }
    #expect(try await PagedServer.scope(data).completed != nil)
    #expect(try await PagedServer.known(data).keys.sorted() == ["a", "b", "c"])
    await data.close()
  }

  /// Six rows, the later ones first in time.
  private static func server(stamps: Bool = true, tellsTime: Bool = true) -> UnorderedServer {
    let server = UnorderedServer(stamps: stamps, tellsTime: tellsTime)
    for id in ["f", "e", "d", "c", "b", "a"] {
      server.write(id)
      server.advance(seconds: 600)
    }
    return server
  }

  /// A row of the first page is changed, and much later one of the second.
  private static func changeBothSides(of server: UnorderedServer) {
    server.advance(seconds: 60)
    server.write("a")
    server.advance(seconds: 600)
    server.write("d")
    server.advance(seconds: 60)
  }
}
