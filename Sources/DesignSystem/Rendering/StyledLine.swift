/// A line made of pieces with roles, already safe to print.
struct StyledLine: Equatable {
  struct Piece: Equatable {
    var text: String
    var role: TextRole
    var isStrong = false
  }

  var pieces: [Piece] = []

  init(_ text: String = "", role: TextRole = .plain, isStrong: Bool = false) {
    if !text.isEmpty { pieces = [Piece(text: text, role: role, isStrong: isStrong)] }
  }

  init(pieces: [Piece]) {
    self.pieces = pieces
  }

  var isEmpty: Bool { pieces.allSatisfy(\.text.isEmpty) }

  var width: Int { pieces.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  mutating func append(_ text: String, role: TextRole = .plain, isStrong: Bool = false) {
    guard !text.isEmpty else { return }
    if let last = pieces.last, last.role == role, last.isStrong == isStrong {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, role: role, isStrong: isStrong))
    }
  }

  mutating func append(_ line: StyledLine) {
    for piece in line.pieces { append(piece.text, role: piece.role, isStrong: piece.isStrong) }
  }

  /// Fills with spaces up to a width, on the right or on the left.
  func padded(to width: Int, alignment: Table.Column.Alignment = .leading) -> StyledLine {
    let missing = width - self.width
    guard missing > 0 else { return self }
    var line = alignment == .trailing ? StyledLine(String(repeating: " ", count: missing)) : self
    if alignment == .trailing { line.append(self) } else { line.append(String(repeating: " ", count: missing)) }
    return line
  }

  /// Breaks the line at spaces into lines of at most `width` columns. A word that is wider is broken where it must be.
  /// Spaces at a break vanish.
  func wrapped(to width: Int) -> [StyledLine] {
    let width = max(2, width)
    guard self.width > width else { return [self] }
    var lines: [StyledLine] = []
    var line = StyledLine()
    var lineWidth = 0
    var spaces = 0
    for word in words {
      let wordWidth = word.line.width
      if word.isSpace {
        spaces = wordWidth
        continue
      }
      if lineWidth > 0, lineWidth + spaces + wordWidth > width {
        lines.append(line)
        line = StyledLine()
        lineWidth = 0
        spaces = 0
      }
      if spaces + wordWidth <= width {
        line.append(String(repeating: " ", count: spaces))
        line.append(word.line)
        lineWidth += spaces + wordWidth
      } else {
        var parts = word.line.broken(to: width)
        line = parts.removeLast()
        lines += parts
        lineWidth = line.width
      }
      spaces = 0
    }
    if lineWidth > 0 || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Breaks between characters.
  private func broken(to width: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    var line = StyledLine()
    var used = 0
    for piece in pieces {
      for character in piece.text {
        let columns = DisplayWidth.of(character)
        if used + columns > width, used > 0 {
          lines.append(line)
          line = StyledLine()
          used = 0
        }
        line.append(String(character), role: piece.role, isStrong: piece.isStrong)
        used += columns
      }
    }
    lines.append(line)
    return lines
  }

  /// A run of spaces or of other characters.
  private struct Word {
    var line: StyledLine
    var isSpace: Bool
  }

  private var words: [Word] {
    var words: [Word] = []
    for piece in pieces {
      var rest = piece.text[...]
      while let first = rest.first {
        let isSpace = first == " "
        let run = rest.prefix { ($0 == " ") == isSpace }
        rest = rest.dropFirst(run.count)
        if let last = words.last, last.isSpace == isSpace {
          words[words.count - 1].line.append(String(run), role: piece.role, isStrong: piece.isStrong)
        } else {
          let line = StyledLine(String(run), role: piece.role, isStrong: piece.isStrong)
          words.append(Word(line: line, isSpace: isSpace))
        }
      }
    }
    return words
  }
}
