import Domain
import Foundation

/// Files for the owner's eyes only, which appear whole or not at all.
enum OwnerOnlyFile {
  /// Makes a file: `fill` writes it under another name, then it gets its own.
  ///
  /// - Parameters:
  ///   - id: makes the other name unique.
  ///   - replaces: whether a file that is there is replaced.
  /// - Returns: its size in bytes.
  /// - Throws: `needsConfirmation` for a file that is there; `fileUnreadable`; what `fill` throws.
  static func make(
    _ path: String, id: String, replaces: Bool, fill: (_ partial: String) async throws(AppError) -> Void
  ) async throws(AppError) -> Int {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "it is no regular file") }
      guard replaces else {
        throw AppError(.needsConfirmation, "replace \(path)? It is there already", field: "file")
      }
    }
    let partial = "\(path).partial-\(id.prefix(8))"
    let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    do throws(AppError) {
      try await fill(partial)
      guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0, rename(partial, path) == 0 else {
        throw failure(path, String(cString: strerror(errno)))
      }
    } catch {
      unlink(partial)
      throw error
    }
    synchronizeFolder(of: path)
    return Int(status.st_size)
  }

  /// Makes a file with these bytes.
  static func write(_ bytes: [UInt8], to path: String, id: String, replaces: Bool) async throws(AppError) -> Int {
    try await make(path, id: id, replaces: replaces) { partial throws(AppError) in
      let descriptor = open(partial, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Makes the names in a folder durable.
  static func synchronizeFolder(of path: String) {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ path: String, _ reason: String) -> AppError {
    AppError(.fileUnreadable, "\(path) cannot be written: \(reason)", field: "file")
  }
}
