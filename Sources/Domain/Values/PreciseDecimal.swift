public import Foundation

/// A decimal number that keeps its spelling: `1.50` stays `1.50`, `1.2E+2` stays `1.2E+2`.
///
/// FHIR takes the written digits as part of the value (hl7.org/fhir/R4/datatypes.html#decimal), so equality is by
/// spelling. To compare the numbers, use ``compare(to:)`` and ``hasSameValue(as:)``, which are exact.
public struct PreciseDecimal: Hashable, Sendable, CustomStringConvertible {
  /// The number exactly as written.
  public let text: String

  /// Reads a number in JSON's grammar; `nil` otherwise. Exponents of more than six digits are refused.
  public init?(_ text: String) {
    guard Parts(text) != nil else { return nil }
    self.text = text
  }

  /// Makes a whole number.
  public init(_ value: Int) {
    text = String(value)
  }

  /// The number exactly as written.
  public var description: String { text }

  /// The nearest binary number: for plots and widths, never for storing or comparing.
  public var approximation: Double { Double(text) ?? 0 }

  /// Compares the numbers exactly, whatever their spelling.
  public func compare(to other: PreciseDecimal) -> ComparisonResult {
    guard let left = Parts(text), let right = Parts(other.text) else { return .orderedSame }
    return left.compare(to: right)
  }

  /// Whether both are the same number: `1.50` and `1.5` are.
  public func hasSameValue(as other: PreciseDecimal) -> Bool { compare(to: other) == .orderedSame }

  /// Whether this number is smaller.
  public func isLess(than other: PreciseDecimal) -> Bool { compare(to: other) == .orderedAscending }
}

extension PreciseDecimal {
  /// The value without its spelling: significant digits without zeros at either end, and the place of the point.
  private struct Parts {
    var isNegative = false
    /// Empty for zero.
    var digits: [UInt8] = []
    /// The value is 0.digits × 10^scale.
    var scale = 0

    init?(_ text: String) {
      var bytes = Array(text.utf8)[...]
      if bytes.first == UInt8(ascii: "-") {
        isNegative = true
        bytes.removeFirst()
      }
      let whole = bytes.prefix(while: Self.isDigit)
      guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else { return nil }
      bytes = bytes.dropFirst(whole.count)
      var fraction: ArraySlice<UInt8> = []
      if bytes.first == UInt8(ascii: ".") {
        fraction = bytes.dropFirst().prefix(while: Self.isDigit)
        guard !fraction.isEmpty else { return nil }
        bytes = bytes.dropFirst(1 + fraction.count)
      }
      guard let exponent = Self.exponent(bytes) else { return nil }
      digits = Array(whole + fraction)
      scale = whole.count + exponent
      let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
      digits.removeFirst(zeros)
      scale -= zeros
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.isEmpty {
        isNegative = false
        scale = 0
      }
    }

    func compare(to other: Parts) -> ComparisonResult {
      if digits.isEmpty || other.digits.isEmpty || isNegative != other.isNegative {
        return Self.order(signum, other.signum)
      }
      let magnitude =
        scale != other.scale
        ? Self.order(scale, other.scale)
        : digits == other.digits
          ? .orderedSame : digits.lexicographicallyPrecedes(other.digits) ? .orderedAscending : .orderedDescending
      guard isNegative else { return magnitude }
      switch magnitude {
      case .orderedAscending: return .orderedDescending
      case .orderedDescending: return .orderedAscending
      case .orderedSame: return .orderedSame
      }
    }

    private var signum: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    private static func order(_ left: Int, _ right: Int) -> ComparisonResult {
      left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int? {
      guard let mark = bytes.first else { return 0 }
      guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
      var rest = bytes.dropFirst()
      var sign = 1
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        sign = rest.first == UInt8(ascii: "-") ? -1 : 1
        rest = rest.dropFirst()
      }
      guard !rest.isEmpty, rest.count <= 6, rest.allSatisfy(isDigit) else { return nil }
      return sign * rest.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
  }
}
