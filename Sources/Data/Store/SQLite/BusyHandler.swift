import CSQLite
import Foundation

/// Waits for another process's short write transaction: small random pauses, so that nobody is starved.
///
/// SQLite's own handler doubles its pauses up to 100 ms, which makes a waiter lose against newcomers.
enum BusyHandler {
  /// The longest wait, in tries of 0.5 to 3 ms each: about twenty seconds.
  static let maximumTries: Int32 = 12_000

  static func install(on handle: OpaquePointer) {
    sqlite3_busy_handler(
      handle,
      { _, tries in
        guard tries < BusyHandler.maximumTries else { return 0 }
        usleep(UInt32.random(in: 500...3_000))
        return 1
      }, nil)
  }
}
