/// What went wrong, in terms a person can act on.
///
/// Every failure that leaves `Data` or a model is an `AppError`. Its ``code`` is stable: scripts and tests may rely on it.
/// Its ``message`` is for people and may change; it never holds a token, and never more of a patient than the caller gave.
public struct AppError: Error, Hashable, Sendable {
  /// The kind of failure. A closed set.
  public var code: Code

  /// What was wrong, and where: one sentence without a full stop.
  public var message: String

  /// What to do next, as a sentence or a command line; `nil` when the message says it all.
  public var hint: String?

  /// The input field or FHIR element the error is about, e.g. `birthDate`.
  public var field: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, hint: String? = nil, field: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.field = field
  }

  /// How the error may be handled; follows from its code, and from whether a field is named.
  public var traits: Traits {
    field == nil ? code.traits : code.traits.union(.aboutOneField)
  }
}

extension AppError {
  /// The closed set of failures. The raw value is the stable spelling used in machine output.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A value that was given is not acceptable.
    case invalidInput = "invalid-input"
    /// Something implausible or destructive needs a yes first.
    case needsConfirmation = "needs-confirmation"
    /// Nothing of that name is known.
    case notFound = "not-found"
    /// More than one thing has that name.
    case ambiguous
    /// The thing was deleted on the server.
    case deleted
    /// The thing's state does not allow this, e.g. a cancelled appointment cannot arrive.
    case notAllowed = "not-allowed"
    /// Two things would collide, e.g. overlapping appointments.
    case collision
    /// The server could not be reached.
    case offline
    /// The server took too long.
    case timedOut = "timed-out"
    /// What answered is not a FHIR server: a portal, a proxy or a wrong address.
    case notFHIR = "not-fhir"
    /// The server said to come back later.
    case throttled
    /// The server failed.
    case serverFailure = "server-failure"
    /// The server refused the request for good.
    case refused
    /// Nobody is signed in, or the sign-in expired.
    case signInNeeded = "sign-in-needed"
    /// The signed-in user may not do this.
    case forbidden
    /// A person has to decide first.
    case needsReview = "needs-review"
    /// Another process is syncing this store.
    case syncRunning = "sync-running"
    /// No server is configured.
    case noServer = "no-server"
    /// The store cannot be opened, read or written.
    case storeUnavailable = "store-unavailable"
    /// The store was written by a newer version.
    case storeNewer = "store-newer"
    /// The store is damaged.
    case storeCorrupt = "store-corrupt"
    /// The disk is full, or a quota is used up.
    case storeFull = "store-full"
    /// The store belongs to another server, another machine or another folder.
    case storeMismatch = "store-mismatch"
    /// A file could not be read or written.
    case fileUnreadable = "file-unreadable"
    /// A time or size budget ended the work.
    case budgetSpent = "budget-spent"
    /// The caller went away before the work began.
    case cancelled
    /// A fault of this program.
    case internalFault = "internal-fault"
  }

  /// How an error may be handled.
  public struct Traits: OptionSet, Hashable, Sendable {
    /// The option bits.
    public let rawValue: Int
    /// Creates a set of traits from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The same request may succeed later, unchanged.
    public static let mayRetry = Traits(rawValue: 1 << 0)
    /// Only a person can settle it.
    public static let needsUser = Traits(rawValue: 1 << 1)
    /// It is about one field of the input.
    public static let aboutOneField = Traits(rawValue: 1 << 2)
    /// It passes by itself: not worth an interruption.
    public static let transient = Traits(rawValue: 1 << 3)
  }
}

extension AppError.Code {
  /// The traits of every error with this code.
  public var traits: AppError.Traits {
    switch self {
    case .offline, .timedOut, .throttled, .serverFailure: [.mayRetry, .transient]
    case .syncRunning, .budgetSpent: [.mayRetry, .transient]
    case .notFHIR: [.mayRetry]
    case .storeFull, .storeUnavailable: [.mayRetry, .needsUser]
    case .needsConfirmation, .ambiguous, .needsReview, .signInNeeded, .refused, .storeMismatch: [.needsUser]
    case .storeNewer, .storeCorrupt, .forbidden, .noServer: [.needsUser]
    case .invalidInput, .notFound, .deleted, .notAllowed, .collision, .fileUnreadable: []
    case .cancelled: [.transient]
    case .internalFault: []
    }
  }
}
