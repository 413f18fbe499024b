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
    /// Whether it is sent by itself, since sending its action as one was refused.
    package var goesAlone: Bool

    package init(
      number: OutboxNumber, action: String, key: ResourceKey, kind: OutboxEntry.Kind, state: OutboxEntry.State,
      author: Author, notBefore: Int64? = nil, resolvableFrom: Int64? = nil, creates: [OutboxNumber] = [],
      needsRefresh: Bool = false, goesAlone: Bool = false
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
      self.goesAlone = goesAlone
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
    /// Claim these entries in one transaction, then send them as one transaction Bundle.
    case sendTogether([OutboxNumber])
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
    /// Whether waits for a backoff that began before the pass are skipped.
    package var ignoresBackoff = false
    /// Whether the pass waits for the backoff of what it has tried itself; otherwise it ends, and says what is left.
    package var waitsForBackoff = false
    /// Whether the entries of one action go as one transaction.
    package var sendsTogether = false

    package init() {}
  }

  package private(set) var halt: Halt?
  private var entries: [Entry] = []
  private var busy: Set<OutboxNumber> = []
  private var refreshing: Set<ResourceKey> = []
  private var finished: [OutboxNumber: Int] = [:]
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
      finished[number, default: 0] += 1
      return [.reload]
    case .refreshed(let key):
      refreshing.remove(key)
      for entry in entries where entry.key == key { finished[entry.number, default: 0] += 1 }
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
      switch readiness(of: entry, now) {
      case .later(let due):
        if let due { wake = min(wake ?? due, due) }
        continue
      case .refresh:
        guard refreshing.insert(entry.key).inserted else { continue }
        effects.append(.refresh(entry.key))
      case .resolve:
        busy.insert(entry.number)
        effects.append(.resolve(entry.number))
      case .send:
        if let group = group(of: entry, obstacles, now) {
          busy.formUnion(group)
          effects.append(.sendTogether(group))
        } else if claims.count < limits.batch {
          claims.append(entry.number)
        } else {
          continue
        }
      }
      room -= 1
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

  private enum Readiness {
    case send, resolve, refresh
    /// Not before a time, if this pass waits for it at all.
    case later(Int64?)
  }

  /// What an entry without obstacles is ready for.
  private func readiness(of entry: Entry, _ now: Int64) -> Readiness {
    let tries = finished[entry.number] ?? 0
    let ignoresBackoff = limits.ignoresBackoff && tries == 0
    // No pause is longer than the cap: what lies further ahead was set by a clock that has been put back since.
    let pausedUntil = entry.notBefore.flatMap { $0 - now > Backoff.cap ? nil : $0 }
    switch entry.state {
    case .pending:
      if let due = pausedUntil, due > now, !ignoresBackoff { return .later(limits.waitsForBackoff ? due : nil) }
      return entry.needsRefresh ? .refresh : .send
    case .ambiguous:
      let due = max(entry.resolvableFrom ?? 0, ignoresBackoff ? 0 : pausedUntil ?? 0)
      if due > now { return .later(tries < Self.triesWaitedFor || limits.waitsForBackoff ? due : nil) }
      return .resolve
    case .sending, .review: return .later(nil)
    }
  }

  /// How often one pass waits to find out about the same entry: a server that never answers must not keep it for ever.
  private static let triesWaitedFor = 3

  /// The entries that go together with the first of their action, if the server has real transactions and all are ready.
  private func group(of first: Entry, _ obstacles: Obstacles, _ now: Int64) -> [OutboxNumber]? {
    guard limits.sendsTogether, !first.goesAlone else { return nil }
    let group = entries.filter { $0.action == first.action }
    let numbers = Set(group.map(\.number))
    // One identity may occur only once among the writes of a transaction (hl7.org/fhir/R4/http.html#trules).
    guard group.count > 1, Set(group.map(\.key)).count == group.count else { return nil }
    for entry in group {
      guard entry.state == .pending, !entry.goesAlone, obstacles.obstacle(to: entry, within: numbers) == nil,
        case .send = readiness(of: entry, now)
      else { return nil }
    }
    return group.map(\.number)
  }
}
