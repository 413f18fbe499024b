/// One answer to a read: what is known, how old it is, and what is on its way.
public struct Snapshot<Value: Sendable>: Sendable {
  /// The answer with all local edits applied; `nil` when nothing is known locally.
  public var value: Value?
  /// How old the server's part of the answer is.
  public var freshness: Freshness
  /// What is being done about it.
  public var revalidation: Revalidation
  /// How many local edits inside ``value`` the server has not accepted yet.
  public var pendingWrites: Int
  /// How many of them wait for a person.
  public var writesInReview: Int
  /// The server version under the local edits; `nil` for a list or for something the server has not seen.
  public var serverVersion: String?
  /// True when the local store may hold only a part of the answer, e.g. a search before the first full pull.
  public var mayBeIncomplete: Bool
  /// True when the server says that the record was deleted; ``value`` is then what was last known of it, if anything.
  public var isDeleted: Bool
  /// What could not be understood in the records behind this answer, for people.
  public var warnings: [String]

  /// Creates a snapshot.
  public init(
    value: Value?, freshness: Freshness, revalidation: Revalidation = .idle, pendingWrites: Int = 0,
    writesInReview: Int = 0, serverVersion: String? = nil, mayBeIncomplete: Bool = false, isDeleted: Bool = false,
    warnings: [String] = []
  ) {
    self.value = value
    self.freshness = freshness
    self.revalidation = revalidation
    self.pendingWrites = pendingWrites
    self.writesInReview = writesInReview
    self.serverVersion = serverVersion
    self.mayBeIncomplete = mayBeIncomplete
    self.isDeleted = isDeleted
    self.warnings = warnings
  }

  /// The same answer with another value, e.g. a model turned into display state.
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Snapshot<Other> {
    Snapshot<Other>(
      value: value.map(transform), freshness: freshness, revalidation: revalidation, pendingWrites: pendingWrites,
      writesInReview: writesInReview, serverVersion: serverVersion, mayBeIncomplete: mayBeIncomplete,
      isDeleted: isDeleted, warnings: warnings)
  }
}

extension Snapshot: Equatable where Value: Equatable {}

/// How old an answer is, judged by the windows of the scopes it was read from.
public enum Freshness: Hashable, Sendable {
  /// The server was never asked, or never answered.
  case missing
  /// Young enough not to ask again.
  case fresh(asOf: Instant)
  /// Usable; a revalidation is due.
  case stale(asOf: Instant)
  /// Shown for want of better: older than its scope tolerates.
  case expired(asOf: Instant)

  /// When the server last confirmed the answer.
  public var asOf: Instant? {
    switch self {
    case .missing: nil
    case .fresh(let instant), .stale(let instant), .expired(let instant): instant
    }
  }
}

/// What is being done to bring an answer up to date.
public enum Revalidation: Hashable, Sendable {
  /// Nothing.
  case idle
  /// The server is being asked.
  case running
  /// The server was asked in vain; the value stays.
  case failed(AppError)
}
