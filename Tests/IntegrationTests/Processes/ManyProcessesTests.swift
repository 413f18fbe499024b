import Foundation
import JSON
import MockServer
import Testing
import TestSupport

/// Several programs on one store.
@Suite(.fewAtATime) struct ManyProcessesTests {
  @Test("two syncs at the same moment send each write once", arguments: 0..<10)
  func twoSyncs(round: Int) async throws {
    // The seed of the case, in the lines of this program.
    let seed = try Cases.lines("case-43-seed.txt").map { line in
      line.replacing("visit vitals --patient p-43 --pulse", with: "vitals add --patient p-43 pulse")
    }
    let rule = #"1 GET /Patient/p-43$ BODY {"resourceType":"Patient","id":"p-43","name":[{"family":"Twice"}]}"#
    try await CaseStub.with("case-43-plan", adding: [rule]) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-43 --fresh")
        let script = try desk.file("seed.clinic", seed.joined(separator: "\n"))
        try await desk.done("run \(script) --offline")
        #expect(try desk.unsent() == 20)
        let both = [try desk.start("sync"), try desk.start("sync")]
        let ended = [try await both[0].finished(), try await both[1].finished()]
        #expect(ended.allSatisfy { [0, 6].contains($0.status) } && ended.contains { $0.status == 0 }, "\(ended)")
        #expect(ended.allSatisfy { !($0.output + $0.errors).contains("locked") })
        #expect(try desk.unsent() == 0)
        let kept = try JSONValue(parsing: Array(try await PlainHTTP.send(stub.port, "GET", "/fhir/Observation").utf8))
        let values = (kept["entry"]?.array ?? []).compactMap { $0["resource"]?["valueQuantity"]?["value"]?.int }
        #expect(values.sorted() == Array(60...79))
        #expect(try stub.writes().count == 20)
      }
    }
  }

  @Test func `four programs write while a fifth sends over a line that comes and goes`() async throws {
    let lines = Scale.times(50)
    try await Desk.with { desk in
      try (1...4).forEach { try desk.serve(patient("p-\($0)", phone: "0")) }
      try await MockServerProcess.with(["--load", "\(desk.folder)/served"]) { mock in
        let relay = try await MockRelay.start(to: mock.base)
        defer { relay.stop() }
        let shared = Desk(folder: desk.folder, server: relay.baseURL, environment: ["CLINIC_TIMEOUT": "5"])
        try await shared.done("sync")
        let writers = try (1...4).map { writer in
          // Each edits its own patient in order, and records a pulse now and then.
          let script = (1...lines).map { line in
            line % 5 == 0
              ? "vitals add pulse \(40 + line % 100) --patient p-\(writer)"
              : "patients edit p-\(writer) --phone \(line)"
          }
          let file = try shared.file("writer-\(writer).clinic", script.joined(separator: "\n"))
          return try shared.start("run \(file)") { $0.limit = .seconds(200 * Scale.factor) }
        }
        var random = SeededNumbers(4)
        var ended: [Finished] = []
        while ended.isEmpty || writers.contains(where: \.isRunning) {
          let sync = try shared.start("sync --max-time 20s")
          try await Task.sleep(for: .milliseconds(Int.random(in: 100...800, using: &random)))
          relay.goDown()
          try await Task.sleep(for: .milliseconds(Int.random(in: 50...300, using: &random)))
          try relay.comeUp()
          ended.append(try await sync.finished())
        }
        for writer in writers {
          let written = try await writer.finished()
          #expect(written.status == 0, "\(written)")
        }
        #expect(ended.allSatisfy { [0, 4, 8].contains($0.status) }, "\(ended)")
        for _ in 1...3 where try shared.unsent() > 0 { try await shared.run("sync") }
        #expect(try shared.unsent() == 0)
        try await check(mock, lines: lines)
      }
    }
  }

  private func check(_ mock: MockServerProcess, lines: Int) async throws {
    for writer in 1...4 {
      let phones = try await mock.versions("Patient/p-\(writer)").compactMap {
        $0["telecom"]?[0]?["value"]?.string.flatMap { Int($0) }
      }
      // Newest first. Edits may be sent as one, but never out of order, and the last one is there.
      let last = (1...lines).last { $0 % 5 != 0 }
      #expect(phones.first == last && Set(phones).count == phones.count, "\(phones)")
      #expect(phones == phones.sorted(by: >))
    }
    let expected = (1...4).flatMap { writer in
      (1...lines).filter { $0 % 5 == 0 }.map { "Patient/p-\(writer) \(40 + $0 % 100)" }
    }
    let pulses = try await mock.resources("Observation").map {
      "\($0["subject"]?["reference"]?.string ?? "") \($0["valueQuantity"]?["value"]?.number?.text ?? "")"
    }
    #expect(pulses.sorted() == expected.sorted())
  }

  @Test func `a sync that sleeps in the middle of a send, longer than its timeout, sends nothing twice`() async throws {
    try await Desk.with { desk in
      try desk.serve(patient("p-1", phone: "0"))
      try await MockServerProcess.with(["--load", "\(desk.folder)/served"]) { mock in
        let relay = try await MockRelay.start(to: mock.base)
        defer { relay.stop() }
        let shared = Desk(folder: desk.folder, server: relay.baseURL, environment: ["CLINIC_TIMEOUT": "2"])
        try await shared.done("sync")
        for pulse in 70...74 { try await shared.done("vitals add pulse \(pulse) --patient p-1") }
        relay.add(
          MockRelay.Rule(method: "PUT", path: "Observation", times: nil, effect: .holdAnswer(milliseconds: 1_000)))
        let asleep = try shared.start("sync")
        try await eventually { try await mock.log().count >= 1 }
        asleep.send(SIGSTOP)
        let other = try await shared.run("sync")
        try await Task.sleep(for: .seconds(3))
        let again = try await shared.run("sync")
        asleep.send(SIGCONT)
        let woken = try await asleep.finished()
        relay.removeRules()
        let last = try await shared.run("sync")
        #expect([other.status, again.status, last.status] == [6, 6, 0], "\(other)\(again)\(last)")
        #expect([0, 4, 8].contains(woken.status), "\(woken)")
        #expect(other.errors.contains("process \(asleep.processID)"), "\(other)")
        let pulses = try await mock.resources("Observation").compactMap { $0["valueQuantity"]?["value"]?.int }
        #expect(pulses.sorted() == Array(70...74))
        #expect(try await mock.log().count == 5 && (try shared.unsent()) == 0)
      }
    }
  }
}
