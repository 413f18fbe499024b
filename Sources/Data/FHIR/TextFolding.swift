import Foundation

/// Folds text so that spellings which people take as the same find each other: case, accents, widths, ligatures, hyphens
/// and apostrophes do not count. Scripts stay apart: a Cyrillic letter never finds the Latin one that looks like it.
///
/// What is indexed and what is asked for go through the same folding. A token holds no white space and no punctuation.
package enum TextFolding {
  /// The version of the folding: who stores folded text stores this beside it and folds again when it changes.
  package static let version = 1

  /// The folded words of a text, in order. Apostrophes join: `O'Neil-Parke` gives `oneil`, `parke`.
  package static func tokens(_ text: String) -> [String] {
    fold(text, splitsAtApostrophes: false)
  }

  /// All words by which a text may be found: also with its apostrophes as gaps, so that `neil` finds `O'Neil`.
  package static func indexTokens(_ text: String) -> [String] {
    let joined = tokens(text)
    guard text.unicodeScalars.contains(where: apostrophes.contains) else { return joined }
    return joined + fold(text, splitsAtApostrophes: true).filter { !joined.contains($0) }
  }

  /// A text to sort by: equal for spellings that differ only in what folding ignores.
  package static func sortKey(_ text: String) -> String {
    tokens(text).joined(separator: " ")
  }

  static func fold(_ text: String, splitsAtApostrophes: Bool) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return foldASCII(text, splitsAtApostrophes: splitsAtApostrophes) }
    return foldUnicode(text, splitsAtApostrophes: splitsAtApostrophes)
  }

  /// What ``foldUnicode(_:splitsAtApostrophes:)`` makes of most texts, without its tables.
  private static func foldASCII(_ text: String, splitsAtApostrophes: Bool) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func endWord() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
      case UInt8(ascii: "'"), UInt8(ascii: "`"): if splitsAtApostrophes { endWord() }
      default: endWord()
      }
    }
    endWord()
    return words
  }

  /// The folding of any text, by its Unicode properties.
  static func foldUnicode(_ text: String, splitsAtApostrophes: Bool) -> [String] {
    // Apostrophes go first: some of them decompose into a space and a mark.
    var prepared = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if apostrophes.contains(scalar) {
        if splitsAtApostrophes { prepared.append(" ") }
      } else {
        prepared.append(scalar)
      }
    }
    var words: [String] = []
    var word = ""
    func endWord() {
      if !word.isEmpty { words.append(word.precomposedStringWithCanonicalMapping) }
      word = ""
    }
    for scalar in String(prepared).decomposedStringWithCompatibilityMapping.unicodeScalars {
      if isDropped(scalar) { continue }
      guard isWordPart(scalar) else {
        endWord()
        continue
      }
      // Ideographs are written without gaps: each is a word, so that a given name inside a full name is found.
      let isIdeograph = scalar.properties.isIdeographic
      if isIdeograph { endWord() }
      word += folded(scalar)
      if isIdeograph { endWord() }
    }
    endWord()
    return words
  }

  private static func folded(_ scalar: Unicode.Scalar) -> String {
    if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
      return String(Int(digit))
    }
    let lower = scalar.properties.lowercaseMapping
    return lower.unicodeScalars.map { replacements[$0] ?? (isDropped($0) ? "" : String($0)) }.joined()
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default: false
    }
  }

  /// Marks of the scripts in which they are accents or optional points, the letter stretcher, and invisible characters.
  /// In the scripts of South and East Asia marks are letters of their own right and stay.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
      0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8,
      0x06EA...0x06ED, 0x0711, 0x0730...0x074A, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static let apostrophes: Set<Unicode.Scalar> = [
    "'", "\u{2019}", "\u{2018}", "\u{201B}", "\u{02BC}", "\u{02BB}", "\u{02B9}", "\u{02BE}", "\u{02BF}", "\u{0060}",
    "\u{00B4}", "\u{2032}", "\u{FF07}", "\u{05F3}", "\u{05F4}", "\u{A78C}",
  ]

  /// Letters, already in lower case, that decomposition leaves whole.
  private static let replacements: [Unicode.Scalar: String] = [
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "ng", "ĸ": "k", "ə": "e",
    "ς": "σ",
    "ё": "е", "й": "и", "ї": "і", "ґ": "г", "ў": "у",
    "ٱ": "ا", "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ۀ": "ه", "ھ": "ه", "ہ": "ه",
  ]
}
