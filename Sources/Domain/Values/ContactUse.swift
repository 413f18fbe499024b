/// The purpose of a contact point (hl7.org/fhir/R4/valueset-contact-point-use.html).
public enum ContactUse: String, CaseIterable, Hashable, Sendable {
  /// At home.
  case home
  /// At work.
  case work
  /// For the time being.
  case temporary = "temp"
  /// No longer in use.
  case old
  /// Moves with its owner.
  case mobile
}
