/// A JSON number with its spelling: `1.50`, `1.2E+2`, `-0.0` and numbers of any length stay as they were written.
///
/// Two numbers are equal when they are spelled the same: `1.0` and `1.00` differ, since precision carries meaning in clinical measurements.
public struct JSONNumber: Hashable, Sendable {
  /// The number as written.
  public let text: String

  /// The number with this spelling, or nil unless it follows the number grammar of RFC 8259, section 6.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.withUnsafeBufferPointer { Self.end(of: $0, from: 0) }
    guard let end, end == bytes.count else { return nil }
    self.text = text
  }

  /// The integer in decimal digits.
  public init(_ value: Int) { text = String(value) }

  /// A spelling that the parser has already checked.
  init(checked text: String) { self.text = text }

  /// The value, if it is written as an integer (no fraction, no exponent) and fits.
  public var int: Int? { Int(text) }

  /// The nearest double, or nil if the magnitude is beyond any.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Where the number that starts at `start` ends, or nil if none starts there. Linear in its length.
  static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let count = bytes.count
    var index = start
    func digits() -> Bool {
      let first = index
      while index < count, bytes[index] &- 0x30 < 10 { index += 1 }
      return index > first
    }
    if index < count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < count, bytes[index] == UInt8(ascii: "0") {
      index += 1
    } else if !digits() {
      return nil
    }
    if index < count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      if !digits() { return nil }
    }
    if index < count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      if !digits() { return nil }
    }
    return index
  }
}
