/// Operations on the ASCII letters only, as HTTP and URI syntax want them: no locale, no Unicode folding.
enum ASCII {
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  static func lowercased(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.map { lowercased($0) }, as: UTF8.self)
  }

  static func equalIgnoringCase(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.elementsEqual(b.utf8) { lowercased($0) == lowercased($1) }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = lowercased(byte)
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}
