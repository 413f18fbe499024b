/// Brings the local store and the server together, and tells how far apart they are.
public protocol SyncRepository: Sendable {
  /// Sends what is queued, then pulls what changed.
  ///
  /// - Returns: A report computed from the store.
  /// - Throws: `syncRunning` naming the holder, `noServer`, `fileUnreadable` for a log that cannot be written; store errors. Trouble with the server is in the report.
  func sync(_ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void)
    async throws(AppError) -> SyncReport

  /// Syncs again and again, until it is asked to end, its time is over, or its task is cancelled: often while something
  /// happens, seldom while nothing does, and at once after a local write.
  ///
  /// - Parameter told: how each pass ended.
  /// - Returns: How the last pass ended.
  /// - Throws: What the first pass threw; later, what the last one threw.
  func watch(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void,
    told: @escaping @Sendable (SyncReport) -> Void
  ) async throws(AppError) -> SyncReport

  /// Asks a sync that runs in this process to end by itself: what is with the server is finished, nothing more begins.
  ///
  /// - Returns: whether one runs.
  func requestStop() -> Bool

  /// The state of the store against the server, now and after every change.
  func status() -> Snapshots<SyncStatus>

  /// The requests that a sync would send now, in order, and why; nothing is sent.
  func plan() async throws(AppError) -> [PlannedRequest]
}

/// What a sync may do.
public struct SyncOptions: Hashable, Sendable {
  /// Send what is queued.
  public var pushes: Bool
  /// Pull what changed.
  public var pulls: Bool
  /// End after this time, cleanly.
  public var maximumTime: Duration?
  /// End when so many bytes of documents went over the wire, cleanly: behind the request that reached it.
  public var maximumBytes: Int?
  /// Wait for another process's sync to end, instead of failing.
  public var waits: Bool
  /// Go on, with pauses, until nothing is left that could be sent without a person.
  public var untilEmpty: Bool
  /// A file to which a line is added for every pass, without any patient's data.
  public var logFile: String?
  /// Send entries whose backoff has not ended yet; a server's own `Retry-After` is still kept.
  public var retriesNow: Bool

  /// Creates options.
  public init(
    pushes: Bool = true, pulls: Bool = true, maximumTime: Duration? = nil, retriesNow: Bool = true, waits: Bool = false,
    untilEmpty: Bool = false, logFile: String? = nil, maximumBytes: Int? = nil
  ) {
    self.pushes = pushes
    self.pulls = pulls
    self.maximumTime = maximumTime
    self.retriesNow = retriesNow
    self.waits = waits
    self.untilEmpty = untilEmpty
    self.logFile = logFile
    self.maximumBytes = maximumBytes
  }
}

/// How far a sync has come.
public enum SyncProgress: Hashable, Sendable {
  /// Entries settled so far, and how many were there to send.
  case pushing(settled: Int, of: Int)
  /// Resources of one type received so far; the total is the server's claim, if it made one.
  case pulling(type: String, received: Int, ofAbout: Int?)
}

/// What a sync did, and what is left.
public struct SyncReport: Hashable, Sendable {
  /// Why the sync ended.
  public enum Outcome: Hashable, Sendable {
    /// Nothing is left to do.
    case complete
    /// All that could be sent was; some of it needs a person.
    case needsReview
    /// The server could not be reached, or what answered was not it.
    case unreachable(AppError)
    /// The server asks to come back later.
    case throttled(until: Instant)
    /// The time or the bytes were used up, or work waits for a later time.
    case unfinished
    /// Nobody is signed in, or the sign-in expired.
    case signInNeeded
  }

  /// Why the sync ended.
  public var outcome: Outcome
  /// By resource type: what was done and what is left.
  public var types: [TypeCounts]
  /// Entries that still wait to be sent.
  public var unsent: Int
  /// Entries whose fate at the server is not known yet.
  public var ambiguous: Int
  /// Items that need a person.
  public var inReview: Int
  /// When the oldest unsent entry was written.
  public var oldestUnsent: Instant?
  /// Types that could not be pulled, and why; entries that could not be understood; guarantees that this server cannot give.
  public var warnings: [String]

