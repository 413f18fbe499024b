/// Things of one kind, a row each.
public struct Table: Sendable, Equatable {
  /// From left to right.
  public var columns: [Column]
  /// From top to bottom.
  public var rows: [Row]
  /// Said instead of the rows when there are none.
  public var empty: String

  /// Creates a table.
  public init(columns: [Column], rows: [Row], empty: String = "nothing to show") {
    self.columns = columns
    self.rows = rows
    self.empty = empty
  }

  /// A column of a table.
  public struct Column: Sendable, Equatable {
    /// On which side the text stands.
    public enum Alignment: Sendable, Equatable {
      /// Words stand on the leading side, numbers on the trailing one.
      case leading, trailing
    }

    /// Which columns leave the grid first when the width does not suffice. They move below their row: nothing is lost.
    public enum Priority: Int, Sendable, Equatable, Comparable {
      /// A column of high priority is the last to leave.
      case low, normal, high

      /// What leaves earlier comes first.
      public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// Its heading, which is also the label of its values where there is no grid.
    public var title: String
    /// On which side the text stands. Text on the trailing side is never wrapped.
    public var alignment: Alignment
    /// How long it stays in the grid.
    public var priority: Priority

    /// Creates a column.
    public init(_ title: String, alignment: Alignment = .leading, priority: Priority = .normal) {
      self.title = title
      self.alignment = alignment
      self.priority = priority
    }
  }

  /// A cell. Line breaks in its text are flattened.
  public struct Cell: Sendable, Equatable, ExpressibleByStringLiteral {
    /// What is shown; empty if there is nothing.
    public var text: String
    /// Its colour, which repeats what the text says.
    public var role: TextRole
    /// States of the value, printed behind it.
    public var badges: [Badge]

    /// Creates a cell.
    public init(_ text: String, role: TextRole = .plain, badges: [Badge] = []) {
      self.text = text
      self.role = role
      self.badges = badges
    }

    /// A plain cell.
    public init(stringLiteral value: String) {
      self.init(value)
    }
  }

  /// A row. Missing cells are empty; cells beyond the last column are not shown.
  public struct Row: Sendable, Equatable {
    /// One for each column.
    public var cells: [Cell]
    /// What the row stands for; rows with a target are numbered in a session.
    public var target: RowTarget?

    /// Creates a row.
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

  /// Creates a target.
  public init(kind: String, id: String) {
    self.kind = kind
    self.id = id
  }
}
