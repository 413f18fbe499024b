import Foundation
import JSON
import Testing
import TestSupport

/// What programs, scripts and other versions meet.
@Suite(.fewAtATime) struct FrontCases {
  @Test(
    "clinic times are the clinic's, whatever the host's zone and the season",
    arguments: ["UTC", "Asia/Kolkata", "Pacific/Auckland", "America/Los_Angeles"])
  func seasons(zone: String) async throws {
    var environment = try await ShiftedClock.environment(at: "2026-11-30T10:00:00Z")
    environment["TZ"] = zone
    environment["CLINIC_ZONE"] = "America/New_York"
    let variables = environment
    let rule =
      #"* GET /Patient\? BODY {"resourceType":"Bundle","type":"searchset","entry":[{"resource":{"resourceType":"Patient","id":"p-07","name":[{"family":"Season"}]}}]}"#
    try await CaseStub.with("case-07-plan", adding: [rule, "* POST . SAVE", "* PUT . SAVE"]) { stub in
      try await Desk.with(server: stub.base, environment: variables) { desk in
        try await desk.done("sync")
        var starts: [String: String] = [:]
        for day in ["2027-03-12", "2027-03-15"] {
          let program = try await desk.done("schedule \(day) --json").records("appointment")
          for one in program { starts[one["id"]?.string ?? ""] = one["start"]?.string }
          #expect(program.allSatisfy { $0["zone"] == "America/New_York" })
        }
        let winter = try await desk.done("schedule 2027-03-12").output
        let summer = try await desk.done("schedule 2027-03-15").output
        #expect(winter.contains("09:00") && summer.contains("09:00") && summer.contains("09:30"), "\(winter)\(summer)")
        // The clock is changed on the last day of the first week.
        let changing = try await desk.done("schedule 2027-03-12 --week").output
        let after = try await desk.done("schedule 2027-03-15 --week").output
        #expect(changing.contains("Friday 2027-03-12 (EST)") && changing.contains("09:00"), "\(changing)")
        #expect(after.contains("(America/New_York, EDT)") && after.contains("09:30"), "\(after)")
        #expect(
          starts == [
            "a-07a": "2027-03-12T09:00:00-05:00", "a-07b": "2027-03-15T09:00:00-04:00",
            "a-07c": "2027-03-15T09:30:00-04:00",
          ])
        try await desk.done("appointments book p-07 2027-03-16 09:00 20min")
        try await desk.run("sync")
        let sent = try stub.writes().first?.document?["start"]?.string
        #expect(["2027-03-16T13:00:00Z", "2027-03-16T09:00:00-04:00"].contains(sent), "\(sent ?? "-")")
      }
    }
  }

  @Test("a store of a newer version is left as it is", arguments: [true, false])
  func newerStore(checkpointed: Bool) async throws {
    let rule = #"* GET /Patient/p-45$ BODY {"resourceType":"Patient","id":"p-45","name":[{"family":"Newer"}]}"#
    try await CaseStub.with("case-43-plan", adding: [rule]) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-45 --fresh")
        for pulse in [60, 61] { try await desk.done("vitals add pulse \(pulse) --patient p-45") }
        let newer = try String(contentsOfFile: Cases.path("case-45-newer-schema.sql"), encoding: .utf8)
        try desk.alter(newer, checkpoints: checkpointed)
        let before = try contents(of: desk.store)
        let asked = try stub.requests().count
        for line in ["patients search newer", "sync", "vitals add pulse 62 --patient p-45", "outbox"] {
          let result = try await desk.run(line)
          let program = try await desk.run("\(line) --json")
          #expect(result.status == 7 && result.output.isEmpty && result.errors.contains("newer"), "\(result)")
          #expect(try program.status == 7 && (program.records("error").first?["code"]) == "store-newer", "\(program)")
        }
        #expect(try contents(of: desk.store) == before)
        #expect(try stub.requests().count == asked)
      }
    }
  }

  private func contents(of folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    return files
  }

  @Test func `with --json, standard output is JSON and nothing else`() async throws {
    let lines = [
      "patients search quiet --fresh", "patients show p-49", "patients show nobody", "sync", "sync --plan",
      "sync status", "outbox", "review", "patients recent", "schedule today --fresh", "vitals show --patient p-49",
      "why p-49", "whoami", "help", "help topics", "patients edit p-49 --phone 1", "patients edit p-49", "no such line",
      "patients search", "--version", "run /nonexistent",
    ]
    try await CaseStub.with("case-49-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        var warnings: [JSONValue] = []
        for isOnline in [true, false] {
          if !isOnline { await stub.stop() }
          for line in lines {
            let result = try await desk.run("\(line) --json --verbose")
            let records = try result.json()
            #expect(records.allSatisfy { $0["format"] == 1 && $0["kind"] != nil }, "\(result)")
            let failure = records.last?["kind"] == "error" ? records.last?["exit"]?.int : nil
            #expect(Int(result.status) == failure ?? 0 || line == "sync" && result.status == 4, "\(result)")
            warnings += records.filter { $0["kind"] == "warning" }
          }
        }
        #expect(warnings.contains { $0["message"]?.string?.contains("restart at 22:00") == true }, "\(warnings)")
      }
    }
  }

  @Test("a script saved on Windows does what it says", arguments: [true, false])
  func windowsScript(asFile: Bool) async throws {
    // The script of the case, in the lines of this program.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Cases.path("case-51-script.txt")))
    let script = String(decoding: bytes, as: UTF8.self)
      .replacing("patient search \"Marl\"", with: "patients search \"Marl\"")
      .replacing("patient show p-51", with: "patients show p-51")
      .replacing("visit note --patient p-51 --text", with: "vitals note o-51 --text")
    #expect(script.hasPrefix("\u{FEFF}patients") && script.contains("\r\n"))
    let rules = [
      #"1 GET /Patient/p-51$ BODY {"resourceType":"Patient","id":"p-51","name":[{"family":"Marl"}]}"#,
      #"1 GET /Observation/o-51$ BODY {"resourceType":"Observation","id":"o-51","status":"final","code":{"text":"Pulse"},"subject":{"reference":"Patient/p-51"}}"#,
    ]
    try await CaseStub.with("case-43-plan", adding: rules) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-51 --fresh")
        try await desk.done("vitals show o-51 --fresh")
        let file = try desk.file("day.clinic", script + "no such line\r\n")
        let result =
          asFile
          ? try await desk.run("run \(file) --json") : try await desk.run("--json") { $0.input = .file(file) }
        let records = try result.json()
        #expect(records.filter { $0["kind"] == "patient" }.map { $0["id"] } == ["p-51", "p-51"], "\(result)")
        let changes = try await desk.done("outbox show 1 --json").output
        #expect(changes.contains("ends here") && !changes.contains(#"\r"#), "\(changes)")
        #expect(result.status == 2 && records.last?["line"] == 6, "\(result)")
      }
    }
  }

  @Test(
    "a question that nobody can answer is not asked",
    arguments: ["file", "pipe", "nothing", "closed", "json", "session"]
  )
  func confirmation(input: String) async throws {
    // The script of the case in the lines of this program: a decision by which an edit is lost, and a retraction.
    let script = "review 1 --keep theirs\nvitals retract o-53\n"
    try await MockServerProcess.with { mock in
      try await mock.put(patient("p-53", phone: "1"))
      try await mock.put(pulse("o-53", of: "p-53"))
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        try await desk.done("patients edit p-53 --phone 2")
        try await mock.put(patient("p-53", phone: "3"))
        let conflict = try await desk.run("sync")
        #expect(conflict.status == 3, "\(conflict)")
        let file = try desk.file("day.clinic", script)
        let words = ["file": "", "json": "--json", "pipe": "", "session": ""][input] ?? "run \(file)"
        let result = try await desk.run(words) { launch in
          switch input {
          case "pipe": launch.input = .text(script)
          case "nothing": launch.input = .nothing
          case "closed": launch.input = .closed
          default: launch.input = .file(file)
          }
          launch.hasOwnSession = input == "session"
          launch.limit = .seconds(30)
        }
        #expect(result.status == 3 && (result.output + result.errors).contains("--yes"), "\(result)")
        #expect(try await desk.review().count == 1)
        #expect(try desk.query("SELECT kind FROM outbox") == ["update"])
        let confirmed = try await desk.run("run \(file) --yes")
        #expect(confirmed.status == 0, "\(confirmed)")
        #expect(try await desk.review().isEmpty)
      }
    }
  }

  @Test func `a token is in no output and in no file of the store`() async throws {
    let secret = "SECRET-TOKEN-55"
    try await CaseStub.with("case-55-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let outside = try desk.file("token", "\(secret)\n")
        let with = Desk(folder: desk.folder, server: desk.server, environment: ["CLINIC_TOKEN_FILE": outside])
        try await with.done("patients register --family Quiet --given Jo --yes")
        var said = ""
        for line in ["sync", "patients show p-55 --fresh", "patients search x --fresh", "sync status", "outbox"] {
          for options in ["--verbose", "--verbose --json"] {
            let result = try await with.run("\(line) \(options)")
            said += result.output + result.errors
            if line == "sync" { #expect(result.status == 5, "\(result)") }
          }
        }
        #expect(try stub.requests().allSatisfy { $0.headers["authorization"] == "Bearer \(secret)" })
        #expect(!said.contains(secret))
        for (name, data) in try contents(of: desk.store) {
          #expect(data.firstRange(of: Data(secret.utf8)) == nil, "\(name)")
        }
        // Patients are in answers, and not in what is told besides.
        let told = try await with.run("outbox --verbose").errors
        #expect(!told.contains("Quiet"))
      }
    }
  }
}
