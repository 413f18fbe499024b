import Domain

/// What can be done with a visit. The state machine of ``Domain/EncounterStatus`` decides whether it may.
public nonisolated enum VisitAction: Hashable, Sendable {
  /// The patient was looked at first.
  case triage
  /// The visit begins, or goes on after the patient was away.
  case begin
  /// The patient leaves for a while.
  case leave
  /// The visit is over.
  case finish
  /// It will not take place.
  case cancel
  /// It should never have been recorded.
  case retract

  /// The state that it leads to.
  var status: EncounterStatus {
    switch self {
    case .triage: .triaged
    case .begin: .inProgress
    case .leave: .onleave
    case .finish: .finished
    case .cancel: .cancelled
    case .retract: .enteredInError
    }
  }

  /// What was done, as a sentence without a full stop.
  var done: String {
    switch self {
    case .triage: "Patient triaged"
    case .begin: "Visit goes on"
    case .leave: "Patient on leave"
    case .finish: "Visit finished"
    case .cancel: "Visit cancelled"
    case .retract: "Visit marked as entered in error"
    }
  }

  /// What is asked first; `nil` for what can simply be followed by something else.
  func question(_ who: String) -> String? {
    switch self {
    case .cancel: "cancel the visit of \(who)?"
    case .retract: "mark the visit of \(who) as entered in error? It cannot be taken back"
    case .triage, .begin, .leave, .finish: nil
    }
  }
}
