/// Splits lines into words, as a shell would.
///
/// - Words are separated by spaces and tabs.
/// - `'…'` takes everything as it stands. `"…"` takes everything but `\"`, `\\`, `\n` and `\t`.
/// - Outside quotes a backslash takes the next character as it stands.
/// - `#` at the start of a word begins a comment, unless it is the number of a row (`#12`) behind another word.
/// - In scripts, `$1` to `$9` and `${10}` are the script's arguments, outside `'…'`. Their values are never split.
public struct LineParser: Sendable {
  /// A word and where it begins.
  public struct Word: Sendable, Equatable {
    /// The word without its quotes.
    public var text: String
    /// From 1, in Unicode scalars.
    public var column: Int
  }

  /// The arguments of the script, or nil where `$` has no meaning.
  public var parameters: [String]?

  /// Creates a parser, for a script if it has parameters.
  public init(parameters: [String]? = nil) {
    self.parameters = parameters
  }

  /// The words of a line; none if it is blank or a comment.
  /// - Throws: for a quote without its end, a backslash with nothing behind it, and an argument that was not given.
  public func words(in line: String) throws(UsageError) -> [Word] {
    var scan = Scan(scalars: Array(line.unicodeScalars))
    var words: [Word] = []
    while let start = scan.skipBlanks() {
      if start == "#", words.isEmpty || !scan.isAtRowNumber { break }
      let column = scan.index + 1
      words.append(Word(text: try word(&scan), column: column))
    }
    return words
  }

  /// The word as it has to be typed, quoted where that is needed: for lines that are suggested or completed.
  public static func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars
    if !scalars.isEmpty, scalars.first != "#" || RecordReference.rowNumber(in: word) != nil,
      scalars.allSatisfy({ !special.contains($0) && !VisibleText.isHidden($0) })
    {
      return word
    }
    if !scalars.contains("'"), !scalars.contains("\n"), !scalars.contains("\t") { return "'\(word)'" }
    var quoted = "\""
    for scalar in scalars {
      switch scalar {
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\"", "\\", "$": quoted += "\\\(scalar)"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static let special: Set<Unicode.Scalar> = [" ", "'", "\"", "\\", "$"]

  private func word(_ scan: inout Scan) throws(UsageError) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = scan.peek, !Scan.isBlank(scalar) {
      let column = scan.index + 1
      scan.index += 1
      switch scalar {
      case "'":
        try singleQuoted(&scan, from: column, into: &text)
      case "\"":
        try doubleQuoted(&scan, from: column, into: &text)
      case "\\":
        guard let next = scan.next() else {
          throw UsageError("nothing follows the backslash at the end of the line", column: column)
        }
        text.append(next)
      case "$":
        text.append(contentsOf: try parameter(&scan, column: column).unicodeScalars)
      default:
        text.append(scalar)
      }
    }
    return String(text)
  }

  private func singleQuoted(
    _ scan: inout Scan, from column: Int, into text: inout String.UnicodeScalarView
  ) throws(UsageError) {
    while let scalar = scan.next() {
      if scalar == "'" { return }
      text.append(scalar)
    }
    throw unbalanced("'", column: column)
  }

  private func doubleQuoted(
    _ scan: inout Scan, from column: Int, into text: inout String.UnicodeScalarView
  ) throws(UsageError) {
    while let scalar = scan.next() {
      switch scalar {
      case "\"":
        return
      case "\\":
        guard let next = scan.next() else { throw unbalanced("\"", column: column) }
        switch next {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\"", "\\", "$": text.append(next)
        default:
          text.append(scalar)
          text.append(next)
        }
      case "$":
        text.append(contentsOf: try parameter(&scan, column: scan.index).unicodeScalars)
      default:
        text.append(scalar)
      }
    }
    throw unbalanced("\"", column: column)
  }

  private func unbalanced(_ quote: String, column: Int) -> UsageError {
    UsageError(
      "the quote \(quote) at column \(column) has no end",
      hint: quote == "'" ? "close it, or write an apostrophe as \\' or inside \"…\"" : "close it", column: column)
  }

  /// What stands for the parameter after a `$`; the `$` itself if none is meant.
  private func parameter(_ scan: inout Scan, column: Int) throws(UsageError) -> String {
    guard let parameters else { return "$" }
    var digits = ""
    if let digit = scan.peek, ("1"..."9").contains(digit) {
      scan.index += 1
      digits.unicodeScalars.append(digit)
    } else if let braced = scan.bracedNumber() {
      digits = braced
    } else {
      return "$"
    }
    guard let number = Int(digits), parameters.indices.contains(number - 1) else {
      throw UsageError(
        "the script's argument \"$\(digits)\" was not given",
        hint: "pass it behind the script's name; a dollar sign itself is \\$", column: column)
    }
    return parameters[number - 1]
  }
}

/// A position in a line.
private struct Scan {
  let scalars: [Unicode.Scalar]
  var index = 0

  init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    index += 1
    return scalar
  }

  /// Moves to the next word and tells its first scalar.
  mutating func skipBlanks() -> Unicode.Scalar? {
    while let scalar = peek, Scan.isBlank(scalar) { index += 1 }
    return peek
  }

  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n"
  }

  /// Whether a word such as `#12` begins here.
  var isAtRowNumber: Bool {
    let digits = scalars[(index + 1)...].prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { return false }
    return digits.endIndex == scalars.endIndex || Scan.isBlank(scalars[digits.endIndex])
  }

  /// Takes `{12}`, if that is here.
  mutating func bracedNumber() -> String? {
    guard peek == "{" else { return nil }
    let digits = scalars[(index + 1)...].prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty, digits.endIndex < scalars.endIndex, scalars[digits.endIndex] == "}" else { return nil }
    index = digits.endIndex + 1
    var text = ""
    text.unicodeScalars.append(contentsOf: digits)
    return text
  }
}
