import Domain
import Foundation
import TestSupport

/// A program's time of day, moved away from this machine's.
enum ShiftedClock {
  /// Variables under which a program starts at an instant, and goes on from there.
  static func environment(at text: String) async throws -> [String: String] {
    guard let instant = Instant(text) else { throw ProgramFailure("\(text) is no instant") }
    let shift = instant.secondsSince1970 - Int64(Date().timeIntervalSince1970)
    return ["LD_PRELOAD": try await PreloadedLibrary.shiftedClock.value, "CLINIC_TEST_CLOCK_SHIFT": String(shift)]
  }
}
