/// What a screen or a command has to say, as meaning rather than as text.
///
/// A page holds two models side by side. `blocks` are for people: their wording and order may change at any time.
/// `records` are for programs: `JSONRenderer` writes them in a format with a promise. Neither is derived from the other.
public struct Page: Sendable, Equatable {
  /// The page's name, printed first. Nil for short answers that need none.
  public var title: String?
  /// What people read, from top to bottom.
  public var blocks: [Block]
  /// What programs read: one line each.
  public var records: [Record]
  /// What should be known but did not prevent the answer. Never part of the result itself.
  public var warnings: [String]

  /// Creates a page.
  public init(
    title: String? = nil, blocks: [Block] = [], records: [Record] = [], warnings: [String] = []
  ) {
    self.title = title
    self.blocks = blocks
    self.records = records
    self.warnings = warnings
  }

  /// What the rows of this page's tables stand for, in the order in which they are printed and numbered.
  public var rowTargets: [RowTarget] {
    blocks.flatMap { block in
      guard case .table(let table) = block else { return [RowTarget]() }
      return table.rows.compactMap(\.target)
    }
  }
}
