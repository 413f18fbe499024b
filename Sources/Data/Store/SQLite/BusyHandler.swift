import CSQLite
import Foundation

/// Waits for another process's short write transaction: small random pauses, so that nobody is starved.
///
/// SQLite's own handler doubles its pauses up to 100 ms, which makes a waiter lose against newcomers.
enum BusyHandler {
  /// The longest wait, in tries of 0.5 to 3 ms each: about twenty seconds.
  static let maximumTries: Int32 = 12_000

  /// Switches a database to write-ahead logging. While another program does the same, SQLite answers "busy" at once and
  /// asks no handler.
  static func switchToWriteAheadLog(_ connection: Connection) throws(SQLiteError) {
    for _ in 1..<maximumTries {
      do throws(SQLiteError) {
        return try connection.execute("PRAGMA journal_mode=WAL")
      } catch {
        guard error.code == SQLITE_BUSY || error.code == SQLITE_LOCKED else { throw error }
        usleep(UInt32.random(in: 500...3_000))
      }
    }
    try connection.execute("PRAGMA journal_mode=WAL")
  }

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
