/// What a record of the chart counts as. Only ``current`` is counted where a chart says what the patient has.
public enum ChartStanding: String, CaseIterable, Hashable, Sendable {
  /// Holds now.
  case current
  /// Held once: inactive, resolved, stopped.
  case past
  /// Was looked into and is not so.
  case refuted
  /// Should never have been recorded.
  case enteredInError = "entered-in-error"

  /// For people.
  public var text: String {
    switch self {
    case .current: "current"
    case .past: "past"
    case .refuted: "refuted"
    case .enteredInError: "entered in error"
    }
  }
}
