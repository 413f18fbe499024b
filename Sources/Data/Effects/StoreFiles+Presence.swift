import Domain
import Foundation

extension StoreFiles {
  /// Whether there is a database that holds anything.
  var exists: Bool {
    var status = stat()
    return stat(database, &status) == 0 && status.st_size > 0 || logSize() > 0
  }

  /// Refuses a database that is not ours to open, before a byte of it changes.
  ///
  /// - Throws: `storeUnavailable` for another program's, and for one that was moved away; `storeNewer` for one of a later
  ///   version.
  func refuseForeign() throws(AppError) {
    if let target = movedTo() {
      throw AppError(
        .storeUnavailable, "the store was moved to \(target)",
        hint: "add --store '\(target)', or write \"store\" into the profile; to begin anew here, remove "
          + "\(directory)/moved-to")
    }
    guard let marks = marks() else { return }
    guard marks.applicationID == Int(Schema.applicationID) || marks == Marks(schemaVersion: 0, applicationID: 0) else {
      throw AppError(
        .storeUnavailable, "\(database) is a database of another program",
        hint: "name another folder with --store DIR; the file was left as it is")
    }
    guard marks.schemaVersion <= Schema.version else {
      throw AppError(
        .storeNewer, "the store at \(directory) was written by a newer version (schema \(marks.schemaVersion))",
        hint: "upgrade this program; the store was left as it is")
    }
  }

  /// What is wrong with who may read the folder and its files; empty when only the owner may.
  func permissionFaults() -> [String] {
    var faults: [String] = []
    for path in [directory, database, database + "-wal", database + "-shm", lock, mark] {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if status.st_uid != getuid() { faults.append("\(path) belongs to another user") }
      if status.st_mode & 0o077 != 0 { faults.append("\(path) is open to others (mode \(mode(status)))") }
    }
    if access(directory, W_OK) != 0 { faults.append("\(directory) cannot be written") }
    return faults
  }

  private func mode(_ status: stat) -> String { String(status.st_mode & 0o777, radix: 8) }

  /// The free space for this user where the store is, in bytes; `nil` when it cannot be told.
  func freeSpace() -> Int? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Whether the disk below the store is encrypted by the kernel (dm-crypt); `nil` when it cannot be told.
  ///
  /// Source: the kernel's ABI/testing/sysfs-block-dm: the uuid of an encrypted device begins with `CRYPT-`.
  func isDiskEncrypted() -> Bool? {
    var status = stat()
    guard stat(directory, &status) == 0 else { return nil }
    let device = UInt64(status.st_dev)
    let major = (device >> 8) & 0xfff
    let minor = (device & 0xff) | ((device >> 12) & 0xfff00)
    return isEncrypted("/sys/dev/block/\(major):\(minor)", depth: 4)
  }

  private func isEncrypted(_ folder: String, depth: Int) -> Bool? {
    guard access(folder, R_OK) == 0 else { return nil }
    if let uuid = try? String(contentsOfFile: folder + "/dm/uuid", encoding: .utf8), uuid.hasPrefix("CRYPT-") {
      return true
    }
    let below = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/slaves")) ?? []
    guard depth > 0, !below.isEmpty else { return false }
    return below.allSatisfy { isEncrypted("\(folder)/slaves/\($0)", depth: depth - 1) == true }
  }
}
