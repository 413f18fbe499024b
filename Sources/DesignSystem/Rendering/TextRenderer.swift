/// Turns a page into text for people. Pure: the same page and the same settings give the same bytes.
///
/// Nothing that a page carries can reach the terminal as a control character, an escape sequence or a direction mark:
/// all of it passes `VisibleText`. The layout does not depend on `styled`, which only adds colour.
public struct TextRenderer: Sendable, Equatable {
  /// How rows that stand for a record are marked.
  public enum RowMarks: Sendable, Equatable {
    /// Not at all.
    case none
    /// `#1`, `#2`, … across all tables of the page, as `RowBindings` counts them. For sessions.
    case numbers
    /// The record as `Patient/3`, in a column of its own. For where row numbers mean nothing.
    case ids
  }

  /// The width of the terminal in columns, at least 20.
  public var width: Int
  /// Whether roles are shown by colour (ANSI SGR sequences). Words say the same without it.
  public var styled: Bool
  /// Whether the text is read aloud: no grids, no rules, no plots; each value follows its label.
  public var screenReader: Bool
  /// How rows that stand for a record are marked.
  public var rowMarks: RowMarks

  /// Creates a renderer; a width below 20 counts as 20.
  public init(width: Int = 80, styled: Bool = false, screenReader: Bool = false, rowMarks: RowMarks = .none) {
    self.width = max(20, width)
    self.styled = styled
    self.screenReader = screenReader
    self.rowMarks = rowMarks
  }

  /// Prose is not wider than this: longer lines are hard to read.
  static let readableWidth = 88

  var proseWidth: Int { min(width, Self.readableWidth) }

  /// The page's title and blocks, each line with its line feed. Its warnings are not part of the result; see
  /// `warnings(of:)`.
  public func render(_ page: Page) -> String {
    var lines: [StyledLine] = []
    if let title = page.title {
      lines += prose(title, role: .plain, isStrong: true) + [StyledLine()]
    }
    var nextRow = 1
    var previous = Block.spacer
    for block in page.blocks {
      switch block {
      case .heading(let level, let text):
        // Deeper headings belong to what stands before them.
        if level <= 1, let last = lines.last, !last.isEmpty { lines.append(StyledLine()) }
        let heading = VisibleText.flat(text) + (level <= 1 ? "" : ":")
        lines += StyledLine(heading, isStrong: true).wrapped(to: proseWidth)
      case .spacer:
        if let last = lines.last, !last.isEmpty { lines.append(StyledLine()) }
      case .table(let table):
        lines += self.lines(of: table, firstRow: &nextRow)
      case .notice:
        // Notices stand apart from what they follow, but not from each other.
        if !previous.isNotice, let last = lines.last, !last.isEmpty { lines.append(StyledLine()) }
        lines += self.lines(of: block)
      default:
        lines += self.lines(of: block)
      }
      previous = block
    }
    while let last = lines.last, last.isEmpty { lines.removeLast() }
    return text(of: lines)
  }

  /// The page's warnings, a line each, for standard error.
  public func warnings(of page: Page) -> String {
    text(
      of: page.warnings.flatMap { warning in
        hanging("Warning: ", role: .warning, StyledLine(VisibleText.flat(warning)), width: proseWidth)
      })
  }

  private func lines(of block: Block) -> [StyledLine] {
    switch block {
    case .paragraph(let text, let role):
      prose(text, role: role)
    case .fields(let fields):
      lines(of: fields)
    case .notice(let notice):
      lines(of: notice)
    case .badges(let badges):
      line(of: badges).wrapped(to: proseWidth)
    case .list(let items, let ordered):
      items.enumerated().flatMap { index, item in
        hanging(
          ordered ? "\(index + 1). " : "- ", role: .plain, StyledLine(VisibleText.flat(item)), width: proseWidth)
      }
    case .commandLines(let commands):
      commands.map { command in
        var line = StyledLine("  ")
        line.append(VisibleText.flat(command), role: .accent)
        return line
      }
    case .plot(let plot):
      lines(of: plot)
    case .heading, .spacer, .table:
      []
    }
  }

  // MARK: - Parts

  func prose(_ text: String, role: TextRole, isStrong: Bool = false) -> [StyledLine] {
    VisibleText.lines(text).flatMap { StyledLine($0, role: role, isStrong: isStrong).wrapped(to: proseWidth) }
  }

