/// What needs a person: refusals, conflicts, double matches.
public protocol ReviewRepository: Sendable {
  /// All open items, oldest first, now and after every change.
  func reviewItems() -> Snapshots<[ReviewItem]>

  /// One item.
  ///
  /// - Throws: `notFound`; store errors.
  func reviewItem(_ number: ReviewNumber) async throws(AppError) -> ReviewItem

  /// Settles an item. The decision is durable, attributed, and checked again if the server moved since.
  ///
  /// - Throws: `notFound`; `notAllowed` for a decision that does not fit the item; `needsConfirmation` naming what falls
  ///   with a discard; store errors.
  func decide(_ number: ReviewNumber, _ decision: ReviewDecision, confirmed: Bool) async throws(AppError)
    -> ReviewOutcome
}

/// One item of the review list.
public struct ReviewItem: Hashable, Sendable, Identifiable {
  /// The kinds of item.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The server refused the write for good.
    case refusal
    /// The same element was changed here and at the server.
    case conflict
    /// The record was deleted at the server while it was edited here.
    case deletedRemotely = "deleted-remotely"
    /// The server holds more than one record that carries our identifier.
    case doubleMatch = "double-match"
    /// The fate of a write could not be found out.
    case unresolved
  }

  /// One element with its three values, as JSON text.
  public struct Element: Hashable, Sendable {
    /// The element's path.
    public var path: String
    /// Its value when the edit was made.
    public var base: String?
    /// Its value here.
    public var mine: String?
    /// Its value at the server.
    public var theirs: String?

    /// Creates an element.
    public init(path: String, base: String?, mine: String?, theirs: String?) {
      self.path = path
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }
  }

  /// The item's number.
  public var number: ReviewNumber
  /// What kind of trouble.
  public var kind: Kind
  /// The record.
  public var key: ResourceKey
  /// The outbox entry that waits.
  public var entry: OutboxNumber?
  /// Whose write it is.
  public var author: Author
  /// What the record is, in a person's words.
  public var subject: String
  /// Since when.
  public var since: Instant
  /// What the trouble is, e.g. what the server said.
  public var explanation: String
  /// The elements in dispute.
  public var elements: [Element]
  /// The server version of `theirs`.
  public var serverVersion: String?
  /// Entries that wait behind it.
  public var waiting: [OutboxNumber]

  /// Creates an item.
  public init(
    number: ReviewNumber, kind: Kind, key: ResourceKey, entry: OutboxNumber?, author: Author, subject: String,
    since: Instant, explanation: String, elements: [Element] = [], serverVersion: String? = nil,
    waiting: [OutboxNumber] = []
  ) {
    self.number = number
    self.kind = kind
    self.key = key
    self.entry = entry
    self.author = author
    self.subject = subject
    self.since = since
    self.explanation = explanation
    self.elements = elements
    self.serverVersion = serverVersion
    self.waiting = waiting
  }

  /// The item's number.
  public var id: ReviewNumber { number }
}

/// What a person decides about an item.
public enum ReviewDecision: Hashable, Sendable {
  /// Send ours over theirs, now knowingly.
  case keepMine
  /// Let the server's stand; our edit goes.
  case keepTheirs
  /// Send the same again.
  case retry
  /// Give the write up.
  case discard
}

/// What a decision led to.
public struct ReviewOutcome: Hashable, Sendable {
  /// In words.
  public var summary: String
  /// The entries that were discarded.
  public var discarded: [OutboxNumber]

  /// Creates an outcome.
  public init(summary: String, discarded: [OutboxNumber] = []) {
    self.summary = summary
    self.discarded = discarded
  }
}
