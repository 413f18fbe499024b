import Domain

/// What the process tells its caller: the one table of exit statuses.
nonisolated enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done.
  case done = 0
  /// A command failed.
  case failed = 1
  /// The line was not understood.
  case notUnderstood = 2
  /// Something needs a person.
  case needsPerson = 3
  /// The server could not be reached and was needed.
  case unreachable = 4
  /// Sign-in needed.
  case signInNeeded = 5
  /// Another sync is running.
  case syncRunning = 6
  /// The store cannot be used.
  case storeUnusable = 7
  /// Stopped by a time or size budget, or told to come back later.
  case later = 8
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM or SIGHUP.
  case terminated = 143

  /// The status that an error leads to.
  init(_ code: AppError.Code) {
    switch code {
    case .storeUnavailable, .storeNewer, .storeCorrupt, .storeFull, .storeMismatch: self = .storeUnusable
    case .syncRunning: self = .syncRunning
    case .signInNeeded: self = .signInNeeded
    case .offline, .timedOut, .notFHIR, .serverFailure, .noServer: self = .unreachable
    case .needsConfirmation, .needsReview: self = .needsPerson
    case .throttled, .budgetSpent: self = .later
    case .invalidInput, .notFound, .ambiguous, .deleted, .notAllowed, .collision, .refused, .forbidden,
      .fileUnreadable, .cancelled, .internalFault:
      self = .failed
    }
  }

  /// Which status is told when several apply: the first of these.
  private static let precedence: [ExitStatus] = [
    .terminated, .interrupted, .storeUnusable, .syncRunning, .signInNeeded, .unreachable, .needsPerson, .later,
    .notUnderstood, .failed, .done,
  ]

  /// The status that is told when all of these apply.
  static func decisive(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let all = Set(statuses)
    return precedence.first(where: all.contains) ?? .done
  }

  /// What it means, for help.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "a command failed"
    case .notUnderstood: "the line was not understood; nothing was done"
    case .needsPerson: "something needs a person: a decision, or a yes"
    case .unreachable: "the server could not be reached and was needed"
    case .signInNeeded: "sign-in needed"
    case .syncRunning: "another sync is running"
    case .storeUnusable: "the store cannot be used"
    case .later: "stopped by a time or size budget, or told to come back later"
    case .interrupted: "ended by Ctrl-C"
    case .terminated: "ended by the signal TERM or HUP"
    }
  }
}
