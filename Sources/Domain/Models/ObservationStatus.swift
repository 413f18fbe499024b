/// The state of an observation (hl7.org/fhir/R4/valueset-observation-status.html).
public enum ObservationStatus: String, CaseIterable, Hashable, Sendable {
  /// Known to exist, without a result yet.
  case registered
  /// Early, may change.
  case preliminary
  /// Complete.
  case final
  /// Changed after it was final.
  case amended
  /// Changed after it was final, to put right a mistake.
  case corrected
  /// Not going to be made.
  case cancelled
  /// Withdrawn: should never have been recorded.
  case enteredInError = "entered-in-error"
  /// The source does not know.
  case unknown
}
