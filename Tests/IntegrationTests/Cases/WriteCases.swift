import Foundation
import JSON
import Testing
import TestSupport

/// Writes whose answers were late, refused, or somebody else's.
@Suite(.fewAtATime) struct WriteCases {
  @Test func `If-Match repeats the server's tag, and a refusal of it goes to a person`() async throws {
    try await CaseStub.with("case-27-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-27 --fresh")
        try await desk.done("patients edit p-27 --phone", "+00 555 2727")
        let first = try await desk.run("sync")
        let second = try await desk.run("sync")
        #expect([first.status, second.status] == [3, 3], "\(first)\(second)")
        let puts = try stub.writes()
        #expect(puts.map { $0.headers["if-match"] } == [#"W/"7""#])
        let items = try await desk.review()
        #expect(items.count == 1 && items.first?["elements"]?.array?.isEmpty == false, "\(items)")
        let shown = try await desk.done("patients show p-27").output
        #expect(shown.contains("+00 555 2727"))
        try await desk.done("review 1 --keep mine --yes")
        let third = try await desk.run("sync")
        #expect(third.status == 0, "\(third)")
        #expect(try stub.writes().count == 2 && desk.unsent() == 0)
      }
    }
  }

  @Test("a pulse whose answer timed out is saved once", arguments: ["sending", "ambiguous"])
  func timeout(killedWhile state: String) async throws {
    let rule = #"1 GET /Patient/p-29$ BODY {"resourceType":"Patient","id":"p-29","name":[{"family":"Late"}]}"#
    try await CaseStub.with("case-29-plan", adding: [rule]) { stub in
      try await Desk.with(server: stub.base, environment: ["CLINIC_TIMEOUT": "3"]) { desk in
        try await desk.done("patients show p-29 --fresh")
        try await desk.done("vitals add pulse 72 --patient p-29")
        let first = try desk.start("sync")
        try await eventually { try desk.query("SELECT state FROM outbox") == [state] && !stub.writes().isEmpty }
        first.send(SIGKILL)
        try await first.finished()
        let between = try await desk.done("outbox").output
        #expect(
          between.contains("unknown, will check") || state == "sending" && between.contains("sending"), "\(between)")
        let second = try await desk.run("sync")
        let third = try await desk.run("sync")
        #expect(try [second.status, third.status] == [0, 0] && (desk.unsent()) == 0, "\(second)\(third)")
        let sent = try stub.writes()
        let identities = Set(sent.map { $0.headers["if-none-exist"] ?? $0.target })
        #expect(identities.count == 1 && !sent.isEmpty)
        let kept = try JSONValue(parsing: Array(try await PlainHTTP.send(stub.port, "GET", "/fhir/Observation").utf8))
        #expect(kept["total"] == 1)
        let listed = try await desk.done("vitals show --patient p-29 --json").records("observation")
        #expect(listed.count == 1 && listed.first?["pending"] == false)
        #expect(try desk.query("SELECT id FROM resource WHERE type = 'Observation' AND base IS NOT NULL") == ["srv-1"])
      }
    }
  }

  @Test(
    "a portal's page is no answer of the server's", arguments: [[String](), ["* GET /metadata EMPTY"]])
  func portal(rules: [String]) async throws {
    try await CaseStub.with("case-31-plan", adding: rules) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-31 --fresh")
        try await desk.done("vitals add pulse 71 --patient p-31")
        try await desk.done("patients edit p-31 --phone", "+00 555 3131")
        var runs: [Finished] = []
        while runs.count < 6, try desk.unsent() > 0 {
          runs.append(try await desk.run("sync"))
          let found = try await desk.done("patients search portal --json").records("patient")
          #expect(found.count == 1)
        }
        #expect(runs.last?.status == 0 && runs.dropLast().allSatisfy { $0.status == 4 }, "\(runs)")
        #expect(runs[0].errors.contains("text/html") && runs[0].errors.contains("200"), "\(runs[0])")
        #expect(!runs[0].errors.contains("<"), "\(runs[0])")
        let saved = try JSONValue(parsing: Array(try await PlainHTTP.send(stub.port, "GET", "/fhir/Patient/p-31").utf8))
        _ = saved
        let accepted = try desk.query("SELECT type FROM journal ORDER BY type")
        #expect(accepted == ["Observation", "Patient"])
        // What the portal swallowed never reached the server: each was kept once.
        let writes = try stub.writes()
        #expect(Set(writes.filter { $0.method == "POST" }.map { $0.headers["if-none-exist"] }).count == 1)
      }
    }
  }

  @Test func `a create answered by a redirect is not taken for done`() async throws {
    let rule = #"1 GET /Patient/p-35$ BODY {"resourceType":"Patient","id":"p-35","name":[{"family":"Moved"}]}"#
    try await CaseStub.with("case-35-plan", adding: [rule]) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-35 --fresh")
        try await desk.done("vitals add pulse 70 --patient p-35")
        let sync = try await desk.run("sync")
        #expect(sync.status == 4 && (sync.output + sync.errors).contains("/fhir/landing"), "\(sync)")
        #expect(try desk.unsent() == 1)
        #expect(try stub.writes().allSatisfy { $0.method == "POST" && !$0.body.isEmpty })
      }
    }
  }

  @Test func `a refused entry blocks nothing else, and its author's next edit amends it`() async throws {
    // Which of two creates in flight comes first is open: the one that depends on the refusal is found by its answer.
    let rules = (1...3).map {
      #"1 GET /Patient/p-\#($0)$ BODY {"resourceType":"Patient","id":"p-\#($0)","meta":{"versionId":"1"},"name":[{"family":"F\#($0)"}]}"#
    }
    try await CaseStub.with("case-37-plan", adding: rules) { stub in
      try await Desk.with(server: stub.base) { desk in
        for id in 1...3 { try await desk.done("patients show Patient/p-\(id) --fresh") }
        try await desk.done("vitals add pulse 300 --patient p-1 --yes")
        try await desk.done("vitals add pulse 70 --patient p-2")
        try await desk.done("patients edit p-3 --phone", "+00 555 0303")
        let first = try await desk.run("sync")
        let sent = try stub.writes().count
        let second = try await desk.run("sync")
        #expect([first.status, second.status] == [3, 3] && sent == 3, "\(first)")
        #expect(try stub.writes().count == sent)
        let entries = try await desk.outbox()
        let items = try await desk.review()
        #expect(entries.count == 1 && entries.first?["state"] == "review", "\(entries)")
        #expect(items.first?["explanation"]?.string?.contains("Pulse must be below 400") == true, "\(items)")
        let refused = entries.first?["id"]?.string ?? ""
        try await desk.done("vitals note \(refused) --text", "checked: it was that fast")
        let third = try await desk.run("sync")
        #expect(try third.status == 0 && (desk.unsent()) == 0, "\(third)")
        let amended = try stub.writes().last
        #expect(try stub.writes().count == sent + 1)
        #expect(amended?.document?["note"]?[0]?["text"] == "checked: it was that fast")
      }
    }
  }

  @Test("Retry-After as a date is understood by the server's own clock", arguments: ["0", "7200", "-7200"])
  func retryAfter(shift: String) async throws {
    let rule = #"1 GET /Patient/p-39$ BODY {"resourceType":"Patient","id":"p-39","name":[{"family":"Busy"}]}"#
    var environment = try await ShiftedClock.environment(at: "2026-11-30T10:00:00Z")
    environment["CLINIC_TEST_CLOCK_SHIFT"] = shift
    let wait = environment
    try await CaseStub.with("case-39-plan", adding: [rule]) { stub in
      try await Desk.with(server: stub.base, environment: wait) { desk in
        try await desk.done("patients show p-39 --fresh")
        try await desk.done("vitals add pulse 61 --patient p-39")
        try await desk.done("vitals add pulse 62 --patient p-39")
        let first = try await desk.run("sync")
        let answered = ContinuousClock.now
        let before = try stub.requests().count
        let second = try await desk.run("sync")
        let plan = try await desk.done("sync status --json").records("syncStatus").first
        #expect([first.status, second.status] == [8, 8], "\(first)\(second)")
        #expect(try stub.requests().count == before)
        #expect(plan?["throttledUntil"]?.string != nil)
        let due = try desk.query("SELECT (throttled_until - throttled_from) / 1000 FROM server")
        #expect(due.compactMap(Int.init).allSatisfy { (15...30).contains($0) }, "\(due)")
        guard shift == "0" else { return }
        try await Task.sleep(until: answered + .seconds(21))
        let third = try await desk.run("sync")
        let creates = try stub.writes().map { $0.headers["if-none-exist"] }
        #expect(try third.status == 0 && (desk.unsent()) == 0 && Set(creates).count == 2, "\(third)")
      }
    }
  }

  @Test func `a refresh leaves the unsent edit in the view, on what the server has now`() async throws {
    try await CaseStub.with("case-41-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-41 --fresh")
        try await desk.done("patients edit p-41 --offline --phone", "+00 555 9999")
        let sync = try await desk.run("sync")
        for _ in 1...2 {
          let shown = try await desk.done("patients show p-41 --fresh").output
          #expect(shown.contains("+00 555 9999") && shown.contains("Newtown") && !shown.contains("555 0001"))
        }
        let why = try await desk.done("why p-41 --json")
        let record = try await desk.done("patients show p-41 --json").records("patient").first
        #expect(try record?["pending"] == true && (why.records("explanation").first?["serverVersion"]) == "5")
        let entry = try why.records("outboxEntry").first
        let history = (entry?["history"]?.array ?? []).compactMap { $0["reason"]?.string }
        let puts = try stub.writes().map { $0.headers["if-match"] ?? "" }
        // On version 5 only after the merge was recorded.
        #expect(puts == [#"W/"5""#] && history.contains { $0.contains("version") }, "\(puts) \(history)\(sync)")
        #expect(sync.status == 8 || sync.status == 4, "\(sync)")
      }
    }
  }
}
