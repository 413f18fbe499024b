/// Whether an address is for visits or for post (hl7.org/fhir/R4/valueset-address-type.html).
public enum AddressType: String, CaseIterable, Hashable, Sendable {
  /// For post.
  case postal
  /// A place to visit.
  case physical
  /// Both.
  case both
}
