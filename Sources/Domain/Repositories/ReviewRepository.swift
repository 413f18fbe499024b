/// What needs a person: refusals, conflicts, double matches, records that disappeared, people who are known twice.
public protocol ReviewRepository: Sendable {
  /// All open items, oldest first, now and after every change.
  func reviewItems() -> Snapshots<[ReviewItem]>

  /// One item.
  ///
  /// - Throws: `notFound`; store errors.
  func reviewItem(_ number: ReviewNumber) async throws(AppError) -> ReviewItem

  /// Settles an item. The decision is durable, attributed, and checked again if the server moved since.
  ///
  /// - Throws: `notFound`, also when the server changed the values in dispute since the item was shown, naming the item
  ///   that took its place; `notAllowed` for a decision that does not fit the item; `invalidInput` for elements that are not in dispute or left undecided;
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
    /// The server refused a part of an action of which earlier parts are at the server already.
    case halfApplied = "half-applied"
    /// Many records are gone from the server, or not shown any more, all at once.
    case massDisappearance = "mass-disappearance"
    /// A registration may be of someone whom the server knows.
    case likelyDuplicate = "likely-duplicate"

    /// The kind as a person would say it.
    public var words: String {
      switch self {
      case .refusal: "refused by the server"
      case .conflict: "changed here and there"
      case .deletedRemotely: "deleted at the server"
      case .doubleMatch: "two records match"
      case .unresolved: "fate unknown"
      case .halfApplied: "refused in the middle of an action"
      case .massDisappearance: "many records gone"
      case .likelyDuplicate: "probably known already"
      }
    }

    /// Whether the write was certainly not applied, so that its author's next edit amends it.
    public var isRefusal: Bool { self == .refusal || self == .halfApplied }
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

  /// A part of the same action that the server has.
  public struct AppliedEntry: Hashable, Sendable {
    /// The entry that it was.
    public var number: OutboxNumber
    /// What it wrote, for people.
    public var summary: String

    /// Creates an applied entry.
    public init(number: OutboxNumber, summary: String) {
      self.number = number
      self.summary = summary
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
  /// Earlier parts of the same action that the server has.
  public var applied: [AppliedEntry]

  /// Creates an item.
  public init(
    number: ReviewNumber, kind: Kind, key: ResourceKey, entry: OutboxNumber?, author: Author, subject: String,
    since: Instant, writtenAt: Instant? = nil, explanation: String, issues: [Issue] = [], elements: [Element] = [],
    serverVersion: String? = nil, serverTime: Instant? = nil, waiting: [WaitingEntry] = [],
    applied: [AppliedEntry] = []
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
    self.applied = applied
  }

  /// The item's number.
  public var id: ReviewNumber { number }
}
