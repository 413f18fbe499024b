import Dispatch
import Domain
import Foundation
import Synchronization

/// Lines as bytes, in order.
nonisolated protocol LineSource: Sendable {
  /// The next line without its line feed; `nil` at the end, and when the task is cancelled.
  ///
  /// - Throws: `fileUnreadable`; `invalidInput` for a line that is longer than a line can be.
  func next() async throws(AppError) -> [UInt8]?
}

/// The lines of a file descriptor, as they come. Reading happens on a queue of its own and ends when the task is
/// cancelled: the queue waits for input and for a pipe that wakes it.
nonisolated final class FileLineSource: LineSource {
  /// No line is longer: a file without line feeds must not fill the memory.
  static let longestLine = 1 << 20

  private struct State {
    var buffer: [UInt8] = []
    /// How far the buffer was searched for a line feed.
    var searched = 0
    var isAtEnd = false
  }

  private let descriptor: Int32
  private let closes: Bool
  private let queue: DispatchQueue
  private let wakeUp: (read: Int32, write: Int32)
  private let state = Mutex(State())

  /// - Parameter closes: Whether the descriptor is closed with this source.
  init(descriptor: Int32, closes: Bool = false) {
    self.descriptor = descriptor
    self.closes = closes
    queue = DispatchQueue(label: "clinic.input.\(descriptor)")
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    wakeUp = (ends[0], ends[1])
  }

  /// Opens a file.
  ///
  /// - Throws: `fileUnreadable`.
  convenience init(path: String) throws(AppError) {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path) }
    self.init(descriptor: descriptor, closes: true)
  }

  deinit {
    if closes { close(descriptor) }
    if wakeUp.read >= 0 {
      close(wakeUp.read)
      close(wakeUp.write)
    }
  }

  func next() async throws(AppError) -> [UInt8]? {
    if Task.isCancelled { return nil }
    // A read that ended just before its task was cancelled leaves a byte that is not meant for this one.
    forgetWakeUps()
    let result: Result<[UInt8]?, AppError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.readLine()) }
      }
    } onCancel: {
      var byte: UInt8 = 0
      _ = Foundation.write(wakeUp.write, &byte, 1)
    }
    return try result.get()
  }

  private func readLine() -> Result<[UInt8]?, AppError> {
    while true {
      if let line = takeLine() { return .success(line) }
      if state.withLock({ $0.isAtEnd }) { return .success(takeRest()) }
      if state.withLock({ $0.buffer.count > Self.longestLine }) {
        return .failure(AppError(.invalidInput, "a line is longer than \(Self.longestLine) bytes"))
      }
      switch waitForInput() {
      case .woken: return .success(nil)
      case .ready: break
      }
      if let error = readMore() { return .failure(error) }
    }
  }

  private enum Wait { case ready, woken }

  private func waitForInput() -> Wait {
    while true {
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        return .ready
      }
      if descriptors[1].revents != 0 { return .woken }
      return .ready
    }
  }

  private func forgetWakeUps() {
    var byte: UInt8 = 0
    while read(wakeUp.read, &byte, 1) == 1 {}
  }

  private func readMore() -> AppError? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 {
      if errno == EINTR || errno == EAGAIN { return nil }
      return Self.unreadable("the input")
    }
    let bytes = chunk.prefix(count)
    state.withLock { state in
      if bytes.isEmpty { state.isAtEnd = true } else { state.buffer += bytes }
    }
    return nil
  }

  private func takeLine() -> [UInt8]? {
    state.withLock { state in
      guard let end = state.buffer[state.searched...].firstIndex(of: UInt8(ascii: "\n")) else {
        state.searched = state.buffer.count
        return nil
      }
      let line = Array(state.buffer[..<end])
      state.buffer.removeFirst(end + 1)
      state.searched = 0
      return line
    }
  }

  /// The last line, when it has no line feed.
  private func takeRest() -> [UInt8]? {
    state.withLock { state in
      guard !state.buffer.isEmpty else { return nil }
      let line = state.buffer
      state.buffer = []
      state.searched = 0
      return line
    }
  }

  private static func unreadable(_ path: String) -> AppError {
    AppError(.fileUnreadable, "cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
