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
  /// Set when the command has done nothing yet and wants to be asked first; see `Question`.
  public var question: Question?

  public init(
    title: String? = nil, blocks: [Block] = [], records: [Record] = [], warnings: [String] = [],
    question: Question? = nil
  ) {
    self.title = title
    self.blocks = blocks
    self.records = records
    self.warnings = warnings
    self.question = question
  }

  /// What the rows of this page's tables stand for, in the order in which they are printed and numbered.
  public var rowTargets: [RowTarget] {
    blocks.flatMap { block in
      guard case .table(let table) = block else { return [RowTarget]() }
      return table.rows.compactMap(\.target)
    }
  }
}

/// A question that must be answered with yes before a destructive command does anything.
///
/// The command returns it in a page instead of acting. A terminal asks and runs the same invocation again with
/// `confirmed` set; where nobody can answer, the line fails and says that `--yes` is what to pass.
public struct Question: Sendable, Equatable {
  /// What will happen, as a question: `Cancel the appointment of Ana Pérez on 2026-03-04 at 09:30?`
  public var text: String
  /// What cannot be taken back, if anything.
  public var consequence: String?

  public init(_ text: String, consequence: String? = nil) {
    self.text = text
    self.consequence = consequence
  }
}
