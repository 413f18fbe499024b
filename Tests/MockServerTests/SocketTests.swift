import Foundation
import JSON
import MockServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct ListenerTests {
  @Test func `requests come and go over a real socket`() async throws {
    let server = try await MockServer.start(model: MockModel.standing())
    let port = server.port
    let text = patient("a", "Ångström").text()
    let seen = [
      await PlainClient.send(port, "PUT", "/fhir/Patient/a", body: text),
      await PlainClient.send(port, "GET", "/fhir/Patient?family=%C3%85ng&_summary=count"),
      await PlainClient.send(port, "DELETE", "/fhir/Patient/a", headers: "If-Match: W/\"9\"\r\n"),
      await PlainClient.send(port, "DELETE", "/fhir/Patient/a"),
      await PlainClient.send(port, "HEAD", "/fhir/Patient/a"),
      await PlainClient.send(port, "GET", "/other"),
    ]
    #expect(seen.map(\.status) == [201, 200, 412, 204, 410, 404])
    #expect(seen[0].body.contains("Ångström") && seen[1].body.contains(#""total":1"#))
    #expect(seen[1].body.contains(#""url":"\#(server.baseURL)/Patient?"#))
    await server.stop()
    await server.stop()
    #expect(await PlainClient.send(port, "GET", "/fhir/metadata").isBroken)
  }

  @Test func `large bodies pass, and a taken port is told`() async throws {
    let server = try await MockServer.start(model: MockModel.standing())
    let note = String(repeating: "note ", count: 600_000)
    let sent: JSONValue = ["resourceType": "Basic", "id": "big", "text": .string(note)]
    let status = await PlainClient.send(server.port, "PUT", "/fhir/Basic/big", body: sent.text()).status
    #expect(status == 201 && server.model.resource("Basic", "big")?["text"] == .string(note))
    await #expect(throws: MockServerError.self) {
      try await MockServer.start(model: MockModel.standing(), port: server.port)
    }
    await server.stop()
  }

  @Test func `a held answer waits its time, holds up nobody else, and is given up when the server stops`() async throws
  {
    let server = try await MockServer.start(model: MockModel.standing())
    server.model.add(MockFault(path: "slow", effect: .delay(milliseconds: 50)))
    server.model.add(MockFault(path: "never", effect: .delay(milliseconds: 3_600_000)))
    async let held = PlainClient.send(server.port, "GET", "/fhir/never")
    while server.model.exchanges.isEmpty { await Task.yield() }
    let start = ContinuousClock.now
    let slow = await PlainClient.send(server.port, "GET", "/fhir/slow").status
    let waited = ContinuousClock.now - start
    let other = await PlainClient.send(server.port, "GET", "/fhir/metadata").status
    #expect(slow == 404 && waited >= .milliseconds(50) && other == 200)
    await server.stop()
    _ = await held
  }
}

@Suite(.timeLimit(.minutes(10))) struct RelayTests {
  private func withRelay(_ body: (MockServer, MockRelay) async throws -> Void) async throws {
    let server = try await MockServer.start(model: MockModel.standing())
    let relay = try await MockRelay.start(to: server.baseURL)
    try await body(server, relay)
    relay.stop()
    await server.stop()
  }

  private func put(_ relay: MockRelay, _ id: String) async -> Seen {
    await PlainClient.send(relay.port, "PUT", "/fhir/Patient/\(id)", body: patient(id).text())
  }

  @Test func `what no rule catches passes unchanged, and links lead through the relay`() async throws {
    try await withRelay { server, relay in
      server.model.load([patient("a"), patient("b")])
      let seen = await PlainClient.send(relay.port, "GET", "/fhir/Patient?_count=1")
      #expect(seen.status == 200 && !seen.isCut && seen.body.contains("\(relay.baseURL)?_page="))
      #expect(relay.exchanges == [.init(method: "GET", target: "/fhir/Patient?_count=1", effect: nil, status: 200)])
    }
  }

  @Test(
    "each effect breaks the exchange as it says",
    arguments: [
      (MockRelay.Effect.cutRequest(afterBytes: 120), false, Seen()), (.cutRequest(afterBytes: 0), false, Seen()),
      (.resetRequest, false, Seen(isBroken: true)), (.swallowAnswer, true, Seen()),
      (.resetAnswer, true, Seen(isBroken: true)),
      (.truncateAnswer(atByte: 10), true, Seen()),
    ])
  func effects(effect: MockRelay.Effect, isApplied: Bool, expected: Seen) async throws {
    try await withRelay { server, relay in
      relay.add(.init(method: "PUT", path: "/Patient/", skip: 1, effect: effect))
      let statuses = [
        await put(relay, "a").status, await PlainClient.send(relay.port, "GET", "/fhir/Patient/a").status,
      ]
      let broken = await put(relay, "b")
      let after = await put(relay, "c").status
      #expect(broken == expected && statuses == [201, 200] && after == 201)
      #expect(server.model.log.map(\.id) == (isApplied ? ["a", "b", "c"] : ["a", "c"]))
    }
  }

  @Test func `an answer can end in the middle of its body, or come drop by drop`() async throws {
    try await withRelay { server, relay in
      let answer = server.model.handle(MockRequest("GET", "/fhir/metadata"))
      relay.add(.init(effect: .truncateAnswer(atByte: 900)), .init(effect: .drip(bytes: 60_000, everyMilliseconds: 20)))
      let cut = await PlainClient.send(relay.port, "GET", "/fhir/metadata")
      let start = ContinuousClock.now
      let dripped = await PlainClient.send(relay.port, "GET", "/fhir/metadata")
      #expect(cut.status == 200 && cut.isCut && !dripped.isCut && dripped.body.utf8.count > answer.body.count - 100)
      #expect(ContinuousClock.now - start >= .milliseconds(20))
    }
  }

  /// Whether the system would give a port of this machine to somebody.
  private func isFree(_ port: UInt16) -> Bool {
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(other) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  @Test func `a relay that is down refuses, and comes up on its port`() async throws {
    try await withRelay { _, relay in
      relay.goDown()
      let refused = await put(relay, "a")
      #expect(!isFree(relay.port))
      try relay.comeUp()
      let taken = await put(relay, "a")
      #expect(refused == Seen(isBroken: true) && taken.status == 201 && !relay.isDown)
    }
  }

  @Test func `a held answer is cut when the relay goes down`() async throws {
    try await withRelay { server, relay in
      relay.add(.init(effect: .holdAnswer(milliseconds: 3_600_000)))
      async let held = put(relay, "a")
      while server.model.log.isEmpty { await Task.yield() }
      relay.goDown()
      #expect(await held.status == nil)
    }
  }
}
