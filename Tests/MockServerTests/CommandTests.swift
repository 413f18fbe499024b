import Foundation
import JSON
import MockServer
import Testing

/// The command as a process.
private final class Command {
  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ arguments: [String]) throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appending(path: "clinic-mock-server")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The first line of standard output.
  func line() -> String {
    var bytes = Data()
    while bytes.last != 0x0A {
      guard let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { break }
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func port() -> UInt16 { UInt16(line().split(whereSeparator: { ":/\n".contains($0) }).dropLast().last ?? "") ?? 0 }

  func controlPort() -> UInt16 { UInt16(line().split(whereSeparator: { ":/\n".contains($0) }).last ?? "") ?? 0 }

  func end(_ signal: Int32?) -> (status: Int32, output: String, errors: String) {
    if let signal { kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    let rest = (try? output.fileHandleForReading.readToEnd()) ?? nil
    let said = (try? errors.fileHandleForReading.readToEnd()) ?? nil
    return (
      process.terminationStatus, String(decoding: rest ?? Data(), as: UTF8.self),
      String(decoding: said ?? Data(), as: UTF8.self)
    )
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
  func wrong(arguments: [String]) throws {
    let result = try Command(arguments).end(nil)
    #expect(result.status == 2 && result.output.isEmpty && result.errors.hasPrefix("clinic-mock-server: "))
  }

  @Test(
    "what cannot be used ends it with status 1",
    arguments: [
      ["--load", "/nonexistent"], ["--faults", "/nonexistent"], ["--journal", "/nonexistent/journal"],
      ["relay", "--to", "http://127.0.0.1:1/fhir", "--rules", "/nonexistent"], ["relay", "--to", "http:/nonexistent"],
    ])
  func unusable(arguments: [String]) throws {
    let result = try Command(arguments).end(nil)
    #expect(result.status == 1 && result.output.isEmpty && result.errors.contains("/nonexistent"))
  }

  @Test func `help and version are printed`() throws {
    let help = try Command(["--help"]).end(nil)
    let version = try Command(["--version"]).end(nil)
    #expect(help.status == 0 && help.output.contains("--journal FILE"))
    #expect(version.status == 0 && version.output == "clinic-mock-server \(MockServer.version)\n")
  }

  @Test("it says where it listens, serves, and ends in order", arguments: [SIGTERM, SIGINT])
  func serves(signal: Int32) async throws {
    let command = try Command(["--seed", "5", "--day=2026-11-30", "--profile", "hapi-like"])
    let port = command.port()
    let seen = await PlainClient.send(port, "GET", "/fhir/Patient?_summary=count")
    let result = command.end(signal)
    #expect(seen.body.contains(#""total":5"#) && result.status == 0 && result.output.isEmpty)
    #expect(result.errors.contains("Patient 5"))
  }

  @Test func `a relay as a program swallows the answer after the write, goes down, and tells what came through`()
    async throws
  {
    let server = try Command([])
    let port = server.port()
    let relay = try Command(["relay", "--to", "http://127.0.0.1:\(port)/fhir"])
    let (front, control) = (relay.port(), relay.controlPort())
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
    #expect(relay.end(SIGTERM).status == 0 && server.end(SIGTERM).status == 0)
  }

  @Test func `what it answered before it was killed is there when it starts again`() async throws {
    try await withFolder { folder in
      let arguments = ["--seed", "2", "--day", "2026-11-30", "--journal", "\(folder)/journal"]
      let first = try Command(arguments)
      let port = first.port()
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
      _ = first.end(SIGKILL)
      let answered = await writer.value
      let second = try Command(arguments)
      let again = second.port()
      let seen = await PlainClient.send(again, "GET", "/fhir/Patient?_summary=count").body
      let total = seen.firstMatch(of: /"total":(\d+)/).flatMap { Int($0.1) } ?? 0
      let last = await PlainClient.send(again, "GET", "/fhir/Patient/w\(answered - 1)").status
      let result = second.end(SIGTERM)
      // One more may have been applied whose answer was cut off.
      #expect(answered >= 10 && last == 200 && (answered + 2...answered + 3).contains(total))
      #expect(result.errors.contains("already holds the records"))
    }
  }
}
