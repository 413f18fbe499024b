/// A measured amount (hl7.org/fhir/R4/datatypes.html#Quantity).
public struct Quantity: Hashable, Sendable {
  /// The number, with its spelling.
  public var value: PreciseDecimal?
  /// How the true value relates to the number when it is not equal to it, as in `<5`.
  public var comparator: OpenCode<QuantityComparator>?
  /// The unit for people.
  public var unit: String?
  /// The system of the coded unit, normally ``UCUM/system``.
  public var system: String?
  /// The coded unit.
  public var code: String?

  /// Makes a quantity.
  public init(
    value: PreciseDecimal? = nil, comparator: OpenCode<QuantityComparator>? = nil, unit: String? = nil,
    system: String? = nil, code: String? = nil
  ) {
    self.value = value
    self.comparator = comparator
    self.unit = unit
    self.system = system
    self.code = code
  }

  /// Makes a quantity with a UCUM unit.
  public init(_ value: PreciseDecimal, ucum code: String, unit: String? = nil) {
    self.init(value: value, unit: unit ?? code, system: UCUM.system, code: code)
  }

  /// What to show, such as `72.50 kg` or `<5 mg/dL`; `nil` when there is no number.
  public var displayText: String? {
    guard let value else { return nil }
    let number = (comparator?.rawValue ?? "") + value.text
    guard let unit = unit?.nonBlank ?? code?.nonBlank else { return number }
    return "\(number) \(unit)"
  }
}
