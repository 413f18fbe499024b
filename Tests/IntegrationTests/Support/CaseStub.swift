import Foundation
import JSON
import TestSupport

/// The scripted server of the cases in `Tests/Fixtures/Cases`, as a process.
final class CaseStub: Sendable {
  /// One request as it came in.
  struct Request: Sendable {
    var method: String
    /// Path and query.
    var target: String
    /// With lower-case names.
    var headers: [String: String]
    var body: String

    var document: JSONValue? { try? JSONValue(parsing: Array(body.utf8)) }
  }

  let port: Int
  var base: String { "http://127.0.0.1:\(port)/fhir" }
  private let program: Program
  private let log: String

  private init(program: Program, port: Int, log: String) {
    self.program = program
    self.port = port
    self.log = log
  }

  /// Runs a stub with a plan.
  ///
  /// - Parameters:
  ///   - plan: the name of a plan in the folder of cases, without `.txt`.
  ///   - rules: lines that go before those of the plan.
  static func with<Result>(
    _ plan: String, adding rules: [String] = [], port: Int = 0, _ body: (CaseStub) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.path + "/clinic-stub-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = try String(contentsOfFile: Cases.path("\(plan).txt"), encoding: .utf8)
    let file = "\(folder)/plan.txt"
    try Data((rules.joined(separator: "\n") + "\n" + text).utf8).write(to: URL(fileURLWithPath: file))
    let stub = try await start(plan: file, log: "\(folder)/log", port: port)
    do {
      let result = try await body(stub)
      await stub.stop()
      return result
    } catch {
      await stub.stop()
      throw error
    }
  }

  private static func start(plan: String, log: String, port: Int) async throws -> CaseStub {
    var launch = Program.Launch(path: try Program.onPath("python3"))
    launch.arguments = [Cases.path("case-00-stub.py"), String(port), plan, log]
    launch.environment = ProcessInfo.processInfo.environment
    launch.limit = .seconds(240)
    let program = try Program.start(launch)
    let line = await program.firstLine()
    guard let port = line.split(separator: " ").last.flatMap({ Int($0) }) else {
      program.send(SIGKILL)
      throw ProgramFailure("the stub did not start: \(try await program.finished())")
    }
    return CaseStub(program: program, port: port, log: log)
  }

  /// Takes the server away.
  func stop() async {
    program.send(SIGKILL)
    _ = try? await program.finished()
  }

  /// All requests so far, in order.
  func requests() throws -> [Request] {
    guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return [] }
    return try text.split(separator: "\n").map { line in
      let one = try JSONValue(parsing: Array(line.utf8))
      var headers: [String: String] = [:]
      for member in one["headers"]?.object ?? [:] { headers[member.key] = member.value.string }
      return Request(
        method: one["method"]?.string ?? "", target: one["path"]?.string ?? "", headers: headers,
        body: one["body"]?.string ?? "")
    }
  }

  /// The writes so far, in order.
  func writes() throws -> [Request] { try requests().filter { $0.method != "GET" } }
}

/// The inputs of the cases.
enum Cases {
  static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/Cases/\(name)").path
  }

  /// The lines of a file that are not empty.
  static func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
  }
}
