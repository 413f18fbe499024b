/// URLs of the extensions that this package understands.
enum FHIRExtension {
  /// Why a value is missing (hl7.org/fhir/R4/extension-data-absent-reason.html).
  static let dataAbsentReason = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
}
