extension TextRenderer {
  /// The lines of a table, in the first of these forms that the width allows:
  ///
  /// 1. a grid with every cell on one line;
  /// 2. a grid with wrapped cells;
  /// 3. a grid of the columns that matter more, the others as labelled lines below each row;
  /// 4. labelled lines only.
  ///
  /// Nothing is cut off in any of them.
  func lines(of table: Table, firstRow: inout Int) -> [StyledLine] {
    let grid = Grid(table, renderer: self, firstRow: &firstRow)
    if grid.rows.isEmpty { return prose(table.empty, role: .muted) }
    if screenReader { return grid.spoken(in: self) }
    var inside = Array(grid.columns.indices)
    var below: [Int] = []
    while inside.count > 1 {
      if let widths = grid.widths(of: inside, within: width) {
        return grid.lines(inside: inside, widths: widths, below: below, in: self)
      }
      // The least important leaves, of equals the last. The marks of the rows stay.
      let movable = inside.filter { !grid.columns[$0].isMark }
      guard movable.count > 1, let leaving = movable.reversed().min(by: grid.isLessImportant) else { break }
      inside.removeAll { $0 == leaving }
      below = (below + [leaving]).sorted()
    }
    if inside.count == 1, let widths = grid.widths(of: inside, within: width), below.isEmpty {
      return grid.lines(inside: inside, widths: widths, below: below, in: self)
    }
    return grid.folded(in: self)
  }
}

/// A table whose texts are safe to print and whose rows are marked.
private struct Grid {
  struct Column {
    var title: StyledLine
    var alignment: Table.Column.Alignment
    var priority: Table.Column.Priority
    var isMark = false
    /// The widest cell, and the widest word.
    var natural = 0
    var narrowest = 0
  }

  private(set) var columns: [Column] = []
  private(set) var rows: [[StyledLine]] = []

  private static let gap = 2
  /// A column is wrapped down to this, unless its content needs less.
  private static let narrowest = 12

  init(_ table: Table, renderer: TextRenderer, firstRow: inout Int) {
    let isMarked = table.rows.contains { $0.target != nil }
    let numbers = isMarked && renderer.rowMarks == .numbers
    let ids = isMarked && renderer.rowMarks == .ids
    if numbers {
      columns.append(Column(title: StyledLine("#", role: .muted), alignment: .trailing, priority: .high, isMark: true))
    }
    columns += table.columns.map { column in
      let title = StyledLine(VisibleText.flat(column.title), role: .muted)
      return Column(title: title, alignment: column.alignment, priority: column.priority)
    }
    if ids {
      columns.append(Column(title: StyledLine("record", role: .muted), alignment: .leading, priority: .low))
    }
    for row in table.rows {
      var cells: [StyledLine] = []
      if numbers {
        cells.append(StyledLine(row.target == nil ? "" : "#\(firstRow)", role: .accent))
        if row.target != nil { firstRow += 1 }
      }
      for index in table.columns.indices {
        let cell = index < row.cells.count ? row.cells[index] : Table.Cell("")
        cells.append(renderer.line(VisibleText.flat(cell.text), role: cell.role, badges: cell.badges))
      }
      if ids { cells.append(StyledLine(VisibleText.flat(row.target.map { "\($0.kind)/\($0.id)" } ?? ""))) }
      rows.append(cells)
    }
    for index in columns.indices {
      let texts = rows.map { $0[index] } + [columns[index].title]
      columns[index].natural = texts.map(\.width).max() ?? 0
      let word = texts.map(\.widestWord).max() ?? 0
      // Numbers are not broken, nor are short words.
      let least = columns[index].alignment == .trailing ? columns[index].natural : max(word, Self.narrowest)
      columns[index].narrowest = min(columns[index].natural, least)
    }
  }

  func isLessImportant(_ left: Int, _ right: Int) -> Bool {
    columns[left].priority < columns[right].priority
  }

  /// How wide each column may be, or nil if they do not fit side by side.
  func widths(of inside: [Int], within width: Int) -> [Int]? {
    let available = width - Self.gap * (inside.count - 1)
    var widths = inside.map { columns[$0].natural }
    let least = inside.map { columns[$0].narrowest }
    guard least.reduce(0, +) <= available else { return nil }
    var excess = widths.reduce(0, +) - available
    // The widest column gives first.
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  func lines(inside: [Int], widths: [Int], below: [Int], in renderer: TextRenderer) -> [StyledLine] {
    var lines = gridLines(inside.map { columns[$0].title }, inside: inside, widths: widths)
    lines.append(
      StyledLine(
        widths.map { String(repeating: "─", count: $0) }.joined(separator: String(repeating: " ", count: Self.gap)),
        role: .muted))
    let indent = String(repeating: " ", count: (columns[inside[0]].isMark ? widths[0] : 0) + Self.gap)
    for row in rows {
      lines += gridLines(inside.map { row[$0] }, inside: inside, widths: widths)
      for index in below where !row[index].isEmpty {
        var text = columns[index].title
        text.append(": ", role: .muted)
        text.append(row[index])
        lines += renderer.hanging(indent, role: .plain, text, width: renderer.width)
      }
    }
    return lines
  }

  private func gridLines(_ cells: [StyledLine], inside: [Int], widths: [Int]) -> [StyledLine] {
    let wrapped = zip(cells, widths).map { $0.wrapped(to: $1) }
    return (0..<(wrapped.map(\.count).max() ?? 0)).map { line in
      var whole = StyledLine()
      for (position, column) in inside.enumerated() {
        if position > 0 { whole.append(String(repeating: " ", count: Self.gap)) }
        let text = line < wrapped[position].count ? wrapped[position][line] : StyledLine()
        whole.append(text.padded(to: widths[position], alignment: columns[column].alignment))
      }
      return whole
    }
  }

  /// Labelled lines, an empty line between rows.
  func folded(in renderer: TextRenderer) -> [StyledLine] {
    var lines: [StyledLine] = []
    for row in rows {
      if !lines.isEmpty { lines.append(StyledLine()) }
      lines += labelled(row).flatMap { $0.wrapped(to: renderer.width) }
    }
    return lines
  }

  /// One sentence a row, for reading aloud.
  func spoken(in renderer: TextRenderer) -> [StyledLine] {
    rows.enumerated().flatMap { number, row in
      var line = StyledLine(columns[0].isMark ? "Row " : "Row \(number + 1). ")
      for (index, part) in labelled(row).enumerated() {
        if index > 0 { line.append(columns[0].isMark && index == 1 ? ". " : "; ") }
        line.append(part)
      }
      line.append(".")
      return line.wrapped(to: renderer.proseWidth)
    }
  }

  private func labelled(_ row: [StyledLine]) -> [StyledLine] {
    zip(columns, row).compactMap { column, cell in
      if cell.isEmpty { return nil }
      if column.isMark { return cell }
      var line = column.title
      line.append(": ", role: .muted)
      line.append(cell)
      return line
    }
  }
}

extension StyledLine {
  /// The width of its widest word.
  fileprivate var widestWord: Int {
    pieces.map(\.text).joined().split(separator: " ").map { DisplayWidth.of($0) }.max() ?? 0
  }
}
