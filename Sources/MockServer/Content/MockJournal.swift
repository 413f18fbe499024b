internal import Glibc
import JSON

/// The file that lets a server survive being killed: every applied write is in it, on disk, before its answer leaves.
///
/// One JSON object a line: `{"writes": […]}` for what one request applied, `{"keep": n}` after a restore (the first n changes remain), and
/// `{"loaded": true}` when the first load was complete. A last line that is torn was never acknowledged and is dropped.
package final class MockJournal: Sendable {
  private let file: Int32
  private let path: String

  /// Opens the file, making it (mode 0600) if there is none, and locks it.
  package init(path: String) throws(MockJournalError) {
    self.path = path
    file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw MockJournalError("cannot open the journal \(path)") }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw MockJournalError("the journal \(path) is in use") }
  }

  deinit { if file >= 0 { close(file) } }

  /// Takes the file's changes into the state and cuts off a torn end. A first load that was not completed is dropped as a whole.
  /// - Returns: whether a first load is complete.
  func replay(into state: inout MockState) throws(MockJournalError) -> Bool {
    let bytes = try read()
    var good = 0
    var isLoaded = false
    var lines: [JSONValue] = []
    while let newline = bytes[good...].firstIndex(of: 0x0A) {
      guard let line = try? JSONValue(parsing: Array(bytes[good..<newline]), limits: JSONLimits(depth: 500)) else {
        throw MockJournalError("the journal \(path) is damaged at byte \(good): set it aside to start anew")
      }
      good = newline + 1
      if line["loaded"] == true { isLoaded = true } else { lines.append(line) }
    }
    if !isLoaded {
      good = 0
      lines = []
    }
    for line in lines { try apply(line, to: &state) }
    guard ftruncate(file, off_t(good)) == 0, lseek(file, 0, SEEK_END) >= 0 else {
      throw MockJournalError("cannot repair the journal \(path)")
    }
    // Another sequence than before, so that opaque versions and ids do not repeat.
    state.ids = SeededGenerator(seed: state.ids.next() ^ (UInt64(state.mark) &* 0xD134_2543_DE82_EF95))
    return isLoaded
  }

  private func apply(_ line: JSONValue, to state: inout MockState) throws(MockJournalError) {
    if let keep = line["keep"]?.int { state.cut(to: keep, isTransaction: false) }
    for write in line["writes"]?.array ?? [] {
      guard let type = write["type"]?.string, let id = write["id"]?.string, let versionId = write["versionId"]?.string,
        let time = write["time"]?.int, let method = write["method"]?.string
      else { throw MockJournalError("the journal \(path) holds a line that is not this program's") }
      let version = MockVersion(
        versionId: versionId, time: Int64(time), method: method, resource: write["resource"],
        isLoaded: write["loaded"] == true)
      state.append(MockChange(key: MockKey(type, id), version: version))
    }
  }

  /// Writes what a request changed, and waits until it is on disk.
  func record(_ state: MockState, since mark: Int) throws(MockJournalError) {
    if state.mark < mark {
      try append(["keep": .number(JSONNumber(state.mark))])
    } else if state.mark > mark {
      let writes = state.changes[mark...].map { change -> JSONValue in
        var write: JSONValue = [
          "type": .string(change.key.type), "id": .string(change.key.id),
          "versionId": .string(change.version.versionId),
          "time": .number(JSONNumber(Int(change.version.time))), "method": .string(change.version.method),
        ]
        if change.version.isLoaded { write["loaded"] = true }
        write["resource"] = change.version.resource
        return write
      }
      try append(["writes": .array(writes)])
    }
  }

  /// Marks the first load as complete.
  func finishLoading() throws(MockJournalError) { try append(["loaded": true]) }

  private func append(_ line: JSONValue) throws(MockJournalError) {
    let start = lseek(file, 0, SEEK_CUR)
    let bytes = line.bytes() + [0x0A]
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    guard written == bytes.count, fdatasync(file) == 0 else {
      // Takes the half-written line back, so that later lines stay readable.
      if start >= 0, ftruncate(file, start) == 0 { lseek(file, start, SEEK_SET) }
      throw MockJournalError("cannot write the journal \(path)")
    }
  }

  private func read() throws(MockJournalError) -> [UInt8] {
    guard lseek(file, 0, SEEK_SET) == 0 else { throw MockJournalError("the journal \(path) is not a plain file") }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw MockJournalError("cannot read the journal \(path)") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

/// Why a journal cannot be used.
package struct MockJournalError: Error, Sendable, CustomStringConvertible {
  /// What happened, with the file.
  package var message: String
  package var description: String { message }

  init(_ message: String) { self.message = message }
}
