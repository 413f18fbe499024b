/// The purpose of an address (hl7.org/fhir/R4/valueset-address-use.html).
public enum AddressUse: String, CaseIterable, Hashable, Sendable {
  /// At home.
  case home
  /// At work.
  case work
  /// For the time being.
  case temporary = "temp"
  /// No longer in use.
  case old
  /// Where bills go.
  case billing
}
