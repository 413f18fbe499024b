import Dispatch
import Domain
import Foundation

/// The reader of an output is gone.
nonisolated struct OutputClosed: Error {}

/// Where text goes.
nonisolated protocol TextSink: Sendable {
  /// Writes all of a text, behind everything that was written before.
  ///
  /// - Throws: When nobody reads any more.
  func write(_ text: String) async throws(OutputClosed)
  /// Writes without waiting; for what may be lost, such as progress.
  func post(_ text: String)
}

/// The process's three streams, and what they are connected to.
nonisolated struct FrontStreams: Sendable {
  /// Lines that are typed or piped in.
  var input: any LineSource
  /// Results only.
  var output: any TextSink
  /// Everything else.
  var errors: any TextSink
  /// Whether someone types.
  var inputIsTerminal: Bool
  /// Whether someone reads the results.
  var outputIsTerminal: Bool
  /// Whether someone reads the rest.
  var errorsAreTerminal: Bool
  /// The width of the terminal that shows the results, if there is one: asked for each time, since windows change.
  var columns: @Sendable () -> Int?
  /// The height of that terminal.
  var rows: @Sendable () -> Int? = { nil }
  /// Shows a text by a pager, and tells whether that could be done; `nil` where there is none.
  var page: (@Sendable (_ text: String, _ command: String) async -> Bool)?
  /// Whether the input can be a line that is edited on the screen.
  var editsLines = false

  /// The streams of this process.
  static func standard() -> FrontStreams {
    let (input, errors) = (isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1)
    return FrontStreams(
      input: FileLineSource(descriptor: STDIN_FILENO), output: FileSink(descriptor: STDOUT_FILENO),
      errors: FileSink(descriptor: STDERR_FILENO), inputIsTerminal: input,
      outputIsTerminal: isatty(STDOUT_FILENO) == 1, errorsAreTerminal: errors,
      columns: { TerminalSize.columns(STDOUT_FILENO) }, rows: { TerminalSize.rows(STDOUT_FILENO) },
      page: { await Pager.show($0, by: $1) }, editsLines: input && errors)
  }
}

/// A file descriptor as a sink. Writing happens on a queue of its own, since a pipe whose reader is slow blocks.
nonisolated final class FileSink: TextSink {
  private let descriptor: Int32
  private let queue: DispatchQueue

  init(descriptor: Int32) {
    self.descriptor = descriptor
    queue = DispatchQueue(label: "clinic.output.\(descriptor)")
  }

  func write(_ text: String) async throws(OutputClosed) {
    let isOpen = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Self.write(Array(text.utf8), to: self.descriptor)) }
    }
    if !isOpen { throw OutputClosed() }
  }

  func post(_ text: String) {
    queue.async { _ = Self.write(Array(text.utf8), to: self.descriptor) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in Foundation.write(descriptor, buffer.baseAddress, buffer.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // The other end may have made the shared description non-blocking: wait until it takes more.
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Foundation.poll(&poll, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
