/// Files of text that a person names: notes that are read, charts that are written.
public protocol TextFiles: Sendable {
  /// The text of a file, or of standard input for `-`.
  ///
  /// - Throws: `fileUnreadable` when it cannot be read, is no UTF-8, or is longer than a note may be; `invalidInput` for `-`
  ///   where standard input is read for lines already.
  func text(at path: String) async throws(AppError) -> String

  /// Writes a text, for its owner only, in the place of what is there.
  ///
  /// - Throws: `fileUnreadable` when it cannot be written.
  func write(_ text: String, to path: String) async throws(AppError)
}
