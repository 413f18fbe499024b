/// What a person decides about an item.
public enum ReviewDecision: Hashable, Sendable {
  /// Send ours over theirs, now knowingly.
  case keepMine
  /// Let the server's stand; our edit goes.
  case keepTheirs
  /// Element by element. Every element in dispute has to be decided; those that only make sense together are one.
  case fields([FieldChoice])
  /// Send the same again.
  case retry
  /// Correct a refused write, and send it again.
  case amend([Amendment])
  /// Give the write up.
  case discard

  /// Whose value stands.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The value that was written here.
    case mine
    /// The value that the server has.
    case theirs
  }

  /// Which value of one element stands.
  public struct FieldChoice: Hashable, Sendable {
    /// The element's path, or what it is called.
    public var element: String
    /// Whose value stands.
    public var side: Side

    /// Creates a choice.
    public init(_ element: String, _ side: Side) {
      self.element = element
      self.side = side
    }
  }

  /// Another value for one element of a refused write.
  public struct Amendment: Hashable, Sendable {
    /// The element's path, or what it is called.
    public var element: String
    /// Its new value as text; empty removes it.
    public var value: String

    /// Creates an amendment.
    public init(_ element: String, _ value: String) {
      self.element = element
      self.value = value
    }
  }

  /// The decision as one word, without any value: for the record of who decided what.
  public var word: String {
    switch self {
    case .keepMine: "keepMine"
    case .keepTheirs: "keepTheirs"
    case .fields: "fields"
    case .retry: "retry"
    case .amend: "amend"
    case .discard: "discard"
    }
  }

  /// Whether the decision is one about such an item.
  public func fits(_ kind: ReviewItem.Kind) -> Bool {
    switch self {
    case .keepMine, .keepTheirs: [.conflict, .deletedRemotely, .massDisappearance].contains(kind)
    case .fields: kind == .conflict
    case .retry: ![.conflict, .deletedRemotely, .massDisappearance].contains(kind)
    case .amend: kind.isRefusal
    case .discard: kind != .massDisappearance
    }
  }

  /// A recorded decision for people; a reason that no person gave stands as it is.
  package static func words(_ recorded: String) -> String {
    switch recorded {
    case "keepMine": "it was decided for mine"
    case "keepTheirs": "it was decided for theirs"
    case "fields": "it was decided element by element"
    case "retry": "the write was sent again"
    case "amend", "amended": "the write was corrected"
    case "discard", "discarded": "the write was given up"
    default: recorded
    }
  }
}

/// What a decision led to.
public struct ReviewOutcome: Hashable, Sendable {
  /// In words.
  public var summary: String
  /// The entries that were discarded.
  public var discarded: [OutboxNumber]
  /// Whether a write goes, or is looked for, with the next sync.
  public var needsSync: Bool
  /// The item that waits for a person in place of the decided one, since the server had changed meanwhile.
  public var followedBy: ReviewNumber?

  /// Creates an outcome.
  public init(
    summary: String, discarded: [OutboxNumber] = [], needsSync: Bool = false, followedBy: ReviewNumber? = nil
  ) {
    self.summary = summary
    self.discarded = discarded
    self.needsSync = needsSync
    self.followedBy = followedBy
  }
}
