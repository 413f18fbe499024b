public import Domain

/// One number with its unit, as it was written down.
public nonisolated struct Measured: Hashable, Sendable {
  /// What was measured.
  public var sign: VitalSign
  /// The number, with its spelling.
  public var value: PreciseDecimal
  /// The unit in which it was written.
  public var unit: VitalUnit
  /// How it was written, where it was converted since.
  public var original: String?

  /// Makes it.
  init(sign: VitalSign, value: PreciseDecimal, unit: VitalUnit, original: String? = nil) {
    self.sign = sign
    self.value = value
    self.unit = unit
    self.original = original
  }

  /// The same in the sign's own unit, with how it was written.
  var converted: Measured {
    guard let own = sign.units.first, own != unit, let number = sign.converted(value, from: unit) else { return self }
    return Measured(sign: sign, value: number, unit: own, original: "\(value) \(unit.display)")
  }

  /// The amount to record: in the unit in which it was written, so that its precision stays.
  var quantity: Quantity { Quantity(value, ucum: unit.ucum, unit: unit.display) }
}

/// One vital sign as a line gives it: `pulse 72`, `temp 37.1C`, `bp 120/80`.
public nonisolated enum VitalReading: Hashable, Sendable {
  /// A single number.
  case single(Measured)
  /// A blood pressure: two numbers that only make sense together.
  case bloodPressure(systolic: Measured, diastolic: Measured)

  /// The name by which a sign is given.
  private static let signs: [(names: [String], sign: VitalSign)] = [
    (["pulse", "hr"], .pulse), (["temp", "temperature"], .temperature), (["spo2", "sat"], .oxygenSaturation),
    (["weight"], .weight), (["height"], .height), (["resp", "rr", "respiration"], .respiration),
  ]

  /// The names that a line may use, for help.
  static let knownNames = "bp, pulse, temp, spo2, weight, height, resp"

  /// Reads pairs of a name and a number with its unit; the unit may stand apart.
  ///
  /// - Throws: `invalidInput` for an unknown name, a number that is none, a unit that does not fit, a sign given twice.
  public static func parse(_ words: [String]) throws(AppError) -> [VitalReading] {
    var readings: [VitalReading] = []
    var seen: Set<VitalSign> = []
    var rest = words[...]
    while let name = rest.popFirst() {
      guard let text = rest.popFirst() else {
        throw AppError(.invalidInput, "a number is missing behind \"\(name)\"", field: name)
      }
      // The unit may stand apart: `temp 37.1 C`.
      let unit = rest.first.flatMap { isUnit($0) ? $0 : nil }
      if unit != nil { rest.removeFirst() }
      let reading = try reading(name, text + (unit ?? ""))
      guard seen.insert(reading.sign).inserted else {
        throw AppError(.invalidInput, "\(name) is given twice", field: name)
      }
      readings.append(reading)
    }
    return readings
  }

  /// The numbers in it.
  var measured: [Measured] {
    switch self {
    case .single(let value): [value]
    case .bloodPressure(let systolic, let diastolic): [systolic, diastolic]
    }
  }

  /// The same in the signs' own units, for those who ask for it.
  public var converted: VitalReading {
    switch self {
    case .single(let one): .single(one.converted)
    case .bloodPressure(let systolic, let diastolic):
      .bloodPressure(systolic: systolic.converted, diastolic: diastolic.converted)
    }
  }

  /// For people: `72 /min`, `120/80 mmHg`, `37.0 °C (written as 98.6 °F)`.
  public var text: String {
    switch self {
    case .single(let one):
      "\(one.value) \(one.unit.display)" + (one.original.map { " (written as \($0))" } ?? "")
    case .bloodPressure(let systolic, let diastolic): "\(systolic.value)/\(diastolic.value) \(systolic.unit.display)"
    }
  }

  /// What was measured, for people.
  public var title: String {
    switch self {
    case .single(let one): one.sign.title
    case .bloodPressure: "Blood pressure"
    }
  }

  /// The sign that must not be given twice.
  private var sign: VitalSign {
    switch self {
    case .single(let one): one.sign
    case .bloodPressure: .systolic
    }
  }

  /// Numbers that no living patient has.
  ///
  /// - Throws: `invalidInput` naming the first.
  func checkPossible() throws(AppError) {
    for one in measured where one.sign.plausibility(of: one.value, in: one.unit) == .impossible {
      throw AppError(
        .invalidInput, one.sign.objection(to: one.value, in: one.unit) ?? "\(one.value) is not possible",
        hint: "check the number and its unit", field: one.sign.rawValue)
    }
  }

  /// What is rare enough to ask again.
  var doubts: [String] {
    var doubts = measured.compactMap { $0.sign.objection(to: $0.value, in: $0.unit) }
    if case .bloodPressure(let systolic, let diastolic) = self, !diastolic.value.isLess(than: systolic.value) {
      doubts.append("a systolic pressure of \(systolic.value) is not above the diastolic one of \(diastolic.value)")
    }
    return doubts
  }

  private static func isUnit(_ word: String) -> Bool {
    VitalSign.allCases.contains { sign in sign.unit(spelled: word) != nil && !word.isEmpty }
  }

  private static func reading(_ name: String, _ text: String) throws(AppError) -> VitalReading {
    let key = name.lowercased()
    if key == "bp" { return try bloodPressure(name, text) }
    guard let sign = signs.first(where: { $0.names.contains(key) })?.sign else {
      throw AppError(.invalidInput, "unknown vital sign \"\(name)\"", hint: "known are \(knownNames)", field: name)
    }
    return .single(try measured(sign, name, text))
  }

  private static func bloodPressure(_ name: String, _ text: String) throws(AppError) -> VitalReading {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw AppError(.invalidInput, "\"\(text)\" is no blood pressure", hint: "write it as bp 120/80", field: name)
    }
    return .bloodPressure(
      systolic: try measured(.systolic, name, parts[0]), diastolic: try measured(.diastolic, name, parts[1]))
  }

  private static func measured(_ sign: VitalSign, _ name: String, _ text: String) throws(AppError) -> Measured {
    let digits = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." || $0 == "-" }
    guard let value = PreciseDecimal(String(digits)) else {
      let hint = text.contains(",") ? "write the decimal point as a point" : "write it as \(name) \(sample(sign))"
      throw AppError(.invalidInput, "\"\(text)\" is no number for \(name)", hint: hint, field: name)
    }
    let spelling = String(text.dropFirst(digits.count))
    guard let unit = sign.unit(spelled: spelling) else {
      throw AppError(
        .invalidInput, "\"\(spelling)\" is no unit for \(name)",
        hint: "known are \(sign.units.map(\.display).joined(separator: ", "))", field: name)
    }
    return Measured(sign: sign, value: value, unit: unit)
  }

  private static func sample(_ sign: VitalSign) -> String {
    switch sign {
    case .pulse: "72"
    case .systolic, .diastolic: "120/80"
    case .temperature: "37.1C"
    case .oxygenSaturation: "98%"
    case .weight: "72.50kg"
    case .height: "180cm"
    case .respiration: "16"
    }
  }
}
