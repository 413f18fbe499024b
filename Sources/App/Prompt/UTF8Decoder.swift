/// Makes characters of bytes as they come. What is no UTF-8 becomes U+FFFD, so that it is seen.
nonisolated struct UTF8Decoder: Hashable, Sendable {
  private var pending: [UInt8] = []
  private var missing = 0

  /// The character that this byte completes, if it does.
  mutating func next(_ byte: UInt8) -> Unicode.Scalar? {
    if missing > 0, byte & 0xC0 == 0x80 {
      pending.append(byte)
      missing -= 1
      guard missing == 0 else { return nil }
      defer { pending = [] }
      return String(validating: pending, as: UTF8.self)?.unicodeScalars.first ?? Self.replacement
    }
    if missing > 0 {
      // The sequence is cut: its sign stands for this byte too, unless that is a key of its own.
      (pending, missing) = ([], 0)
      return byte < 0x80 ? Unicode.Scalar(byte) : Self.replacement
    }
    switch byte {
    case 0..<0x80: return Unicode.Scalar(byte)
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF: missing = 2
    case 0xF0...0xF4: missing = 3
    default: return Self.replacement
    }
    pending = [byte]
    return nil
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"
}
