package import Domain
import Foundation

/// The files of a store in their folder: for the owner's eyes only.
package struct StoreFiles: Hashable, Sendable {
  /// The folder, mode 0700.
  package var directory: String
  /// The database. Its `-wal` and `-shm` companions stand beside it.
  package var database: String { directory + "/clinic.sqlite" }
  /// Held for the length of a sync pass.
  package var lock: String { directory + "/sync.lock" }

  package init(directory: String) {
    self.directory = directory
  }

  /// Makes the folder and an empty database, if they are not there, and closes them to others.
  package func prepare() throws(AppError) {
    if mkdir(directory, 0o700) != 0 {
      let code = errno
      if code == ENOENT {
        let parent = FilePath.folder(of: directory)
        guard !parent.isEmpty, parent != directory else { throw failure(code, directory) }
        try StoreFiles(directory: parent).makeParents()
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw failure(errno, directory) }
      } else if code != EEXIST {
        throw failure(code, directory)
      }
    }
    var status = stat()
    guard stat(directory, &status) == 0 else { throw failure(errno, directory) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR, directory) }
    if status.st_uid == getuid(), status.st_mode & 0o077 != 0 { chmod(directory, 0o700) }
    let isNew = access(database, F_OK) != 0
    let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno, database) }
    fchmod(descriptor, 0o600)
    close(descriptor)
    guard isNew else { return }
    // SQLite makes durable what is in its files; that there are such files is for us to keep.
    OwnerOnlyFile.synchronizeFolder(of: database)
    OwnerOnlyFile.synchronizeFolder(of: directory)
  }

  /// The size of the write-ahead log, in bytes.
  package func logSize() -> Int {
    var status = stat()
    return stat(database + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  private func makeParents() throws(AppError) {
    if mkdir(directory, 0o755) == 0 || errno == EEXIST { return }
    let code = errno
    let parent = FilePath.folder(of: directory)
    guard code == ENOENT, !parent.isEmpty, parent != directory else { throw failure(code, directory) }
    try StoreFiles(directory: parent).makeParents()
    if mkdir(directory, 0o755) != 0, errno != EEXIST { throw failure(errno, directory) }
  }

  private func failure(_ code: Int32, _ path: String) -> AppError {
    AppError(
      code == ENOSPC || code == EDQUOT ? .storeFull : .storeUnavailable,
      "the store at \(path) cannot be opened: \(String(cString: strerror(code)))",
      hint: "check the folder and its permissions, or name another with --store DIR")
  }

  /// What the files say of themselves.
  package struct Marks: Hashable, Sendable {
    /// The version of the schema; 0 for none.
    package var schemaVersion: Int
    /// Whose database it is; 0 when it does not say.
    package var applicationID: Int
  }

  /// What stands in the files, read without SQLite so that not one byte of them changes; `nil` for a file that is empty
  /// or not a database.
  ///
  /// Source: sqlite.org/fileformat2.html, sections 1.3 and 4.1.
  package func marks() -> Marks? {
    let descriptor = open(database, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let header = read(descriptor, offset: 0, count: 100), header.count == 100,
      Array(header.prefix(16)) == Array("SQLite format 3\0".utf8)
    else { return nil }
    let page = newestFirstPageInWAL(pageSize: pageSize(header)) ?? header
    return Marks(schemaVersion: Int(bigEndian(page, at: 60)), applicationID: Int(bigEndian(page, at: 68)))
  }

  private func pageSize(_ header: [UInt8]) -> Int {
    let stored = Int(header[16]) << 8 | Int(header[17])
    return stored == 1 ? 65_536 : stored
  }

  /// The first page as the last commit in the write-ahead log left it; `nil` when the log does not hold it.
  private func newestFirstPageInWAL(pageSize: Int) -> [UInt8]? {
    let descriptor = open(database + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let header = read(descriptor, offset: 0, count: 32), header.count == 32 else { return nil }
    let salts = header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) }
    var offset = 32
    var newest: [UInt8]?
    var pending: [UInt8]?
    // A log may have a thousand frames, and is looked through at each start.
    withUnsafeTemporaryAllocation(byteCount: 124, alignment: 8) { frame in
      while pread(descriptor, frame.baseAddress, frame.count, off_t(offset)) == frame.count,
        frame.load(fromByteOffset: 8, as: UInt64.self) == salts
      {
        if UInt32(bigEndian: frame.load(as: UInt32.self)) == 1 { pending = Array(frame[24...]) }
        if frame.load(fromByteOffset: 4, as: UInt32.self) != 0 { newest = pending ?? newest }
        offset += 24 + pageSize
      }
    }
    return newest
  }

  private func bigEndian(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func read(_ descriptor: Int32, offset: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, off_t(offset))
    return got > 0 ? Array(bytes.prefix(got)) : nil
  }
}
