import Data
import Foundation

/// `clinic-bench`: how the core does against the limit of what it stands on, measured in the same run on the same machine.
///
/// Ratios are what counts: absolute figures are those of the machine.
@main struct Main {
  private static let help = """
    usage: clinic-bench [NAME]…

    Without a name all are run: store, drain, interactive, memory, reads. Prints Markdown tables. It needs a release build and a
    machine that has nothing else to do; Scripts/bench sees to the first.
    """

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--help" { return print(help) }
    // What the measuring process starts: servers and syncs of their own.
    if let role = Child.Role(rawValue: arguments.first ?? "") {
      return try await Child.play(role, Array(arguments.dropFirst()))
    }
    let all = ["store", "drain", "interactive", "memory", "reads"]
    guard arguments.allSatisfy(all.contains) else {
      print(help)
      exit(2)
    }
    if arguments.isEmpty { arguments = all }
    let folder = FileManager.default.temporaryDirectory.path + "/clinic-bench-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if arguments.contains("store") { try await StoreThroughput(folder: folder).run() }
    if arguments.contains("drain") { try await DrainThroughput(folder: folder).run() }
    if arguments.contains("interactive") { try await Interactive(folder: folder).run() }
    if arguments.contains("memory") { try await ReadScale(folder: folder).memory() }
    if arguments.contains("reads") { try await ReadScale(folder: folder).answers() }
  }
}
