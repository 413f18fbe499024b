import Foundation
import TestSupport

/// A small library in C that is loaded before the C library, so that a program meets a world that a test makes.
///
/// It is compiled once a run, by the C compiler that comes with the toolchain or the system.
enum PreloadedLibrary {
  /// A clock that is moved away from this machine's.
  static let shiftedClock = Task { try await compile("ShiftedClock/clock.c", name: "shifted-clock") }
  /// A disk that is full.
  static let fullDisk = Task { try await compile("FullDisk/full.c", name: "full-disk") }

  private static func compile(_ file: String, name: String) async throws -> String {
    let source = URL(fileURLWithPath: Cases.path("")).deletingLastPathComponent().appending(path: file).path
    let result = Program.built("\(name)-\(getpid()).so")
    guard let compiler = ["clang", "cc", "gcc"].compactMap({ try? Program.onPath($0) }).first else {
      throw ProgramFailure("no C compiler is on the PATH")
    }
    var launch = Program.Launch(path: compiler)
    launch.arguments = ["-shared", "-fPIC", "-O1", "-o", result, source, "-ldl"]
    launch.environment = ProcessInfo.processInfo.environment
    let ended = try await Program.start(launch).finished()
    guard ended.status == 0 else { throw ProgramFailure("\(ended)") }
    // Mapped by then, or mapped again: the files have to stay until this process ends.
    atexit { for name in ["shifted-clock", "full-disk"] { unlink(Program.built("\(name)-\(getpid()).so")) } }
    return result
  }
}
