import Foundation
import JSON
import Testing
import TestSupport

/// A desk at a clinic: a home folder of its own, with the program's store in it. Nothing of the user's own settings
/// takes part.
struct Desk: Sendable {
  let folder: String
  /// The server's base URL.
  var server: String?
  /// Variables beside those that every desk has.
  var environment: [String: String] = [:]

  /// The folder of the store.
  var store: String { "\(folder)/clinic/stores/clinic" }

  /// Makes a desk, and removes it at the end; the stores must be whole then.
  static func with<Result>(
    server: String? = nil, environment: [String: String] = [:], _ body: (Desk) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.path + "/clinic-desk-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/clinic", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let desk = Desk(folder: folder, server: server, environment: environment)
    let result = try await body(desk)
    let stores = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/clinic/stores")) ?? []
    for store in stores {
      let problems = try StoreFile.problems("\(folder)/clinic/stores/\(store)/clinic.sqlite")
      #expect(problems == [], "\(store)")
    }
    return result
  }

  /// How a line is started.
  func launch(_ words: [String]) -> Program.Launch {
    var variables = [
      "HOME": folder, "CLINIC_HOME": "\(folder)/clinic", "CLINIC_ZONE": "Europe/London", "USER": "nora", "TZ": "UTC",
      "COLUMNS": "200", "SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1",
    ]
    variables["CLINIC_SERVER"] = server
    variables.merge(environment) { $1 }
    return Program.Launch(path: Program.built("clinic"), arguments: words, environment: variables)
  }

  /// Starts a line without waiting for it.
  ///
  /// - Parameters:
  ///   - line: words, split at spaces.
  ///   - words: more words, as they stand.
  func start(
    _ line: String, _ words: String..., configure: (inout Program.Launch) -> Void = { _ in }
  ) throws -> Program {
    var launch = launch(line.split(separator: " ").map(String.init) + words)
    configure(&launch)
    return try Program.start(launch)
  }

  /// Runs a line to its end.
  @discardableResult
  func run(
    _ line: String, _ words: String..., configure: (inout Program.Launch) -> Void = { _ in }
  ) async throws -> Finished {
    var launch = launch(line.split(separator: " ").map(String.init) + words)
    configure(&launch)
    return try await Program.start(launch).finished()
  }

  /// Runs a line that has to succeed.
  @discardableResult
  func done(_ line: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> Finished
  {
    let launch = launch(line.split(separator: " ").map(String.init) + words)
    let result = try await Program.start(launch).finished()
    try #require(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    return result
  }

  /// A file in the desk's folder.
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}

extension Finished {
  /// The output as JSON lines.
  func json() throws -> [JSONValue] {
    try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// The lines of one kind.
  func records(_ kind: String) throws -> [JSONValue] {
    try json().filter { $0["kind"] == .string(kind) }
  }
}
