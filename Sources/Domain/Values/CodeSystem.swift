/// URIs of the code systems that this package writes.
public enum CodeSystem {
  /// Logical Observation Identifiers Names and Codes.
  public static let loinc = "http://loinc.org"
  /// Categories of observations (`vital-signs`, `laboratory`, …).
  public static let observationCategory = "http://terminology.hl7.org/CodeSystem/observation-category"
  /// Why a value is missing.
  public static let dataAbsentReason = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
  /// Types of identifiers (`MR` and others).
  public static let identifierType = "http://terminology.hl7.org/CodeSystem/v2-0203"
}
