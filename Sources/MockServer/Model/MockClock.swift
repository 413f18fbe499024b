/// The mock server's own clock. It stands still between writes unless it follows the system's.
public struct MockClock: Sendable, Equatable {
  /// The server's time in milliseconds since 1970 (for a clock that follows the system: its distance from the system's clock).
  public var milliseconds: Int64
  /// How far a clock that stands moves after every request that wrote something.
  public var stepMilliseconds: Int64
  /// Whether time passes by itself.
  public var followsSystem: Bool

  /// A clock that stands at an instant and moves by `step` after every write.
  public init(milliseconds: Int64 = 1_764_489_600_000, stepMilliseconds: Int64 = 1000) {
    self.milliseconds = milliseconds
    self.stepMilliseconds = stepMilliseconds
    followsSystem = false
  }

  /// A clock that stands at a FHIR instant or date (read as UTC when it has no offset); nil if it is neither.
  public init?(_ instant: String, stepMilliseconds: Int64 = 1000) {
    guard let range = TimeRange(instant) else { return nil }
    self.init(milliseconds: range.start, stepMilliseconds: stepMilliseconds)
  }

  /// The system's clock.
  public static var system: MockClock {
    var clock = MockClock(milliseconds: 0, stepMilliseconds: 0)
    clock.followsSystem = true
    return clock
  }

  /// The server's time in milliseconds since 1970.
  public var now: Int64 { followsSystem ? SystemTime.milliseconds() &+ milliseconds : milliseconds }

  mutating func set(_ now: Int64) { milliseconds = followsSystem ? now - SystemTime.milliseconds() : now }
  mutating func advance(_ distance: Int64) {
    milliseconds = milliseconds.addingReportingOverflow(distance).partialValue
  }
  mutating func tick() { if !followsSystem { advance(stepMilliseconds) } }
}

/// A small generator with a known sequence (SplitMix64), for ids and for the seeded clinic.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A UUID of version 4, in lower case.
  mutating func uuid() -> String {
    let high = (next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    let digits = Hex.text(high) + Hex.text(low)
    var parts: [Substring] = []
    var rest = Substring(digits)
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}

enum Hex {
  /// Sixteen hexadecimal digits.
  static func text(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// FNV-1a of the bytes, to tell bodies apart in the truth log. Not for security.
  static func hash(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return text(hash)
  }
}
