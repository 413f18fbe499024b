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
  /// SNOMED CT.
  public static let snomed = "http://snomed.info/sct"
  /// Vaccines administered.
  public static let cvx = "http://hl7.org/fhir/sid/cvx"
  /// Medications, of the United States' National Library of Medicine.
  public static let rxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm"
  /// Kinds of encounters (`AMB`, `EMER`, …).
  public static let actCode = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
  /// Roles of who takes part (`PPRF` and others).
  public static let participationType = "http://terminology.hl7.org/CodeSystem/v3-ParticipationType"
  /// Clinical states of conditions.
  public static let conditionClinical = "http://terminology.hl7.org/CodeSystem/condition-clinical"
  /// How sure conditions are.
  public static let conditionVerification = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
  /// Categories of conditions (`problem-list-item`, `encounter-diagnosis`).
  public static let conditionCategory = "http://terminology.hl7.org/CodeSystem/condition-category"
  /// Clinical states of allergies.
  public static let allergyClinical = "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical"
  /// How sure allergies are.
  public static let allergyVerification = "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification"
  /// Statements of the International Patient Summary that something is absent or unknown.
  public static let absentOrUnknown = "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips"
  /// US Core's categories of documents (`clinical-note`).
  public static let documentCategory = "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category"
}