  /// A label, and beside it a text whose further lines are indented as far.
  func hanging(_ label: String, role: TextRole, _ text: StyledLine, width: Int) -> [StyledLine] {
    let indent = DisplayWidth.of(label)
    return text.wrapped(to: width - indent).enumerated().map { index, line in
      var whole =
        index == 0 ? StyledLine(label, role: role) : StyledLine(String(repeating: " ", count: indent))
      whole.append(line)
      return whole
    }
  }

  /// `[pending] [stale]`, the words in the colour of their role.
  func line(of badges: [Badge]) -> StyledLine {
    var line = StyledLine()
    for (index, badge) in badges.enumerated() {
      if index > 0 { line.append(" ") }
      line.append("[\(VisibleText.flat(badge.text))]", role: badge.role)
    }
    return line
  }

  /// A value with its badges behind it.
  func line(_ text: String, role: TextRole, badges: [Badge]) -> StyledLine {
    var line = StyledLine(text, role: role)
    if !badges.isEmpty {
      if !line.isEmpty { line.append(" ") }
      line.append(self.line(of: badges))
    }
    return line
  }

  private func lines(of notice: Notice) -> [StyledLine] {
    let (word, role): (String, TextRole) =
      switch notice.role {
      case .info: ("Note: ", .accent)
      case .success: ("Done: ", .success)
      case .warning: ("Warning: ", .warning)
      case .danger: ("Problem: ", .danger)
      }
    var lines = hanging(word, role: role, StyledLine(VisibleText.flat(notice.text)), width: proseWidth)
    if let next = notice.next {
      lines += hanging("  Next: ", role: .muted, StyledLine(VisibleText.flat(next)), width: proseWidth)
    }
    return lines
  }

  /// Said where nothing is recorded.
  static let nothing = "not recorded"

  private func lines(of fields: [Field]) -> [StyledLine] {
    let labels = fields.map { VisibleText.flat($0.label) }
    let widest = labels.map { DisplayWidth.of($0) }.filter { $0 <= proseWidth / 2 }.max() ?? 0
    return zip(labels, fields).flatMap { label, field in
      lines(of: field, label: label, labelWidth: screenReader ? 0 : widest)
    }
  }

  private func lines(of field: Field, label: String, labelWidth: Int) -> [StyledLine] {
    var values = VisibleText.lines(field.value).map { StyledLine($0, role: field.role) }
    if field.value.isEmpty, field.badges.isEmpty { values = [StyledLine(Self.nothing, role: .muted)] }
    if !field.badges.isEmpty {
      let last = values.removeLast()
      var marked = last
      if !last.isEmpty { marked.append(" ") }
      marked.append(line(of: field.badges))
      values.append(marked)
    }
    if screenReader {
      var first = StyledLine("\(label): ")
      first.append(values.removeFirst())
      return ([first] + values).flatMap { $0.wrapped(to: proseWidth) }
    }
    // A label that is too wide stands above its value.
    let fits = DisplayWidth.of(label) <= labelWidth
    let indent = fits ? labelWidth + 2 : 4
    let head = StyledLine(label, role: .muted)
    let body = values.flatMap { $0.wrapped(to: proseWidth - indent) }
    var lines: [StyledLine] = fits ? [] : head.wrapped(to: proseWidth)
    for (index, value) in body.enumerated() {
      var whole = fits && index == 0 ? head.padded(to: indent) : StyledLine(String(repeating: " ", count: indent))
      whole.append(value)
      lines.append(whole)
    }
    return lines
  }

  // MARK: - Bytes

  func text(of lines: [StyledLine]) -> String {
    var text = ""
    for line in lines {
      text += string(of: line)
      text += "\n"
    }
    return text
  }

  private func string(of line: StyledLine) -> String {
    var pieces = line.pieces
    // No space at the end of a line.
    while let last = pieces.last {
      let end = last.text.utf8.lastIndex { $0 != UInt8(ascii: " ") }
      guard let end else {
        pieces.removeLast()
        continue
      }
      pieces[pieces.count - 1].text = String(last.text[...end])
      break
    }
    guard styled else { return pieces.map(\.text).joined() }
    return pieces.map { piece in
      let codes = (piece.isStrong ? ["1"] : []) + (Self.sgr[piece.role].map { [$0] } ?? [])
      return codes.isEmpty ? piece.text : "\u{1B}[\(codes.joined(separator: ";"))m\(piece.text)\u{1B}[0m"
    }.joined()
  }

  /// The basic colours only, which every terminal lets its user choose.
  private static let sgr: [TextRole: String] = [
    .muted: "2", .accent: "36", .success: "32", .warning: "33", .danger: "31",
  ]
}

extension Block {
  fileprivate var isNotice: Bool {
    if case .notice = self { true } else { false }
  }
}
