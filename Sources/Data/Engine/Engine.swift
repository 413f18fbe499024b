package import Domain

/// The outbox engine as a value: what may go now, what waits for what, when to look again. No I/O, no clock.
///
/// The shell (``OutboxDrainer``) feeds it events and performs its effects; the simulation does the same.
package struct Engine: Sendable {
  /// One entry, as far as the engine needs it.
  package struct Entry: Hashable, Sendable {
    package var number: OutboxNumber
    package var action: String
    package var key: ResourceKey
    package var kind: OutboxEntry.Kind
    package var state: OutboxEntry.State
    package var author: Author
    package var notBefore: Int64?
    /// From when on an ambiguous entry can be found out, e.g. once the server's search has caught up.
    package var resolvableFrom: Int64?
    /// The queued creates of what it refers to.
    package var creates: [OutboxNumber]
    /// Whether its resource must be read again before an update of it may go.
    package var needsRefresh: Bool

    package init(
      number: OutboxNumber, action: String, key: ResourceKey, kind: OutboxEntry.Kind, state: OutboxEntry.State,
      author: Author, notBefore: Int64? = nil, resolvableFrom: Int64? = nil, creates: [OutboxNumber] = [],
      needsRefresh: Bool = false
    ) {
      self.number = number
      self.action = action
      self.key = key
      self.kind = kind
      self.state = state
      self.author = author
      self.notBefore = notBefore
      self.resolvableFrom = resolvableFrom
      self.creates = creates
      self.needsRefresh = needsRefresh
    }
  }

  /// What can happen.
  package enum Event: Sendable {
    /// The queue was read from the store; replaces all that was known of it.
    case loaded([Entry])
    /// Work on an entry has ended and was committed.
    case finished(OutboxNumber)
    /// The reading of a resource has ended and was committed.
    case refreshed(ResourceKey)
    /// Nothing more can be sent in this pass.
    case halted(Halt)
    /// Time has passed.
    case woke
    /// The pass shall end once what is in hand is done.
    case stopRequested
  }

  /// What the shell has to do.
  package enum Effect: Hashable, Sendable {
    /// Claim these entries in one transaction, then send each.
    case send([OutboxNumber])
    /// Find out what became of this entry.
    case resolve(OutboxNumber)
    /// Read this resource and rebase what hangs on it.
    case refresh(ResourceKey)
    /// Read the queue again, since entries that are done may have freed others.
    case reload
    /// Nothing to do until then, in milliseconds since 1970.
    case sleep(until: Int64)
    /// Nothing is left that this pass could do.
    case end
  }

  /// Why a pass stops sending.
  package enum Halt: Hashable, Sendable {
    case unreachable(AppError)
    case notFHIR(AppError)
    case signIn
    case throttled(until: Int64)
  }

  /// Whose entries may go.
  package struct Sender: Hashable, Sendable {
    package var author: Author
    /// Whether this identity may send for all.
    package var isService: Bool

    package init(author: Author, isService: Bool = false) {
      self.author = author
      self.isService = isService
    }

    package func maySend(for author: Author) -> Bool {
      isService || (author.issuer == self.author.issuer && author.subject == self.author.subject)
    }
  }

  /// The bounds of a pass.
  package struct Limits: Hashable, Sendable {
    /// Entries claimed in one transaction.
    package var batch = 64
    /// Requests in flight.
    package var inFlight = 32
    /// A wait longer than this ends the pass instead, in milliseconds.
    package var patience: Int64 = 30_000
    /// Whether waits for a backoff are skipped.
    package var ignoresBackoff = false

    package init() {}
  }

  package private(set) var halt: Halt?
  private var entries: [Entry] = []
  private var busy: Set<OutboxNumber> = []
  private var refreshing: Set<ResourceKey> = []
  private var retried: Set<OutboxNumber> = []
  private var stopping = false
  private let sender: Sender
  private let limits: Limits

  package init(sender: Sender, limits: Limits = Limits()) {
    self.sender = sender
    self.limits = limits
  }

  /// Takes one event and tells what to do.
  ///
  /// - Parameter now: milliseconds since 1970.
  package mutating func step(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .loaded(let loaded):
      entries = loaded
      return next(now)
    case .finished(let number):
      busy.remove(number)
      retried.insert(number)
      return [.reload]
    case .refreshed(let key):
      refreshing.remove(key)
      return [.reload]
    case .halted(let reason):
      halt = halt ?? reason
      return next(now)
    case .woke:
      return [.reload]
    case .stopRequested:
      stopping = true
      return next(now)
    }
  }

  /// How many pieces of work are in hand.
  package var inHand: Int { busy.count + refreshing.count }

  private mutating func next(_ now: Int64) -> [Effect] {
    guard halt == nil, !stopping else { return inHand == 0 ? [.end] : [] }
    let obstacles = Obstacles(entries, sender: sender)
    var effects: [Effect] = []
    var claims: [OutboxNumber] = []
    var wake: Int64?
    var room = limits.inFlight - inHand
    for entry in entries where room > 0 && !busy.contains(entry.number) {
      guard obstacles.obstacle(to: entry) == nil else { continue }
      let ignoresBackoff = limits.ignoresBackoff && !retried.contains(entry.number)
      switch entry.state {
      case .pending:
        if let due = entry.notBefore, due > now, !ignoresBackoff {
          wake = min(wake ?? due, due)
        } else if entry.needsRefresh {
          guard refreshing.insert(entry.key).inserted else { continue }
          effects.append(.refresh(entry.key))
          room -= 1
        } else if claims.count < limits.batch {
          claims.append(entry.number)
          room -= 1
        }
      case .ambiguous:
        let due = max(entry.resolvableFrom ?? 0, ignoresBackoff ? 0 : entry.notBefore ?? 0)
        if due > now {
          wake = min(wake ?? due, due)
        } else {
          busy.insert(entry.number)
          effects.append(.resolve(entry.number))
          room -= 1
        }
      case .sending, .review: continue
      }
    }
    if !claims.isEmpty {
      busy.formUnion(claims)
      effects.append(.send(claims))
    }
    if effects.isEmpty, inHand == 0 {
      if let wake, wake - now <= limits.patience {
        effects.append(.sleep(until: wake))
      } else {
        effects.append(.end)
      }
    }
    return effects
  }
}
