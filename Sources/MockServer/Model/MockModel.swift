public import JSON
internal import Synchronization

/// A FHIR R4 server in memory, without sockets: a request goes in, its answer comes out, and nothing else happens.
///
/// It implements the RESTful API of FHIR R4 (hl7.org/fhir/R4/http.html) as its profile says, keeps documents as they were sent (number
/// spelling, member order, unknown elements), and logs every write that it applied. Safe to use from any thread; requests are answered one
/// after the other.
public final class MockModel: Sendable {
  private struct Guarded: Sendable {
    var state: MockState
    var journal: MockJournal?
  }

  private let guarded: Mutex<Guarded>
  /// The base of links when a request names no host; its path is the prefix of every target.
  public let baseURL: String

  /// An empty server.
  /// - Parameters:
  ///   - seed: decides the ids that the server gives.
  public init(
    profile: MockProfile = .standard, clock: MockClock = MockClock(), baseURL: String = "http://127.0.0.1/fhir",
    seed: UInt64 = 1
  ) {
    self.baseURL = baseURL
    guarded = Mutex(Guarded(state: MockState(profile: profile, clock: clock, seed: seed)))
  }

  /// Answers one request, as a server does: errors become answers. Cost: a search is linear in the resources of its type.
  public func handle(_ request: MockRequest) -> MockResponse {
    var response = answer(request)
    if request.method == "HEAD" { response.body = [] }
    return response
  }

  /// As `handle`, but the answer to HEAD has the body whose length a listener must tell.
  func answer(_ request: MockRequest) -> MockResponse {
    guarded.withLock { guarded in
      let mark = guarded.state.mark
      let response = guarded.state.respond(to: request, baseURL: baseURL)
      do {
        try guarded.journal?.record(guarded.state, since: mark)
        return response
      } catch {
        guarded.state.cut(to: mark, isTransaction: true)
        return Refusal(500, "exception", "the journal could not be written: \(error)").answer.response()
      }
    }
  }

  // MARK: Tests look inside

  /// The profile, which may be changed between requests.
  public var profile: MockProfile {
    get { guarded.withLock { $0.state.profile } }
    set { guarded.withLock { $0.state.profile = newValue } }
  }

  /// The server's clock.
  public var clock: MockClock {
    get { guarded.withLock { $0.state.clock } }
    set { guarded.withLock { $0.state.clock = newValue } }
  }

  /// Moves the server's clock.
  public func advanceClock(seconds: Double) {
    guarded.withLock { $0.state.clock.advance(Int64(seconds * 1000)) }
  }

  /// Every write that was applied, oldest first. Copies in constant time.
  public var log: [MockLogEntry] { guarded.withLock { $0.state.log } }

  /// The last 10,000 requests, oldest first, control requests excepted.
  public var exchanges: [MockExchange] { guarded.withLock { $0.state.exchanges } }

  /// The current document of a resource, or nil if there is none or it was deleted.
  public func resource(_ type: String, _ id: String) -> JSONValue? {
    guarded.withLock { $0.state.current(MockKey(type, id))?.resource }
  }

  /// The current documents of a type, in the order of their creation.
  public func resources(_ type: String) -> [JSONValue] {
    guarded.withLock { guarded in
      (guarded.state.order[type] ?? []).compactMap { guarded.state.current(MockKey(type, $0))?.resource }
    }
  }

  /// How many resources of each type there are.
  public var counts: [String: Int] {
    guarded.withLock { guarded in
      var counts: [String: Int] = [:]
      for (type, ids) in guarded.state.order {
        let count = ids.count { guarded.state.current(MockKey(type, $0)) != nil }
        if count > 0 { counts[type] = count }
      }
      return counts
    }
  }

  // MARK: Tests make things happen

  /// Adds faults, after those that are there.
  public func add(_ faults: MockFault...) { guarded.withLock { $0.state.faults.add(faults) } }

  /// Adds faults, after those that are there.
  public func add(_ faults: [MockFault]) { guarded.withLock { $0.state.faults.add(faults) } }

  /// Removes all faults.
  public func removeFaults() { guarded.withLock { $0.state.faults = Script<MockFault>() } }

  /// Remembers the present as a backup of that name.
  public func snapshot(_ name: String = "default") {
    guarded.withLock { $0.state.snapshots[name] = $0.state.mark }
  }

  /// Goes back to a backup, as when a server is restored: later versions never were. False if there is no backup of that name. The truth log
  /// keeps what had been applied.
  public func restore(_ name: String = "default") -> Bool {
    guarded.withLock { guarded in
      guard guarded.state.restore(name) else { return false }
      try? guarded.journal?.record(guarded.state, since: .max)
      return true
    }
  }

  // MARK: Content and journal

  /// Takes records as if they had always been there: see `MockLoader`. They get distinct times just before the clock's present, and are not in
  /// the truth log.
  package func load(_ records: [LoadedRecord]) throws(MockJournalError) {
    try guarded.withLock { guarded throws(MockJournalError) in
      let mark = guarded.state.mark
      let now = guarded.state.clock.now
      for (index, record) in records.enumerated() {
        guarded.state.load(record.resource, at: record.key, time: now - Int64(records.count - index))
      }
      do throws(MockJournalError) {
        try guarded.journal?.record(guarded.state, since: mark)
      } catch {
        guarded.state.cut(to: mark, isTransaction: false)
        throw error
      }
    }
  }

  /// Loads resources, and the entries of Bundles, as `MockLoader` does: by their own ids, not in the truth log. False if a journal is kept and
  /// could not be written; then nothing is loaded.
  @discardableResult
  public func load(_ resources: [JSONValue]) -> Bool {
    var loader = MockLoader()
    for (index, resource) in resources.enumerated() { loader.add(resource, from: "\(index)") }
    do {
      try load(loader.records)
      return true
    } catch {
      return false
    }
  }

  /// From now on every applied write is in the journal, on disk, before its answer is given. What the journal holds is replayed first.
  /// - Returns: whether the journal already held a complete first load.
  package func open(_ journal: MockJournal) throws(MockJournalError) -> Bool {
    try guarded.withLock { guarded throws(MockJournalError) in
      let isLoaded = try journal.replay(into: &guarded.state)
      guarded.journal = journal
      return isLoaded
    }
  }

  /// Marks the first load as complete in the journal.
  package func finishLoading() throws(MockJournalError) {
    try guarded.withLock { guarded throws(MockJournalError) in try guarded.journal?.finishLoading() }
  }
}

extension MockState {
  /// Goes back to a named point. False if there is none.
  mutating func restore(_ name: String) -> Bool {
    guard let mark = snapshots[name] else { return false }
    cut(to: mark, isTransaction: false)
    snapshots = snapshots.filter { $0.value <= mark }
    pages = PageTable()
    return true
  }
}
