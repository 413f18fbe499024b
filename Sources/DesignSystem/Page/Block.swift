/// One part of a page. There is no case for raw text lines: a renderer decides how a meaning looks.
public enum Block: Sendable, Equatable {
  /// A heading. Level 1 is directly below the page's title; deeper ones belong to the part they stand in.
  case heading(level: Int = 1, String)
  /// Prose, wrapped at a readable width. Line breaks inside are kept.
  case paragraph(String, role: TextRole = .plain)
  /// Labelled values of one thing.
  case fields([Field])
  /// Things of one kind, a row each.
  case table(Table)
  /// Something that wants attention, with what to do about it.
  case notice(Notice)
  /// States of the whole page.
  case badges([Badge])
  /// Short items; numbered if their order matters.
  case list([String], ordered: Bool = false)
  /// Command lines as one would type them: indented, never wrapped.
  case commandLines([String])
  /// Values over time.
  case plot(Plot)
  /// One empty line.
  case spacer
}

/// A labelled value.
public struct Field: Sendable, Equatable {
  /// What the value is, without a colon.
  public var label: String
  /// The value as shown. Empty means that nothing is recorded, and is shown as such.
  public var value: String
  /// Its colour, which repeats what the text says.
  public var role: TextRole
  /// States of the value, printed behind it.
  public var badges: [Badge]

  /// Creates it.
  public init(_ label: String, _ value: String, role: TextRole = .plain, badges: [Badge] = []) {
    self.label = label
    self.value = value
    self.role = role
    self.badges = badges
  }
}

/// Something that wants attention. Its role is also printed as a word, so colour is never the only carrier.
public struct Notice: Sendable, Equatable {
  /// How much attention.
  public enum Role: String, Sendable, Equatable, CaseIterable {
    /// Printed as `Note`, `Done`, `Warning` and `Problem`.
    case info, success, warning, danger
  }

  /// How much attention.
  public var role: Role
  /// What is the case.
  public var text: String
  /// What to do next, if anything.
  public var next: String?

  /// Creates it.
  public init(_ role: Role, _ text: String, next: String? = nil) {
    self.role = role
    self.text = text
    self.next = next
  }
}

/// Values over time, drawn with characters.
public struct Plot: Sendable, Equatable {
  /// One measured value.
  public struct Point: Sendable, Equatable {
    /// When, as shown.
    public var label: String
    /// Where the mark is drawn. A value that is not finite is listed without a mark.
    public var value: Double
    /// The value as recorded, since `1.50` is not `1.5`.
    public var text: String
    /// States of the value, printed behind it.
    public var badges: [Badge]

    /// Creates it.
    public init(_ label: String, value: Double, text: String, badges: [Badge] = []) {
      self.label = label
      self.value = value
      self.text = text
      self.badges = badges
    }
  }

  /// What was measured.
  public var title: String
  /// The unit of all points, as printed.
  public var unit: String
  /// In the order in which they are printed.
  public var points: [Point]

  /// Creates it.
  public init(title: String, unit: String, points: [Point]) {
    self.title = title
    self.unit = unit
    self.points = points
  }
}
