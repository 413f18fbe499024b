import Foundation
import JSON
import MockServer
import Testing
import TestSupport

/// How the program behaves towards shells, scripts and wrong input.
@Suite(.fewAtATime) struct CommandLineTests {
  @Test(
    "a line that is not understood says what is wrong, with status 2",
    arguments: [
      ("patents search ana", "patients"), ("patients search ana --limmit 3", "--limit"),
      ("--jsn patients recent", "--json"),
      ("patients show", "REF"), ("patients show 3", "row"), ("patients edit p-1 --phone", "--phone"),
      ("schedule 2026-13-40", "2026-13-40"), ("vitals note o-1", "--text"), ("sync --max-time never", "never"),
      ("review x", "x"),
    ])
  func wrongLines(line: String, word: String) async throws {
    try await Desk.with { desk in
      let result = try await desk.run(line)
      let program = try await desk.run("\(line) --json")
      #expect(result.status == 2 && result.output.isEmpty && result.errors.contains(word), "\(result)")
      #expect(try program.status == 2 && (program.json().last?["code"]) == "usage", "\(program)")
    }
  }

  @Test(
    "what cannot be used is named, with the status of its kind",
    arguments: [
      ("run /nonexistent/day.clinic", 1, "/nonexistent/day.clinic"), ("run /", 1, "/"),
      ("--store /proc/nowhere patients recent", 7, "/proc/nowhere"), ("--store /dev/null outbox", 7, "/dev/null"),
      ("--profile absent patients recent", 1, "absent"), ("--server ftp://x sync", 1, "ftp://x"),
      ("sync", 4, "no server"),
      ("patients show nobody", 1, "nobody"), ("review show 9", 1, "9"), ("outbox discard 9 --yes", 1, "9"),
    ] as [(String, Int32, String)])
  func unusable(line: String, status: Int32, word: String) async throws {
    try await Desk.with { desk in
      let result = try await desk.run(line)
      #expect(result.status == status && result.output.isEmpty && result.errors.contains(word), "\(result)")
    }
  }

  @Test func `a folder that may not be written is told, and left alone`() async throws {
    // Root may write everywhere: then a file stands in for a folder that takes nothing.
    try await Desk.with { desk in
      let file = try desk.file("plain", "not a folder\n")
      let result = try await desk.run("--store \(file)/store patients recent")
      #expect(result.status == 7 && result.errors.contains("--store"), "\(result)")
      let garbage = "\(desk.folder)/garbage"
      try FileManager.default.createDirectory(atPath: garbage, withIntermediateDirectories: true)
      let text = Data(String(repeating: "no database ", count: 500).utf8)
      try text.write(to: URL(fileURLWithPath: "\(garbage)/clinic.sqlite"))
      let corrupt = try await desk.run("--store \(garbage) patients recent")
      #expect(corrupt.status == 7 && corrupt.output.isEmpty, "\(corrupt)")
      let names = try FileManager.default.contentsOfDirectory(atPath: garbage)
      let kept = try names.contains { try Data(contentsOf: URL(fileURLWithPath: "\(garbage)/\($0)")) == text }
      #expect(kept, "\(names)")
    }
  }

