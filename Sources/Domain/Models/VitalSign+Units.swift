/// A unit in which a vital sign may be written down.
public struct VitalUnit: Hashable, Sendable {
  /// The UCUM code that is recorded (ucum.org).
  public let ucum: String
  /// The unit for people.
  public let display: String
  /// The spellings that are understood, in lower case.
  public let spellings: [String]
  /// The number in the sign's own unit is `value * factor + offset`: to judge a number, never to record it.
  let factor: Double
  let offset: Double

  init(_ ucum: String, _ display: String, _ spellings: [String], factor: Double = 1, offset: Double = 0) {
    self.ucum = ucum
    self.display = display
    self.spellings = spellings
    self.factor = factor
    self.offset = offset
  }
}

extension VitalSign {
  /// The units in which this sign may be written, its own first. A number is recorded in the unit in which it was
  /// written: converting it would change its precision.
  public var units: [VitalUnit] {
    switch self {
    case .pulse: [VitalUnit(UCUM.perMinute, "/min", ["/min", "bpm", "min-1"])]
    case .respiration: [VitalUnit(UCUM.perMinute, "/min", ["/min", "bpm", "min-1"])]
    case .systolic, .diastolic: [VitalUnit(UCUM.millimetresOfMercury, "mmHg", ["mmhg", "mm[hg]"])]
    case .temperature:
      [
        VitalUnit(UCUM.celsius, "°C", ["c", "°c", "cel"]),
        VitalUnit(UCUM.fahrenheit, "°F", ["f", "°f", "[degf]"], factor: 5.0 / 9, offset: -160.0 / 9),
      ]
    case .oxygenSaturation: [VitalUnit(UCUM.percent, "%", ["%"])]
    case .weight:
      [
        VitalUnit(UCUM.kilogram, "kg", ["kg"]), VitalUnit("g", "g", ["g"], factor: 0.001),
        VitalUnit("[lb_av]", "lb", ["lb", "lbs", "[lb_av]"], factor: 0.453_592_37),
      ]
    case .height:
      [
        VitalUnit(UCUM.centimetre, "cm", ["cm"]), VitalUnit("m", "m", ["m"], factor: 100),
        VitalUnit("[in_i]", "in", ["in", "inch", "[in_i]"], factor: 2.54),
      ]
    }
  }

  /// The unit that a spelling means for this sign; an empty spelling means its own. `nil` when it means none.
  public func unit(spelled text: String) -> VitalUnit? {
    text.isEmpty ? units.first : units.first { $0.spellings.contains(text.lowercased()) }
  }

  /// Judges a number in one of this sign's units.
  public func plausibility(of value: PreciseDecimal, in unit: VitalUnit) -> Plausibility {
    if unit.factor == 1, unit.offset == 0 { return plausibility(of: value) }
    let own = value.approximation * unit.factor + unit.offset
    func lies(in range: ClosedRange<Int>) -> Bool { Double(range.lowerBound) <= own && own <= Double(range.upperBound) }
    return lies(in: plausibleRange) ? .plausible : lies(in: possibleRange) ? .unusual : .impossible
  }

  /// Says what is wrong with a number, for people and without a full stop; `nil` when it is plausible.
  public func objection(to value: PreciseDecimal, in unit: VitalUnit) -> String? {
    let reading = "\(title.lowercased()) \(value) \(unit.display)"
    switch plausibility(of: value, in: unit) {
    case .plausible: return nil
    case .unusual: return "\(reading) is unusual"
    case .impossible:
      return
        "\(reading) is not possible: expected \(possibleRange.lowerBound) to \(possibleRange.upperBound) \(self.unit)"
    }
  }
}
