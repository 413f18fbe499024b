import Domain

/// A script's lines as text, numbered as an editor numbers them.
///
/// A byte order mark at the beginning and a carriage return at a line's end are no part of the text. A last line without
/// a line feed counts as one.
final class ScriptLines {
  /// A line and its number.
  nonisolated struct Line: Hashable, Sendable {
    /// The text without its end.
    var text: String
    /// From 1.
    var number: Int
    /// Whether it asks for nothing.
    var isBlank: Bool { text.first { $0 != " " && $0 != "\t" }.map { $0 == "#" } ?? true }
  }

  /// The number of the line that was read last.
  private(set) var number = 0
  private let source: any LineSource

  init(_ source: any LineSource) {
    self.source = source
  }

  /// The next line; `nil` at the end, and when the task is cancelled.
  ///
  /// - Throws: `invalidInput` for a line that is no UTF-8; what reading throws.
  func next() async throws(AppError) -> Line? {
    guard var bytes = try await source.next() else { return nil }
    number += 1
    if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return Line(text: try Self.text(bytes), number: number)
  }

  /// A line as text.
  ///
  /// - Throws: `invalidInput` for what is no UTF-8.
  nonisolated static func text(_ bytes: [UInt8]) throws(AppError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AppError(.invalidInput, "the line is not valid UTF-8", hint: "save the file as UTF-8")
    }
    return text
  }
}
