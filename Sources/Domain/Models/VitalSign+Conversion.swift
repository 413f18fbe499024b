extension VitalSign {
  /// A number in this sign's own unit, for those who ask for it: `98.6 °F` is `37.0 °C`.
  ///
  /// It is rounded so that it claims no more precision than what was written: a step of its last digit is at least as long
  /// as one of the written last digit. `nil` for a unit that is not one of this sign's, and for more than 15 digits.
  public func converted(_ value: PreciseDecimal, from unit: VitalUnit) -> PreciseDecimal? {
    guard units.contains(unit), let own = units.first else { return nil }
    if unit == own { return value }
    let written = value.text.split(separator: ".", omittingEmptySubsequences: false)
    guard written.count <= 2, !value.text.contains(where: { $0 == "e" || $0 == "E" }) else { return nil }
    // The length of a step of the last written digit, in the sign's own unit.
    var step = unit.factor
    for _ in 0..<(written.count == 2 ? written[1].count : 0) { step /= 10 }
    var decimals = 0
    var scale = 1.0
    while step * scale < 0.999_999, decimals < 6, step * scale * 10 <= 1.000_001 {
      scale *= 10
      decimals += 1
    }
    let scaled = ((value.approximation * unit.factor + unit.offset) * scale).rounded()
    guard scaled.magnitude < 1e15 else { return nil }
    let digits = String(Int64(scaled.magnitude))
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return PreciseDecimal(sign + digits) }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return PreciseDecimal("\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))")
  }
}
