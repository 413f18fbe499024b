/// What was written here and not yet accepted by the server.
public protocol OutboxRepository: Sendable {
  /// All entries in order, now and after every change.
  func outbox() -> Snapshots<[OutboxItem]>

  /// One entry with all that is known about it.
  ///
  /// - Throws: `notFound`; store errors.
  func outboxItem(_ number: OutboxNumber) async throws(AppError) -> OutboxItemDetail

  /// Takes an entry back: the view loses its edit. What hangs on a discarded create goes with it.
  ///
  /// - Parameter confirmed: must be true when more than the one entry falls; otherwise the error names what would.
  /// - Returns: All entries that were discarded.
  /// - Throws: `notFound`; `notAllowed` for an entry that was sent and may be at the server; `needsConfirmation`; store errors.
  func discard(_ number: OutboxNumber, confirmed: Bool) async throws(AppError) -> [OutboxItem]

  /// Writes all that is unsent into a file of the owner's, as a FHIR transaction Bundle, e.g. before a machine is retired.
  /// Nothing is sent, and nothing changes here.
  ///
  /// - Parameter replaces: whether a file that is there is replaced.
  /// - Throws: `needsConfirmation` for a file that is there; `fileUnreadable`; store errors.
  func export(to file: String, replaces: Bool) async throws(AppError) -> OutboxExport

  /// Explains one record: the server's document, the local edits, and what becomes of them.
  ///
  /// - Throws: `notFound`; store errors.
  func explain(_ key: ResourceKey) async throws(AppError) -> RecordExplanation
}

/// What was written into a file.
public struct OutboxExport: Hashable, Sendable {
  /// The file.
  public var file: String
  /// The records in it.
  public var records: Int
  /// The entries that they stand for.
  public var entries: Int
  /// Those of them that wait for a person.
  public var inReview: Int
  /// Those of them that may be at the server already.
  public var ambiguous: Int

  /// Creates a description.
  public init(file: String, records: Int, entries: Int, inReview: Int, ambiguous: Int) {
    self.file = file
    self.records = records
    self.entries = entries
    self.inReview = inReview
    self.ambiguous = ambiguous
  }
}

/// An outbox entry, for display.
public struct OutboxItem: Hashable, Sendable, Identifiable {
  /// The states of an entry.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Not sent yet, or certainly not applied.
    case pending
    /// Claimed by a sync that runs.
    case sending
    /// Sent, fate unknown: will be found out.
    case ambiguous
    /// Waits for a person.
    case review
  }

  /// What an entry does to its resource.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Makes it.
    case create
    /// Changes it.
    case update
    /// Deletes it.
    case delete
  }

  /// The entry's number.
  public var number: OutboxNumber
  /// The resource it writes.
  public var key: ResourceKey
  /// What it does.
  public var kind: Kind
  /// Its state.
  public var state: State
  /// What is written, in a person's words, e.g. the patient's name and the changed elements.
  public var summary: String
  /// Who wrote it.
  public var author: Author
  /// When it was written.
  public var writtenAt: Instant
  /// How often it was sent.
  public var attempts: Int
  /// What it waits for, in words; `nil` when nothing but time keeps it.
  public var waitsFor: String?
  /// Before when it is not sent; `nil` when it may go now.
  public var nextAttempt: Instant?
  /// Why it is in its state, in words, e.g. what the server said.
  public var reason: String?

  /// Creates an item.
  public init(
    number: OutboxNumber, key: ResourceKey, kind: Kind, state: State, summary: String, author: Author,
    writtenAt: Instant, attempts: Int = 0, waitsFor: String? = nil, nextAttempt: Instant? = nil, reason: String? = nil
  ) {
    self.number = number
    self.key = key
    self.kind = kind
    self.state = state
    self.summary = summary
    self.author = author
    self.writtenAt = writtenAt
    self.attempts = attempts
    self.waitsFor = waitsFor
    self.nextAttempt = nextAttempt
    self.reason = reason
  }

  /// The entry's number.
  public var id: OutboxNumber { number }
}

/// An entry with its edits and its history.
public struct OutboxItemDetail: Hashable, Sendable {
  /// The entry.
  public var item: OutboxItem
  /// The elements it changes.
  public var changes: [ElementChange]
  /// The server version it was made on.
  public var baseVersion: String?
  /// What happened to it, oldest first.
  public var history: [OutboxTransition]

  /// Creates a detail.
  public init(
    item: OutboxItem, changes: [ElementChange], baseVersion: String? = nil, history: [OutboxTransition] = []
  ) {
    self.item = item
    self.changes = changes
    self.baseVersion = baseVersion
    self.history = history
  }
}

/// One changed element.
public struct ElementChange: Hashable, Sendable {
  /// The element's path, e.g. `telecom[phone,mobile].value`.
  public var path: String
  /// Its value before, as JSON text; `nil` when absent.
  public var old: String?
  /// Its value after, as JSON text; `nil` when removed.
  public var new: String?

  /// Creates a change.
  public init(path: String, old: String?, new: String?) {
    self.path = path
    self.old = old
    self.new = new
  }
}

/// One step in an entry's life.
public struct OutboxTransition: Hashable, Sendable {
  /// When.
  public var at: Instant
  /// From which state; `nil` for the first.
  public var from: String?
  /// To which state.
  public var to: String
  /// Why.
  public var reason: String

  /// Creates a transition.
  public init(at: Instant, from: String?, to: String, reason: String) {
    self.at = at
    self.from = from
    self.to = to
    self.reason = reason
  }
}

/// Everything that makes one record look as it does.
public struct RecordExplanation: Hashable, Sendable {
  /// The record.
  public var key: ResourceKey
  /// Its other ids, e.g. the local one it had before the server knew it.
  public var aliases: [String]
  /// The server's last known version.
  public var serverVersion: String?
  /// The server's last known document, as JSON text.
  public var base: String?
  /// What readers see, as JSON text.
  public var view: String?
  /// When the server last confirmed the document.
  public var confirmedAt: Instant?
  /// The entries on it, in order.
  public var entries: [OutboxItemDetail]
  /// What became of the last entries on it that are settled, oldest first.
  public var settled: [SettledEntry]

  /// An entry that the outbox holds no more.
  public struct SettledEntry: Hashable, Sendable {
    /// The entry.
    public var number: OutboxNumber
    /// What it wrote, for people.
    public var summary: String
    /// What became of it, in words.
    public var outcome: String
    /// When.
    public var at: Instant
    /// The server's version that it led to, if that is known.
    public var version: String?

    /// Creates an entry.
    public init(number: OutboxNumber, summary: String, outcome: String, at: Instant, version: String? = nil) {
      self.number = number
      self.summary = summary
      self.outcome = outcome
      self.at = at
      self.version = version
    }
  }

  /// Creates an explanation.
  public init(
    key: ResourceKey, aliases: [String] = [], serverVersion: String? = nil, base: String? = nil, view: String? = nil,
    confirmedAt: Instant? = nil, entries: [OutboxItemDetail] = [], settled: [SettledEntry] = []
  ) {
    self.key = key
    self.aliases = aliases
    self.serverVersion = serverVersion
    self.base = base
    self.view = view
    self.confirmedAt = confirmedAt
    self.entries = entries
    self.settled = settled
  }
}