  @Test(
    "what is no FHIR server, or no server at all, is status 4",
    arguments: [
      "* GET . case-31-portal.http", "* GET . BODY {\"hello\":\"world\"}", "* GET . case-35-302.http",
      "* GET . case-31-gateway.http", "* GET . RESET", "* GET . case-33-chunked-cut.http", "refused",
    ])
  func notAServer(rule: String) async throws {
    try await CaseStub.with("case-43-plan", adding: rule == "refused" ? [] : [rule]) { stub in
      if rule == "refused" { await stub.stop() }
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients register --family Waits --given Ana")
        let result = try await desk.run("sync")
        let program = try await desk.run("sync --json")
        #expect(result.status == 4 && !result.errors.isEmpty, "\(result)")
        #expect(try program.status == 4 && (program.json().isEmpty) == false, "\(program)")
        // A server whose metadata says nothing is still tried; the stub keeps what is posted to it.
        #expect(try desk.unsent() == (rule.contains("hello") ? 0 : 1))
      }
    }
  }

  @Test(
    "a sync says what is left by its status",
    arguments: [("* * . STATUS 401", 5), ("* * . case-39-429-date.http", 8), ("* PUT . STATUS 422", 3)]
      as [(String, Int32)])
  func statuses(rule: String, status: Int32) async throws {
    let rules = [#"1 GET /Patient/p-1$ BODY {"resourceType":"Patient","id":"p-1","name":[{"family":"Left"}]}"#, rule]
    try await CaseStub.with("case-43-plan", adding: rules) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-1 --fresh")
        try await desk.done("patients edit p-1 --phone 2")
        let result = try await desk.run("sync")
        #expect(try result.status == status && (desk.unsent()) == 1, "\(result)")
      }
    }
  }

  @Test func `a database of another program is refused, and left as it is`() async throws {
    try await Desk.with { desk in
      try await desk.done("patients recent")
      try desk.alter("PRAGMA application_id = 99", checkpoints: true)
      let file = URL(fileURLWithPath: "\(desk.store)/clinic.sqlite")
      let before = try Data(contentsOf: file)
      let result = try await desk.run("patients recent")
      #expect(result.status == 7 && result.output.isEmpty && result.errors.contains("another program"), "\(result)")
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test func `a reader that leaves is no failure`() async throws {
    try await Desk.with { desk in
      try await desk.done("patients register --family Reader --given Ana")
      let result = try await desk.run("patients search reader") { $0.outputHasNoReader = true }
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }
  }

  @Test("without input there is nothing to run", arguments: [true, false])
  func noInput(closed: Bool) async throws {
    try await Desk.with { desk in
      let result = try await desk.run("") {
        $0.input = closed ? .closed : .nothing
        $0.limit = .seconds(30)
      }
      let line = try await desk.run("patients recent") { $0.input = closed ? .closed : .nothing }
      #expect([0, 1].contains(result.status) && result.output.isEmpty, "\(result)")
      #expect(line.status == 0, "\(line)")
    }
  }

  @Test func `a script stops at its first failing line, unless it is told to go on`() async throws {
    let lines = ["whoami", "patients show nobody", "whoami", "patients search \u{FF}"]
    try await Desk.with { desk in
      let file = try desk.file("day.clinic", lines.joined(separator: "\n"))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      bytes.append(contentsOf: [0x0A, 0x77, 0xFF, 0xFE, 0x0A])
      try bytes.write(to: URL(fileURLWithPath: file))
      let stops = try await desk.run("run \(file) --json")
      let goes = try await desk.run("run \(file) --keep-going --json")
      #expect(try stops.status == 1 && (stops.json().map { $0["line"]?.int }) == [nil, 2], "\(stops)")
      #expect(try goes.status == 1 && (goes.records("user").count) == 2, "\(goes)")
      #expect(try goes.records("error").map { $0["line"]?.int } == [2, 5], "\(goes)")
      #expect(try goes.records("error").last?["message"]?.string?.contains("UTF-8") == true)
    }
  }

  @Test("a signal ends a sync with the status of shells, and loses nothing", arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) async throws {
    let rules = [#"1 GET /Patient/p-1$ BODY {"resourceType":"Patient","id":"p-1","name":[{"family":"Held"}]}"#]
    try await CaseStub.with("case-43-plan", adding: rules + ["1 POST . WAIT 20 SAVE"]) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-1 --fresh")
        try await desk.done("vitals add pulse 70 --patient p-1")
        let sync = try desk.start("sync")
        try await eventually { try !stub.writes().isEmpty }
        let begun = ContinuousClock.now
        sync.send(signal)
        let ended = try await sync.finished()
        #expect(ended.status == (signal == SIGINT ? 130 : 143), "\(ended)")
        #expect(ContinuousClock.now - begun < .seconds(25))
        #expect(try desk.query("SELECT count(*) FROM outbox") == ["1"])
      }
    }
  }
}
