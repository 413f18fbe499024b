/// What a piece of text is, from which a renderer derives its colour. The words must say it too.
public enum TextRole: String, Sendable, Equatable, CaseIterable {
  /// From what needs no colour to what must not be missed.
  case plain, muted, accent, success, warning, danger
}

/// A short state in words, such as `pending`, with a role for its colour.
public struct Badge: Sendable, Equatable {
  /// One or two words in lower case.
  public var text: String
  /// Its colour, which repeats what the word says.
  public var role: TextRole

  /// Creates a badge.
  public init(_ text: String, role: TextRole = .accent) {
    self.text = text
    self.role = role
  }

  /// Written here, not yet accepted by the server.
  public static let pending = Badge("pending", role: .accent)
  /// Being sent, and the answer is not known.
  public static let sending = Badge("sending", role: .accent)
  /// Older than the window in which the local copy counts as current.
  public static let stale = Badge("stale", role: .warning)
  /// So old that it may mislead.
  public static let expired = Badge("expired", role: .danger)
  /// Changed here and on the server; a person decides.
  public static let conflict = Badge("conflict", role: .danger)
  /// Waits for a person's decision.
  public static let review = Badge("review", role: .danger)
  /// Deleted on the server or here.
  public static let deleted = Badge("deleted", role: .muted)
  /// Withheld by the server or by a privacy rule.
  public static let masked = Badge("masked", role: .muted)
  /// The server cannot be reached.
  public static let offline = Badge("offline", role: .warning)
  /// The answer may lack entries.
  public static let incomplete = Badge("incomplete", role: .warning)
  /// Recorded by mistake and withdrawn.
  public static let enteredInError = Badge("entered in error", role: .muted)
}
