/// The lexical rules of header fields (RFC 9110 §5).
enum HTTPText {
  /// Without the blanks and tabs at both ends.
  static func trimmed(_ text: some StringProtocol) -> Substring {
    let bytes = Array(text.utf8)
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return Substring(String(decoding: bytes[start...end], as: UTF8.self))
  }

  /// A name or method: one or more token characters.
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || tokenMarks.contains(byte)
      }
  }

  /// A value that cannot end its line: no control character but the tab.
  static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)
}
