/// How a true value relates to the number given (hl7.org/fhir/R4/valueset-quantity-comparator.html).
public enum QuantityComparator: String, CaseIterable, Hashable, Sendable {
  /// Less than the number.
  case less = "<"
  /// Less than or equal to the number.
  case lessOrEqual = "<="
  /// Greater than or equal to the number.
  case greaterOrEqual = ">="
  /// Greater than the number.
  case greater = ">"
}
