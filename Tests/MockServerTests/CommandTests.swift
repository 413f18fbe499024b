import Foundation
import JSON
import MockServer
import TestSupport
import Testing

/// The command as a process.
private struct Command {
  private let program: Program

  init(_ arguments: [String]) throws {
    program = try Program.start(
      Program.Launch(path: Program.built("clinic-mock-server"), arguments: arguments, limit: .seconds(300)))
  }

  func port() async -> UInt16 { await port(line: 0) }

  func controlPort() async -> UInt16 { await port(line: 1) }

  /// The port in a line of standard output.
  private func port(line: Int) async -> UInt16 {
    let parts = await program.line(line).split(whereSeparator: { ":/".contains($0) })
    return parts.compactMap { UInt16($0) }.last ?? 0
  }

  func end(_ signal: Int32?) async throws -> Finished {
    if let signal { program.send(signal) }
    return try await program.finished()
  }
}

@Suite(.timeLimit(.minutes(10))) struct CommandTests {
  @Test(
    "wrong command lines are refused with status 2 and a message",
    arguments: [
      ["--prot", "1"], ["--port", "x"], ["--port"], ["--seed", "-1"], ["--seed", "5", "--day", "2026-02-30"],
      ["--day", "2026-02-03"],
      ["--profile", "none"], ["stray"], ["--help=1"],
      ["relay"], ["relay", "--to"], ["relay", "--to", "http://127.0.0.1:1/fhir", "--port", "x"],
      ["relay", "--seed", "1"],
    ])
  func wrong(arguments: [String]) async throws {
    let result = try await Command(arguments).end(nil)
    #expect(result.status == 2 && result.output.isEmpty && result.errors.hasPrefix("clinic-mock-server: "))
  }

  @Test(
    "what cannot be used ends it with status 1",
    arguments: [
      ["--load", "/nonexistent"], ["--faults", "/nonexistent"], ["--journal", "/nonexistent/journal"],
      ["relay", "--to", "http://127.0.0.1:1/fhir", "--rules", "/nonexistent"], ["relay", "--to", "http:/nonexistent"],
    ])
  func unusable(arguments: [String]) async throws {
    let result = try await Command(arguments).end(nil)
    #expect(result.status == 1 && result.output.isEmpty && result.errors.contains("/nonexistent"))
  }

  @Test func `help and version are printed`() async throws {
    let help = try await Command(["--help"]).end(nil)
    let version = try await Command(["--version"]).end(nil)
    #expect(help.status == 0 && help.output.contains("--journal FILE"))
    #expect(version.status == 0 && version.output == "clinic-mock-server \(MockServer.version)\n")
  }

  @Test("it says where it listens, serves, and ends in order", arguments: [SIGTERM, SIGINT])
  func serves(signal: Int32) async throws {
    let command = try Command(["--seed", "5", "--day=2026-11-30", "--profile", "hapi-like"])
    let port = await command.port()
    let seen = await PlainClient.send(port, "GET", "/fhir/Patient?_summary=count")
    let result = try await command.end(signal)
    #expect(seen.body.contains(#""total":5"#) && result.status == 0 && result.output.split(separator: "\n").count == 1)
    #expect(result.errors.contains("Patient 5"))
  }

  @Test func `a relay as a program swallows the answer after the write, goes down, and tells what came through`()
    async throws
  {
    let server = try Command([])
    let port = await server.port()
    let relay = try Command(["relay", "--to", "http://127.0.0.1:\(port)/fhir"])
    let (front, control) = (await relay.port(), await relay.controlPort())
    let rule = #"[{"method": "PUT", "path": "Patient/p", "effect": "swallowAnswer"}]"#
    let added = await PlainClient.send(control, "POST", "/rules", body: rule).status
    let refused = await PlainClient.send(control, "POST", "/rules", body: #"{"effect": "none"}"#)
    let lost = await PlainClient.send(front, "PUT", "/fhir/Patient/p", body: patient("p").text())
    let there = await PlainClient.send(front, "GET", "/fhir/Patient/p").status
    let down = await PlainClient.send(control, "POST", "/down").status
    let refusal = await PlainClient.send(front, "GET", "/fhir/Patient/p")
    let up = await PlainClient.send(control, "POST", "/up").status
    let again = await PlainClient.send(front, "GET", "/fhir/Patient/p").status
    let exchanges = await PlainClient.send(control, "GET", "/exchanges").body
    #expect([added, down, up, there, again] == [204, 204, 204, 200, 200] && lost.status == nil && refusal.isBroken)
    #expect(refused.status == 400 && refused.body.contains("swallowAnswer"))
    #expect(
      exchanges == """
        {"method":"PUT","target":"/fhir/Patient/p","effect":"swallowAnswer","status":201}
        {"method":"GET","target":"/fhir/Patient/p","status":200}
        {"method":"GET","target":"/fhir/Patient/p","status":200}

        """)
    let (relayEnd, serverEnd) = (try await relay.end(SIGTERM), try await server.end(SIGTERM))
    #expect(relayEnd.status == 0 && serverEnd.status == 0)
  }

  @Test func `what it answered before it was killed is there when it starts again`() async throws {
    try await withFolder { folder in
      let arguments = ["--seed", "2", "--day", "2026-11-30", "--journal", "\(folder)/journal"]
      let first = try Command(arguments)
      let port = await first.port()
      let writer = Task {
        var answered = 0
        while await PlainClient.send(port, "PUT", "/fhir/Patient/w\(answered)", body: patient("w\(answered)").text())
          .status == 201
        {
          answered += 1
        }
        return answered
      }
      while await !PlainClient.send(port, "GET", "/fhir/Patient/w9").body.contains("w9\",\"meta") { await Task.yield() }
      _ = try await first.end(SIGKILL)
      let answered = await writer.value
      let second = try Command(arguments)
      let again = await second.port()
      let seen = await PlainClient.send(again, "GET", "/fhir/Patient?_summary=count").body
      let total = seen.firstMatch(of: /"total":(\d+)/).flatMap { Int($0.1) } ?? 0
      let last = await PlainClient.send(again, "GET", "/fhir/Patient/w\(answered - 1)").status
      let result = try await second.end(SIGTERM)
      // One more may have been applied whose answer was cut off.
      #expect(answered >= 10 && last == 200 && (answered + 2...answered + 3).contains(total))
      #expect(result.errors.contains("already holds the records"))
    }
  }
}
