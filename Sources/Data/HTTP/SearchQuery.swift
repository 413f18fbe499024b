/// Writes search parameters for an address, a `_search` body or `If-None-Exist`.
package enum SearchQuery {
  /// `name=value&name=value`, in order, without a question mark.
  package static func encode(_ items: [(name: String, value: String)]) -> String {
    items.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }.joined(separator: "&")
  }

  /// Everything but unreserved characters (RFC 3986 §2.3) and `:` and `/`, which a query may hold, as percent escapes of
  /// its UTF-8 bytes. So `+`, `|`, `,`, `&` and blanks mean themselves to every server.
  package static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || plainMarks.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text that a search value contains literally: `\`, `$`, `,` and `|` would have a meaning of their own
  /// (FHIR R4, search.html, "Escaping Search Parameters"). Percent escapes come on top of that.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "$" || scalar == "," || scalar == "|" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static let plainMarks = Set("-._~:/".utf8)
  private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
