extension VitalSign {
  /// Whether a number can be right.
  public enum Plausibility: Hashable, Sendable {
    /// Seen every day, in health or sickness.
    case plausible
    /// Possible, but rare enough to ask again.
    case unusual
    /// No living patient has it: a slip of the hand or a wrong unit.
    case impossible
  }

  /// Judges a number in this sign's own unit, for patients of any age.
  public func plausibility(of value: PreciseDecimal) -> Plausibility {
    if !Self.contains(possibleRange, value) { return .impossible }
    return Self.contains(plausibleRange, value) ? .plausible : .unusual
  }

  /// The smallest and the largest number that a living patient can have, both included.
  public var possibleRange: ClosedRange<Int> {
    switch self {
    case .pulse: 10...350
    case .systolic: 30...350
    case .diastolic: 10...250
    case .temperature: 12...46
    case .oxygenSaturation: 10...100
    case .weight: 0...700
    case .height: 20...280
    case .respiration: 0...150
    }
  }

  /// The range of numbers seen every day, newborns and the very sick included.
  public var plausibleRange: ClosedRange<Int> {
    switch self {
    case .pulse: 35...220
    case .systolic: 60...240
    case .diastolic: 30...140
    case .temperature: 33...42
    case .oxygenSaturation: 70...100
    case .weight: 1...250
    case .height: 35...220
    case .respiration: 6...70
    }
  }

  /// Says what is wrong with a number, for people; `nil` when it is plausible.
  public func warning(for value: PreciseDecimal) -> String? {
    switch plausibility(of: value) {
    case .plausible: nil
    case .unusual: "\(title) \(value) \(unit) is unusual; check the number."
    case .impossible:
      "\(title) \(value) \(unit) is not possible: expected \(possibleRange.lowerBound) to "
        + "\(possibleRange.upperBound) \(unit)."
    }
  }

  private static func contains(_ range: ClosedRange<Int>, _ value: PreciseDecimal) -> Bool {
    !value.isLess(than: PreciseDecimal(range.lowerBound)) && !PreciseDecimal(range.upperBound).isLess(than: value)
  }
}
