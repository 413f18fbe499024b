import Domain
import Foundation

/// How far a store is known to have come, kept beside it: the number of the last line of its audit that was on disk.
///
/// A database whose write-ahead log is lost, or is another store's, can look sound and be an older one, or another. The
/// mark is what it is held against. It is written after the commit, so it never claims what is not there.
package struct StoreMark: Hashable, Sendable {
  /// The store's own id.
  package var store: String
  /// The last line of the audit.
  package var serial: Int64

  package init(store: String, serial: Int64) {
    self.store = store
    self.serial = serial
  }

  private static let header = "clinic-mark-1"

  /// Reads a mark; `nil` when there is none, or none that is whole.
  package static func read(_ path: String) -> StoreMark? {
    guard let text = SmallFile.text(path, atMost: 199) else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == header, words[3] == "end\n", let serial = Int64(words[2]) else { return nil }
    return StoreMark(store: String(words[1]), serial: serial)
  }

  /// Writes the mark in one piece. What fails costs a warning in some later emergency, and nothing else.
  package func write(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    fchmod(descriptor, 0o600)
    let digits = String(serial)
    let padded = String(repeating: "0", count: max(0, 19 - digits.count)) + digits
    let text = Array("\(Self.header) \(store) \(padded) end\n".utf8)
    if pwrite(descriptor, text, text.count, 0) == text.count { ftruncate(descriptor, off_t(text.count)) }
  }
}

extension StoreFiles {
  /// The mark beside the database.
  package var mark: String { directory + "/clinic.mark" }
}

extension StoreTransaction {
  /// Where the store stands now; `nil` before it has an id.
  func standing() throws(AppError) -> StoreMark? {
    guard let store = try meta("store") else { return nil }
    let serial = try first("SELECT coalesce(max(serial), 0) FROM audit") { row throws(SQLiteError) in row.integer(0) }
    return StoreMark(store: store, serial: serial ?? 0)
  }

  /// Holds the store against the mark beside it.
  ///
  /// - Throws: `storeCorrupt` when it is another store, or an older state of this one.
  func checkStanding(against mark: StoreMark?) throws(AppError) {
    guard let mark else { return }
    let standing = try standing()
    if let standing, standing.store == mark.store, standing.serial >= mark.serial { return }
    let what =
      switch standing {
      case nil: "the store is empty, and was not: its database is lost"
      case let standing? where standing.store == mark.store:
        "the store has gone back: \(mark.serial - standing.serial) of its last changes are missing, as when its "
          + "write-ahead log is lost"
      default: "the store's database is another one than before, or its write-ahead log is another store's"
      }
    throw AppError(
      .storeCorrupt, what,
      hint: "keep a copy of its folder; store salvage saves what is there, store restore FILE puts a "
        + "copy in its place")
  }
}
