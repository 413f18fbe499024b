import Domain
import Foundation

/// A program's time of day, moved away from this machine's: a small library that is loaded before the C library.
///
/// It is compiled once a run, by the C compiler that comes with the toolchain or the system.
enum ShiftedClock {
  /// Variables under which a program starts at an instant, and goes on from there.
  static func environment(at text: String) async throws -> [String: String] {
    guard let instant = Instant(text) else { throw ProgramFailure("\(text) is no instant") }
    let shift = instant.secondsSince1970 - Int64(Date().timeIntervalSince1970)
    return ["LD_PRELOAD": try await library.value, "CLINIC_TEST_CLOCK_SHIFT": String(shift)]
  }

  private static let library = Task<String, any Error> {
    let source = URL(fileURLWithPath: Cases.path("")).deletingLastPathComponent()
      .appending(path: "ShiftedClock/clock.c").path
    let result = Program.built("shifted-clock-\(getpid()).so")
    guard let compiler = ["clang", "cc", "gcc"].compactMap({ try? Program.onPath($0) }).first else {
      throw ProgramFailure("no C compiler is on the PATH")
    }
    var launch = Program.Launch(path: compiler)
    launch.arguments = ["-shared", "-fPIC", "-O1", "-o", result, source, "-ldl"]
    launch.environment = ProcessInfo.processInfo.environment
    let ended = try await Program.start(launch).finished()
    guard ended.status == 0 else { throw ProgramFailure("\(ended)") }
    // Mapped by then, or mapped again: the file has to stay until this process ends.
    atexit { unlink(Program.built("shifted-clock-\(getpid()).so")) }
    return result
  }
}
