/// The gender used for administration (hl7.org/fhir/R4/valueset-administrative-gender.html).
public enum AdministrativeGender: String, CaseIterable, Hashable, Sendable {
  /// Male.
  case male
  /// Female.
  case female
  /// Other.
  case other
  /// Unknown.
  case unknown
}
