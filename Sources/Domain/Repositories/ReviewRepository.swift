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
  /// - Throws: `notFound`; `notAllowed` for a decision that does not fit the item, or when the record was changed at the
  ///   server since the item was shown; `invalidInput` for elements that are not in dispute or left undecided;
  ///   `needsConfirmation` naming what falls with a discard; store errors.
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
    /// Many records are gone from the server, or not shown any more, all at once.
    case massDisappearance = "mass-disappearance"
    /// A registration may be of someone whom the server knows.
    case likelyDuplicate = "likely-duplicate"
  }

  /// A value, for programs and for people.
  public struct Value: Hashable, Sendable {
    /// As JSON text.
    public var json: String
    /// In words.
    public var text: String

    /// Creates a value.
    public init(json: String, text: String) {
      self.json = json
      self.text = text
    }
  }

  /// One element with its three values.
  public struct Element: Hashable, Sendable {
    /// The element's path.
    public var path: String
    /// What a person calls it, e.g. `phone (home)`.
    public var label: String
    /// Its value when the edit was made.
    public var base: Value?
    /// Its value here.
    public var mine: Value?
    /// Its value at the server.
    public var theirs: Value?

    /// Creates an element.
    public init(path: String, label: String, base: Value?, mine: Value?, theirs: Value?) {
      self.path = path
      self.label = label
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }
  }

  /// One thing that the server said (hl7.org/fhir/R4/operationoutcome.html).
  public struct Issue: Hashable, Sendable {
    /// `fatal`, `error`, `warning` or `information`, as written.
    public var severity: String?
    /// The kind of issue, from FHIR's issue types, as written.
    public var code: String?
    /// What is wrong, for people.
    public var text: String
    /// The elements that are meant, as the server names them.
    public var elements: [String]

    /// Creates an issue.
    public init(severity: String?, code: String?, text: String, elements: [String] = []) {
      self.severity = severity
      self.code = code
      self.text = text
      self.elements = elements
    }
  }

  /// An entry that waits until the item is settled.
  public struct WaitingEntry: Hashable, Sendable {
    /// The entry.
    public var number: OutboxNumber
    /// What it writes, for people.
    public var summary: String
    /// Whether it cannot be without the entry in question, and is discarded with it.
    public var falls: Bool

    /// Creates a waiting entry.
    public init(number: OutboxNumber, summary: String, falls: Bool) {
      self.number = number
      self.summary = summary
      self.falls = falls
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
  /// When the edit was written here; `nil` when its entry is gone.
  public var writtenAt: Instant?
  /// What the trouble is, e.g. what the server said.
  public var explanation: String
  /// What the server said, issue by issue.
  public var issues: [Issue]
  /// The elements in dispute; of a refusal, the elements that were written.
  public var elements: [Element]
  /// The server version of `theirs`.
  public var serverVersion: String?
  /// When the server's version was made, by the server's clock.
  public var serverTime: Instant?
  /// Entries that wait behind it.
  public var waiting: [WaitingEntry]

  /// Creates an item.
  public init(
    number: ReviewNumber, kind: Kind, key: ResourceKey, entry: OutboxNumber?, author: Author, subject: String,
    since: Instant, writtenAt: Instant? = nil, explanation: String, issues: [Issue] = [], elements: [Element] = [],
    serverVersion: String? = nil, serverTime: Instant? = nil, waiting: [WaitingEntry] = []
  ) {
    self.number = number
    self.kind = kind
    self.key = key
    self.entry = entry
    self.author = author
    self.subject = subject
    self.since = since
    self.writtenAt = writtenAt
    self.explanation = explanation
    self.issues = issues
    self.elements = elements
    self.serverVersion = serverVersion
    self.serverTime = serverTime
    self.waiting = waiting
  }

  /// The item's number.
  public var id: ReviewNumber { number }
}
