import Data
import Domain
import Foundation
import MockServer

/// A process beside the measured one: the server, or a sync at full speed.
final class Child {
  /// Their words are no names of benchmarks.
  enum Role: String {
    /// `child-serve PATIENTS`: the mock server with a seeded clinic.
    case serve = "child-serve"
    /// `child-drain STORE URL`: sends all that is queued, without pulling.
    case drain = "child-drain"
  }

  private let process = Process()
  private let output = Pipe()

  /// Starts it, and waits for its first line.
  init(_ role: Role, _ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [role.rawValue] + arguments
    process.standardOutput = output
    // Its end is the sign to end for a server.
    process.standardInput = Pipe()
    try process.run()
  }

  /// The first line of its output.
  func line() -> String {
    var bytes: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  var isRunning: Bool { process.isRunning }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  // MARK: In the child

  static func play(_ role: Role, _ arguments: [String]) async throws {
    switch role {
    case .serve:
      let model = MockModel(profile: .standard, clock: .system, seed: 1)
      let patients = Int(arguments.first ?? "") ?? 0
      if patients > 0 { model.load(SeededClinic(patients: patients, day: "2026-11-30").resources) }
      let server = try await MockServer.start(model: model)
      say(server.baseURL)
      while true { try await Task.sleep(for: .seconds(3_600)) }
    case .drain:
      guard arguments.count == 2 else { return }
      let clinic = try await open(arguments[0], server: arguments[1])
      say("ready")
      _ = try await clinic.sync.sync(SyncOptions(pulls: false), progress: { _ in })
      await clinic.close()
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// A clinic's store.
  static func open(_ directory: String, server: String?) async throws -> ClinicData {
    try await ClinicData.open(
      ClinicData.Configuration(directory: directory, server: server, author: .operatingSystemUser("bench")))
  }
}
