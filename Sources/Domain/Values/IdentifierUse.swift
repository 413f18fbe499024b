/// The purpose of an identifier (hl7.org/fhir/R4/valueset-identifier-use.html).
public enum IdentifierUse: String, CaseIterable, Hashable, Sendable {
  /// The one to use in daily work.
  case usual
  /// The most trusted one.
  case official
  /// For the time being.
  case temporary = "temp"
  /// One of several that stand for the same thing, of no standing outside its own system.
  case secondary
  /// No longer valid.
  case old
}
