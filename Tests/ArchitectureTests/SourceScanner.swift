/// Takes comments and the text of strings out of Swift source, so that rules look at code only.
///
/// Every line stays where it was. Code inside `\(…)` stays, since it runs like any other.
struct SourceScanner {
  private static let newline = UInt8(ascii: "\n")

  private let source: [UInt8]
  private var position = 0
  private var output: [UInt8] = []

  /// The code of a source: the same lines, with blanks for what is not code.
  static func code(of source: String) -> String {
    var scanner = SourceScanner(source: Array(source.utf8))
    scanner.scanCode(untilParenthesis: false)
    return String(decoding: scanner.output, as: UTF8.self)
  }

  private init(source: [UInt8]) {
    self.source = source
  }

  private mutating func scanCode(untilParenthesis: Bool) {
    var depth = 0
    while position < source.count {
      let byte = source[position]
      switch byte {
      case UInt8(ascii: "/") where starts(with: "//"):
        while position < source.count, source[position] != Self.newline { position += 1 }
        continue
      case UInt8(ascii: "/") where starts(with: "/*"):
        skipBlockComment()
        continue
      case UInt8(ascii: "#"), UInt8(ascii: "\""):
        if let hashes = hashesBeforeQuote() {
          scanString(hashes: hashes)
          continue
        }
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      output.append(byte)
      position += 1
      if untilParenthesis, depth == 0 { return }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else {
        keepLine()
        position += 1
      }
    } while depth > 0 && position < source.count
    output.append(UInt8(ascii: " "))
  }

  /// How many `#` stand before a quote here; `nil` where no string begins.
  private func hashesBeforeQuote() -> Int? {
    var index = position
    while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
    guard index < source.count, source[index] == UInt8(ascii: "\"") else { return nil }
    return index - position
  }

  private mutating func scanString(hashes: Int) {
    position += hashes
    let raw = String(repeating: "#", count: hashes)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    position += quotes.count
    output.append(UInt8(ascii: "\""))
    while position < source.count {
      if starts(with: quotes + raw) {
        position += quotes.count + hashes
        break
      }
      if quotes.count == 1, source[position] == Self.newline { break }
      if starts(with: "\\" + raw + "(") {
        position += 1 + hashes
        scanCode(untilParenthesis: true)
      } else if hashes == 0, source[position] == UInt8(ascii: "\\") {
        position += 1
        keepLine()
        position += 1
      } else {
        keepLine()
        position += 1
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func keepLine() {
    if position < source.count, source[position] == Self.newline { output.append(Self.newline) }
  }

  private func starts(with text: String) -> Bool {
    var index = position
    for byte in text.utf8 {
      guard index < source.count, source[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
