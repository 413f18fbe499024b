/// The kind of a contact point (hl7.org/fhir/R4/valueset-contact-point-system.html).
public enum ContactSystem: String, CaseIterable, Hashable, Sendable {
  /// A telephone.
  case phone
  /// A fax machine.
  case fax
  /// An e-mail address.
  case email
  /// A pager.
  case pager
  /// A web address.
  case url
  /// A number for text messages only.
  case sms
  /// Something else.
  case other
}
