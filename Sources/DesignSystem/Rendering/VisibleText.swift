/// Makes stored text safe to print: what a terminal would execute, or what would change the direction or the look of the
/// text around it, is shown by a stand-in.
package enum VisibleText {
  /// The text on one line: line breaks and tabs become spaces.
  package static func flat(_ text: String) -> String {
    shown(text) { scalar in
      switch scalar {
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": " "
      default: nil
      }
    }
  }

  /// The text line by line, at its line feeds; tabs become spaces.
  package static func lines(_ text: String) -> [String] {
    // Scalars, since a carriage return and a line feed are one character.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices where index < lines.count - 1 && lines[index].unicodeScalars.last == "\r" {
      lines[index].unicodeScalars.removeLast()
    }
    return lines.map { line in shown(line) { $0 == "\t" ? " " : nil } }
  }

  private static func shown(_ text: String, replacing blank: (Unicode.Scalar) -> String?) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = ""
    var isStart = true
    var pendingBreak = false
    for scalar in text.unicodeScalars {
      if let blank = blank(scalar) {
        // A carriage return with its line feed is one break.
        if !(pendingBreak && scalar == "\n") { result += blank }
        pendingBreak = scalar == "\r"
      } else if let standIn = standIn(for: scalar) {
        result += standIn
        pendingBreak = false
      } else {
        // A mark with nothing to combine with would sit on what was printed before it.
        if isStart, combines(scalar) { result.unicodeScalars.append("\u{25CC}") }
        result.unicodeScalars.append(scalar)
        pendingBreak = false
      }
      isStart = false
    }
    return result
  }

  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  private static func standIn(for scalar: Unicode.Scalar) -> String? {
    guard isHidden(scalar) else { return nil }
    let value = scalar.value
    if value < 0x20, let picture = Unicode.Scalar(0x2400 + value) { return String(picture) }
    return value == 0x7F ? "\u{2421}" : code(value)
  }

  /// Whether a terminal would act on the character rather than show it.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator:
      return true
    case .format:
      // Joiners shape the letters of several scripts, and the other signs here are visible themselves.
      switch scalar.value {
      case 0x200C, 0x200D, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: return false
      default: return true
      }
    default:
      return false
    }
  }

  private static func code(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "⟨U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "⟩"
  }
}
