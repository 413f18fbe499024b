/// Things of one kind, a row each.
public struct Table: Sendable, Equatable {
  public var columns: [Column]
  public var rows: [Row]
  /// Said instead of the rows when there are none.
  public var empty: String

  public init(columns: [Column], rows: [Row], empty: String = "nothing to show") {
    self.columns = columns
    self.rows = rows
    self.empty = empty
  }

  /// A column of a table.
  public struct Column: Sendable, Equatable {
    /// On which side the text stands.
    public enum Alignment: Sendable, Equatable {
      case leading, trailing
    }

    /// Which columns leave the grid first when the width does not suffice. They move below their row: nothing is lost.
    public enum Priority: Int, Sendable, Equatable, Comparable {
      case low, normal, high

      public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    public var title: String
    public var alignment: Alignment
    public var priority: Priority

    public init(_ title: String, alignment: Alignment = .leading, priority: Priority = .normal) {
      self.title = title
      self.alignment = alignment
      self.priority = priority
    }
  }

  /// A cell. Line breaks in its text are flattened.
  public struct Cell: Sendable, Equatable, ExpressibleByStringLiteral {
    public var text: String
    public var role: TextRole
    public var badges: [Badge]

    public init(_ text: String, role: TextRole = .plain, badges: [Badge] = []) {
      self.text = text
      self.role = role
      self.badges = badges
    }

    public init(stringLiteral value: String) {
      self.init(value)
    }
  }

  /// A row. Missing cells are empty; cells beyond the last column are not shown.
  public struct Row: Sendable, Equatable {
    public var cells: [Cell]
    /// What the row stands for; rows with a target are numbered in a session.
    public var target: RowTarget?

    public init(_ cells: [Cell], target: RowTarget? = nil) {
      self.cells = cells
      self.target = target
    }
  }
}

/// The record that a printed row stands for.
public struct RowTarget: Sendable, Hashable {
  /// The resource's type, as FHIR writes it: `Patient`.
  public var kind: String
  /// The record's local id.
  public var id: String

  public init(kind: String, id: String) {
    self.kind = kind
    self.id = id
  }
}
