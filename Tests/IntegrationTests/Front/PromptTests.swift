import Foundation
import Testing
import TestSupport

/// The prompt, typed at in a pseudo-terminal.
@Suite(.fewAtATime) struct PromptTests {
  /// A session of the built program.
  private func session(
    at desk: Desk, arguments: [String] = ["--offline"], columns: UInt16 = 160, environment: [String: String] = [:]
  ) throws -> Terminal {
    var launch = desk.launch(arguments)
    launch.environment["TERM"] = "xterm"
    launch.environment["NO_COLOR"] = "1"
    launch.environment["COLUMNS"] = nil
    launch.environment.merge(environment) { $1 }
    return try Terminal.start(launch, columns: columns)
  }

  @Test func `a line is edited, completed and remembered, and Ctrl-D leaves`() async throws {
    try await Desk.with { desk in
      try await desk.done("patients register --family Marlow --given Ana --birth 1980-05-17 --identifier x|MRN-7 --yes")
      let terminal = try session(at: desk)
      try await terminal.expect("nora at patients | offline | 1 unsent> ")
      // A typing error is taken back, and the command is completed.
      // The patient is completed by name, and told above the line.
      terminal.type("patientx\u{7F}s sho\tmarl\t")
      try await terminal.expect("MRN-7  Marlow, Ana · born 1980-05-17")
      try await terminal.expect("patients show MRN-7 ")
      terminal.type("\r")
      try await terminal.expect("birth date")
      try await terminal.expect("nora at patients | Marlow, Ana · born 1980-05-17")
      try await terminal.expect("> ")
      // Several choices are shown with what they mean.
      terminal.type("visits st\u{15}review --\t")
      try await terminal.expect("--keep")
      try await terminal.expect("> review --")
      // Ctrl-C gives up the line, not the session.
      terminal.type("\u{3}")
      try await terminal.expect("| 1 unsent> ")
      terminal.type("whoami\r")
      try await terminal.expect("signed in")
      try await terminal.expect("| 1 unsent> ")
      // Arrow up brings back the line before.
      terminal.type("\u{1B}[A")
      try await terminal.expect("whoami")
      terminal.type("\u{15}\u{4}")
      let (status, seen) = try await terminal.finished()
      #expect(status == 0, "\(seen)")
      #expect(!FileManager.default.fileExists(atPath: "\(desk.folder)/clinic/state"))
    }
  }

  @Test func `what changes elsewhere is announced above the line that is being typed`() async throws {
    try await Desk.with { desk in
      try await desk.done("patients register --family Marlow --given Ana --identifier x|MRN-7 --yes")
      let terminal = try session(at: desk)
      try await terminal.expect("1 unsent> ")
      terminal.type("patients show MRN-7\r")
      try await terminal.expect("Marlow, Ana · birth date not recorded · MRN-7 | offline | 1 unsent> ")
      terminal.type("visits sta")
      try await terminal.expect("visits sta")
      try await desk.done("patients edit MRN-7 --phone 555-0199 --offline")
      try await terminal.expect("Meanwhile: ")
      try await terminal.expect("555-0199")
      // The line comes back below, and goes on.
      try await terminal.expect("> visits sta")
      terminal.type("\u{15}quit\r")
      #expect(try await terminal.finished().status == 0)
    }
  }

  @Test func `history is kept only where the profile says so, for its owner and without arguments`() async throws {
    try await Desk.with { desk in
      _ = try desk.file("clinic/clinic.json", #"{"history": "keep"}"#)
      let terminal = try session(at: desk)
      try await terminal.expect("> ")
      terminal.type("patients search 'Secret Name' --limit 3\r")
      try await terminal.expect("> ")
      terminal.type("no such line\rpatients search Other\rwhoami\rquit\r")
      #expect(try await terminal.finished().status == 0)
      let path = "\(desk.folder)/clinic/state/clinic.history"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "patients search\nwhoami\nquit\n")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let next = try session(at: desk)
      try await next.expect("> ")
      next.type("\u{1B}[A\u{1B}[A")
      try await next.expect("whoami")
      next.type("\r")
      try await next.expect("signed in")
      // Only an editor at its prompt takes Ctrl-D: before, the terminal does.
      try await next.expect("> ")
      next.type("\u{4}")
      #expect(try await next.finished().status == 0)
    }
  }

  @Test func `the terminal is left as it was found, and stops and goes on`() async throws {
    try await Desk.with { desk in
      let terminal = try session(at: desk)
      try await terminal.expect("> ")
      // Whoever sees a prompt can type.
      #expect(!terminal.echoes)
      terminal.type("whoa")
      try await terminal.expect("whoa")
      terminal.type("\u{1A}")
      try await eventually { terminal.isStopped }
      #expect(terminal.echoes)
      terminal.resume()
      try await terminal.expect("> whoa")
      terminal.resize(columns: 60)
      terminal.type("mi\r")
      try await terminal.expect("signed in")
      try await terminal.expect("> ")
      terminal.type("quit\r")
      #expect(try await terminal.finished().status == 0)
    }
  }

  @Test func `a long prompt stands above the line, and a dumb terminal gets plain lines`() async throws {
    try await Desk.with { desk in
      let family = "Featherstonehaugh-Cholmondeley"
      try await desk.done("patients register --family \(family) --given Ana --identifier x|MRN-7 --yes")
      let narrow = try session(at: desk, columns: 80)
      try await narrow.expect("> ")
      narrow.type("patients show MRN-7\r")
      try await narrow.expect("MRN-7 | offline | 1 unsent\r\n> ")
      narrow.type("quit\r")
      #expect(try await narrow.finished().status == 0)
      let dumb = try session(at: desk, environment: ["TERM": "dumb"])
      try await dumb.expect("> ")
      dumb.type("whoami\r")
      try await dumb.expect("signed in")
      try await dumb.expect("> ")
      dumb.type("\u{4}")
      let (status, seen) = try await dumb.finished()
      #expect(status == 0 && !seen.contains("\u{1B}"), "\(seen.debugDescription)")
    }
  }
}
