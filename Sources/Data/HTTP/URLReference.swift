/// The five components of a URI reference as slices of its text (RFC 3986, appendix B): nothing is decoded or changed.
struct URLReference {
  var scheme: Substring?
  var authority: Substring?
  var path: Substring
  var query: Substring?
  var fragment: Substring?

  /// Nil only for a text that starts like a scheme but is none, such as `1a:b` or `:x`.
  init?(_ text: String) {
    var rest = text[...]
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.utf8.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
      !rest.utf8[..<colon].contains(UInt8(ascii: "/"))
    {
      guard Self.isScheme(rest[..<colon]) else { return nil }
      scheme = rest[..<colon]
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// The parts put together again (RFC 3986 §5.3).
  var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
    return text.utf8.allSatisfy { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }
  }
}