  /// Creates a report.
  public init(
    outcome: Outcome, types: [TypeCounts] = [], unsent: Int = 0, ambiguous: Int = 0, inReview: Int = 0,
    oldestUnsent: Instant? = nil, warnings: [String] = []
  ) {
    self.outcome = outcome
    self.types = types
    self.unsent = unsent
    self.ambiguous = ambiguous
    self.inReview = inReview
    self.oldestUnsent = oldestUnsent
    self.warnings = warnings
  }

  /// Whether anything was sent or received.
  public var isEventful: Bool { types.contains { $0.sent + $0.pulled + $0.deleted > 0 } }

  /// The counts of one resource type.
  public struct TypeCounts: Hashable, Sendable {
    /// The FHIR resource type.
    public var type: String
    /// Entries that the server accepted in this run.
    public var sent: Int
    /// Resources received that were new or changed.
    public var pulled: Int
    /// Resources found deleted at the server.
    public var deleted: Int
    /// Entries that still wait to be sent.
    public var unsent: Int
    /// Those of them that were tried in this run, were not accepted, and will be tried again.
    public var failed: Int
    /// Entries that need a person.
    public var inReview: Int
    /// When the oldest of all these entries was written.
    public var oldest: Instant?

    /// Creates counts.
    public init(
      type: String, sent: Int = 0, pulled: Int = 0, deleted: Int = 0, unsent: Int = 0, failed: Int = 0,
      inReview: Int = 0, oldest: Instant? = nil
    ) {
      self.type = type
      self.sent = sent
      self.pulled = pulled
      self.deleted = deleted
      self.unsent = unsent
      self.failed = failed
      self.inReview = inReview
      self.oldest = oldest
    }
  }
}

/// The state of the store against the server.
public struct SyncStatus: Hashable, Sendable {
  /// The server's base URL; `nil` when none is configured.
  public var server: String?
  /// Entries not accepted yet, of any state but review.
  public var unsent: Int
  /// Those of them whose fate is not known.
  public var ambiguous: Int
  /// Items that need a person.
  public var inReview: Int
  /// When the oldest unsent entry was written.
  public var oldestUnsent: Instant?
  /// When a sync last ended with nothing left.
  public var lastComplete: Instant?
  /// When a sync last tried.
  public var lastAttempt: Instant?
  /// What the last attempt met; `nil` after a good one.
  public var lastError: AppError?
  /// Until when the server asked for silence.
  public var throttledUntil: Instant?
  /// Who is syncing this store now, if anyone.
  public var runningElsewhere: String?
  /// What is guaranteed with this server, as far as it is known.
  public var guarantees: [String]

  /// Creates a status.
  public init(
    server: String?, unsent: Int = 0, ambiguous: Int = 0, inReview: Int = 0, oldestUnsent: Instant? = nil,
    lastComplete: Instant? = nil, lastAttempt: Instant? = nil, lastError: AppError? = nil,
    throttledUntil: Instant? = nil, runningElsewhere: String? = nil, guarantees: [String] = []
  ) {
    self.server = server
    self.unsent = unsent
    self.ambiguous = ambiguous
    self.inReview = inReview
    self.oldestUnsent = oldestUnsent
    self.lastComplete = lastComplete
    self.lastAttempt = lastAttempt
    self.lastError = lastError
    self.throttledUntil = throttledUntil
    self.runningElsewhere = runningElsewhere
    self.guarantees = guarantees
  }
}

/// One request that a sync would send.
public struct PlannedRequest: Hashable, Sendable {
  /// The outbox entry; `nil` for a read.
  public var entry: OutboxNumber?
  /// The HTTP method.
  public var method: String
  /// The target, relative to the base URL.
  public var target: String
  /// Why it comes at this place, or why it waits.
  public var reason: String
  /// Until when the server asked for silence.
  public var notBefore: Instant?

  /// Creates a planned request.
  public init(entry: OutboxNumber?, method: String, target: String, reason: String, notBefore: Instant? = nil) {
    self.entry = entry
    self.method = method
    self.target = target
    self.reason = reason
    self.notBefore = notBefore
  }
}
