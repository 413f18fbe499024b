/// A line that was not understood. Nothing has been done. The exit status is 2.
public struct UsageError: Error, Sendable, Equatable {
  /// What is wrong, with the offending word in quotes and without a full stop.
  public var message: String
  /// What to type instead, if that is known.
  public var hint: String?
  /// Which word of the line, from 0.
  public var word: Int?
  /// Which character of the line, from 1, where the line came as text.
  public var column: Int?

  /// Creates an error.
  public init(_ message: String, hint: String? = nil, word: Int? = nil, column: Int? = nil) {
    self.message = message
    self.hint = hint
    self.word = word
    self.column = column
  }
}
