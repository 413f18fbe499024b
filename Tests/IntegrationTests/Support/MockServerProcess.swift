import Foundation
import JSON
import TestSupport

/// `clinic-mock-server` as a process.
final class MockServerProcess: Sendable {
  let port: Int
  var base: String { "http://127.0.0.1:\(port)/fhir" }
  private let program: Program

  private init(program: Program, port: Int) {
    self.program = program
    self.port = port
  }

  /// Starts a server; port 0 takes a free one.
  static func start(
    _ arguments: [String] = [], port: Int = 0, environment: [String: String] = [:]
  ) async throws -> MockServerProcess {
    var launch = Program.Launch(path: Program.built("clinic-mock-server"))
    launch.arguments = arguments + ["--port", String(port)]
    launch.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    launch.limit = .seconds(240 * Scale.factor)
    let program = try Program.start(launch)
    let line = await program.firstLine()
    guard let port = line.split(whereSeparator: { ":/".contains($0) }).dropLast().last.flatMap({ Int($0) }) else {
      program.send(SIGKILL)
      throw ProgramFailure("the mock server did not start: \(try await program.finished())")
    }
    return MockServerProcess(program: program, port: port)
  }

  /// Runs a server for a while.
  static func with<Result>(
    _ arguments: [String] = [], _ body: (MockServerProcess) async throws -> Result
  ) async throws -> Result {
    let server = try await start(arguments)
    do {
      let result = try await body(server)
      await server.kill()
      return result
    } catch {
      await server.kill()
      throw error
    }
  }

  /// Kills it, as a power cut would.
  func kill() async {
    program.send(SIGKILL)
    _ = try? await program.finished()
  }

  /// The writes that it really applied.
  func log() async throws -> [JSONValue] { try await lines("/$mock/log") }

  /// The requests that it got.
  func exchanges() async throws -> [JSONValue] { try await lines("/$mock/requests") }

  /// The resources of a type.
  func resources(_ type: String) async throws -> [JSONValue] { try await pages("\(type)?_count=500") }

  /// The versions of one resource, newest first.
  func versions(_ reference: String) async throws -> [JSONValue] {
    try await pages("\(reference)/_history?_count=500")
  }

  /// The resources in a bundle, over all its pages.
  private func pages(_ first: String) async throws -> [JSONValue] {
    var found: [JSONValue] = []
    var target: String? = "/fhir/\(first)"
    while let page = target {
      let bundle = try JSONValue(parsing: Array(try await get(page).utf8))
      found += (bundle["entry"]?.array ?? []).compactMap { $0["resource"] }
      let next = bundle["link"]?.array?.first { $0["relation"] == "next" }?["url"]?.string
      target = next.map { $0.hasPrefix("http://") ? String($0.dropFirst(7).drop { $0 != "/" }) : $0 }
    }
    return found
  }

  /// One resource.
  func resource(_ reference: String) async throws -> JSONValue {
    try JSONValue(parsing: Array(try await get("/fhir/\(reference)").utf8))
  }

  func get(_ target: String) async throws -> String { try await PlainHTTP.send(port, "GET", target) }

  /// Puts a document, as another client.
  func put(_ document: JSONValue) async throws {
    let reference = "\(document["resourceType"]?.string ?? "")/\(document["id"]?.string ?? "")"
    _ = try await PlainHTTP.send(port, "PUT", "/fhir/\(reference)", body: document.text())
  }

  /// Adds faults.
  func fail(_ faults: JSONValue) async throws {
    _ = try await PlainHTTP.send(port, "POST", "/$mock/faults", body: faults.text())
  }

  private func lines(_ target: String) async throws -> [JSONValue] {
    try await get(target).split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }
}
