/// The purpose of a name (hl7.org/fhir/R4/valueset-name-use.html).
public enum NameUse: String, CaseIterable, Hashable, Sendable {
  /// What the person is normally called.
  case usual
  /// As in official papers.
  case official
  /// For the time being.
  case temporary = "temp"
  /// For friends and family.
  case nickname
  /// An alias to protect the person.
  case anonymous
  /// No longer in use.
  case old
  /// From before a marriage.
  case maiden
}
