/// Reads fixed-width ASCII digits and separators: the whole grammar of FHIR's dates and times.
struct DigitScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Takes exactly so many digits.
  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<(position + digits)] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += digits
    return value
  }

  /// Takes one given character, if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes the digits after a decimal point as nanoseconds; what lies below a nanosecond is read and not counted.
  mutating func fraction() -> Int? {
    var nanoseconds = 0
    var digits = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      if digits < 9 { nanoseconds = nanoseconds * 10 + Int(bytes[position] - 48) }
      digits += 1
      position += 1
    }
    guard digits > 0 else { return nil }
    for _ in min(digits, 9)..<9 { nanoseconds *= 10 }
    return nanoseconds
  }
}

/// A number with leading zeros, as dates and times are written.
func paddedNumber(_ value: Int, width: Int) -> String {
  let digits = String(value.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (value < 0 ? "-" : "") + zeros + digits
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number, which is not negative and has no more digits, with leading zeros.
  func write(_ value: Int, at place: Int, digits: Int) {
    var rest = value
    for index in (place..<place + digits).reversed() {
      self[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    }
  }

  /// Writes `YYYY-MM-DD` at the beginning.
  func write(_ day: CalendarDay) {
    write(day.year, at: 0, digits: 4)
    self[4] = UInt8(ascii: "-")
    write(day.month, at: 5, digits: 2)
    self[7] = UInt8(ascii: "-")
    write(day.day, at: 8, digits: 2)
  }
}
