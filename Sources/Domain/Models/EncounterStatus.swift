/// Where in its life a visit is (hl7.org/fhir/R4/valueset-encounter-status.html), and what may follow.
public enum EncounterStatus: String, CaseIterable, Hashable, Sendable {
  /// Not begun yet.
  case planned
  /// The patient is there.
  case arrived
  /// The patient was looked at first, to decide on the order.
  case triaged
  /// The visit goes on.
  case inProgress = "in-progress"
  /// The visit goes on, but the patient has left for a while.
  case onleave
  /// Over.
  case finished
  /// Ended before it began.
  case cancelled
  /// Should never have been recorded.
  case enteredInError = "entered-in-error"
  /// The source does not know.
  case unknown
}

extension EncounterStatus {
  /// The states that may follow this one. FHIR leaves that to the workflow; this is the clinic's.
  ///
  /// A visit that began cannot be cancelled, since FHIR's `cancelled` means that it ended before it began. What is over is
  /// history: it can only be withdrawn.
  public var successors: Set<EncounterStatus> {
    switch self {
    case .planned: [.arrived, .triaged, .inProgress, .cancelled, .enteredInError]
    case .arrived: [.triaged, .inProgress, .cancelled, .enteredInError]
    case .triaged: [.inProgress, .cancelled, .enteredInError]
    case .inProgress: [.onleave, .finished, .enteredInError]
    case .onleave: [.inProgress, .finished, .enteredInError]
    case .finished, .cancelled: [.enteredInError]
    case .enteredInError: []
    case .unknown: [.arrived, .triaged, .inProgress, .onleave, .finished, .cancelled, .enteredInError]
    }
  }

  /// Whether a visit may go from this state to another.
  public func canBecome(_ next: EncounterStatus) -> Bool { successors.contains(next) }

  /// Why a visit may not go from this state to another, for people; `nil` when it may.
  public func refusal(toBecome next: EncounterStatus) -> String? {
    if canBecome(next) { return nil }
    if next == self { return "The visit is already \(rawValue)." }
    switch self {
    case .enteredInError: return "The visit was entered in error; start a new one instead."
    case .finished: return "The visit is over, so it cannot become \(next.rawValue); start a new one instead."
    case .cancelled: return "A cancelled visit cannot become \(next.rawValue); start a new one instead."
    case .inProgress, .onleave:
      return next == .cancelled
        ? "The visit has begun, so it cannot be cancelled; finish it, or withdraw it as entered in error."
        : "The visit has begun, so it cannot become \(next.rawValue)."
    case .planned, .arrived, .triaged:
      return next == .finished || next == .onleave
        ? "The visit has not begun, so it cannot become \(next.rawValue)."
        : "A visit that is \(rawValue) cannot become \(next.rawValue)."
    case .unknown: return "A visit whose state is unknown cannot become \(next.rawValue)."
    }
  }

  /// Whether the patient is here on account of the visit, or will be back.
  public var isOpen: Bool {
    switch self {
    case .arrived, .triaged, .inProgress, .onleave: true
    case .planned, .finished, .cancelled, .enteredInError, .unknown: false
    }
  }
}
