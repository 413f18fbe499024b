/// Why a value is missing (hl7.org/fhir/R4/codesystem-data-absent-reason.html).
public enum DataAbsentReason: String, CaseIterable, Hashable, Sendable {
  /// Expected to exist, but not known.
  case unknown
  /// The source was asked and does not know.
  case askedUnknown = "asked-unknown"
  /// Reason to believe that it will become known.
  case temporarilyUnknown = "temp-unknown"
  /// Not asked.
  case notAsked = "not-asked"
  /// The source was asked and declined to answer.
  case askedDeclined = "asked-declined"
  /// Withheld for privacy or security.
  case masked
  /// There is no proper value.
  case notApplicable = "not-applicable"
  /// The source system cannot record it.
  case unsupported
  /// Only in the narrative.
  case asText = "as-text"
  /// An error in processing.
  case error
  /// Not a number.
  case notANumber = "not-a-number"
  /// Negative infinity.
  case negativeInfinity = "negative-infinity"
  /// Positive infinity.
  case positiveInfinity = "positive-infinity"
  /// The measurement was not done.
  case notPerformed = "not-performed"
  /// The value may not be given here.
  case notPermitted = "not-permitted"
}
