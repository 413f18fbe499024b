import Foundation

/// Where a store is: its folder, and the file that its database is. A copy differs in both.
package struct StorePlace: Hashable, Sendable {
  /// The folder, without symbolic links.
  var folder: String
  var device: UInt64
  var inode: UInt64

  /// Where the database of these files is now; `nil` when there is none on a disk.
  static func current(_ files: StoreFiles) -> StorePlace? {
    place(of: files.database, in: files)
  }

  /// The place that a file will have under the database's name.
  static func place(of file: String, in files: StoreFiles) -> StorePlace? {
    var status = stat()
    guard stat(file, &status) == 0, let folder = realpath(files.directory, nil) else { return nil }
    defer { free(folder) }
    return StorePlace(folder: String(cString: folder), device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Whether a store that is here is a copy of the one that was there when it was last used.
  ///
  /// What was put back into the same folder, and what was moved there as a whole, is no copy. Two stores are, also when
  /// it is the older file that went elsewhere.
  func isCopy(of former: StorePlace) -> Bool {
    guard folder != former.folder else { return false }
    guard device == former.device, inode == former.inode else { return true }
    let files = StoreFiles(directory: former.folder)
    guard files.exists, let there = StorePlace.current(files) else { return false }
    return there.device != device || there.inode != inode
  }

  /// As the store keeps it.
  var text: String { "\(device) \(inode) \(folder)" }

  /// Reads what ``text`` wrote.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return nil }
    self.init(folder: String(parts[2]), device: device, inode: inode)
  }

  private init(folder: String, device: UInt64, inode: UInt64) {
    self.folder = folder
    self.device = device
    self.inode = inode
  }
}
