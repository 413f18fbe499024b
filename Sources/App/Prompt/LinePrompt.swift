import DesignSystem
import Domain
import Synchronization

/// Where a session asks for its lines.
nonisolated protocol LinePrompt: Sendable {
  /// Asks for a line, and gives it without its line feed; `nil` at the end of input, and when the task is cancelled. What
  /// is written afterwards begins on a line of its own.
  ///
  /// - Throws: `fileUnreadable`; `invalidInput` for a line that is longer than a line can be.
  func line(_ prompt: PromptText) async throws(AppError) -> [UInt8]?
  /// Says something without disturbing what is being typed: above it, else before the next line.
  func say(_ text: String)
  /// Shows another prompt for the line that is being typed, where that can be done in place.
  func change(_ prompt: PromptText)
  /// Leaves the terminal as it was found.
  func end() async
}

/// What stands in front of a line: where one is, who one is, who is open, and what is unsent.
nonisolated struct PromptText: Hashable, Sendable {
  /// The parts, the most important one first. Each is safe to print.
  var parts: [String]
  /// Whether they are shown in colour.
  var isStyled = false

  /// All on one line, with the sign behind which one types.
  var text: String { context + Self.sign }
  /// The parts.
  var context: String { parts.joined(separator: " | ") }
  /// Behind it one types.
  static let sign = "> "

  /// Whether the parts leave room to type behind them on a terminal of that width.
  func fits(_ columns: Int) -> Bool { DisplayWidth.of(text) * 5 <= columns * 3 }
}

/// A prompt that only writes and reads lines: for terminals that cannot do more.
nonisolated final class PlainPrompt: LinePrompt {
  private let source: any LineSource
  private let sink: any TextSink
  private let waiting = Mutex<[String]>([])

  /// - Parameters:
  ///   - source: What is typed.
  ///   - sink: Where the prompt is shown.
  init(source: any LineSource, sink: any TextSink) {
    self.source = source
    self.sink = sink
  }

  func line(_ prompt: PromptText) async throws(AppError) -> [UInt8]? {
    let said = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    sink.post(said.map { $0 + "\n" }.joined() + prompt.text)
    let line = try await source.next()
    if line == nil { sink.post("\n") }
    return line
  }

  func say(_ text: String) { waiting.withLock { $0.append(text) } }
  func change(_ prompt: PromptText) {}
  func end() async {}
}
