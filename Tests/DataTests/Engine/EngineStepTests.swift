import Data
import Domain
import TestSupport
import Testing

@Suite("Engine: what goes now, and what waits for what")
struct EngineStepTests {
  static let nora = Author.operatingSystemUser("nora")
  static let omar = Author.operatingSystemUser("omar")

  static func entry(
    _ number: OutboxNumber, _ id: String, _ kind: OutboxEntry.Kind = .update, _ state: OutboxEntry.State = .pending,
    action: String? = nil, author: Author = nora, notBefore: Int64? = nil, resolvableFrom: Int64? = nil,
    creates: [OutboxNumber] = [], refresh: Bool = false
  ) -> Engine.Entry {
    Engine.Entry(
      number: number, action: action ?? "a\(number)", key: ResourceKey(type: "Patient", id: id), kind: kind,
      state: state, author: author, notBefore: notBefore, resolvableFrom: resolvableFrom, creates: creates,
      needsRefresh: refresh)
  }

  static func engine(service: Bool = false, _ change: (inout Engine.Limits) -> Void = { _ in }) -> Engine {
    var limits = Engine.Limits()
    limits.waitsForBackoff = true
    change(&limits)
    return Engine(sender: Engine.Sender(author: nora, isService: service), limits: limits)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var entries: [Engine.Entry]
    var effects: [Engine.Effect]
    var now: Int64 = 1_000
    var isService = false
    var ignoresBackoff = false

    init(
      _ name: String, _ entries: [Engine.Entry], _ effects: [Engine.Effect], service: Bool = false,
      ignoringBackoff: Bool = false
    ) {
      (testDescription, self.entries, self.effects) = (name, entries, effects)
      (isService, ignoresBackoff) = (service, ignoringBackoff)
    }
  }

  static let cases: [Case] = [
    Case("an empty queue ends the pass", [], [.end]),
    Case("different records go together", [entry(1, "a"), entry(2, "b")], [.send([1, 2])]),
    Case("one record goes in order", [entry(1, "a"), entry(2, "a"), entry(3, "b")], [.send([1, 3])]),
    Case(
      "a retry keeps its place", [entry(1, "a", notBefore: 2_000), entry(2, "a"), entry(3, "b")], [.send([3])]),
    Case(
      "what is in review holds its own record only", [entry(1, "a", .update, .review), entry(2, "a"), entry(3, "b")],
      [.send([3])]),
    Case("nothing but reviews ends the pass", [entry(1, "a", .update, .review), entry(2, "a")], [.end]),
    Case(
      "what refers waits for the create", [entry(1, "a", .create), entry(2, "b", creates: [1])], [.send([1])]),
    Case(
      "and is not held by one that is gone", [entry(2, "b", creates: [1])], [.send([2])]),
    Case(
      "a refused create holds what refers to it",
      [entry(1, "a", .create, .review), entry(2, "b", creates: [1]), entry(3, "c")], [.send([3])]),
    Case(
      "one action goes in order", [entry(1, "a", action: "x"), entry(2, "b", action: "x"), entry(3, "c")],
      [.send([1, 3])]),
    Case(
      "an action stops with its refused entry",
      [entry(1, "a", .update, .review, action: "x"), entry(2, "b", action: "x"), entry(3, "c")], [.send([3])]),
    Case("another's entries wait for them", [entry(1, "a", author: omar), entry(2, "b")], [.send([2])]),
    Case("a service sends for all", [entry(1, "a", author: omar), entry(2, "b")], [.send([1, 2])], service: true),
    Case(
      "another's entry holds mine on the same record", [entry(1, "a", author: omar), entry(2, "a")], [.end]),
    Case("a short wait is waited", [entry(1, "a", notBefore: 5_000)], [.sleep(until: 5_000)]),
    Case(
      "the earliest of two waits counts", [entry(1, "a", notBefore: 5_000), entry(2, "b", notBefore: 3_000)],
      [.sleep(until: 3_000)]),
    Case("a long wait ends the pass", [entry(1, "a", notBefore: 200_000)], [.end]),
    Case("told to retry now, nothing waits", [entry(1, "a", notBefore: 200_000)], [.send([1])], ignoringBackoff: true),
    Case(
      "a wait that no pause can have come to is over: the clock was set back",
      [entry(1, "a", notBefore: 900_000_000_000)], [.send([1])]),
    Case("an ambiguous entry is found out", [entry(1, "a", .update, .ambiguous), entry(2, "a")], [.resolve(1)]),
    Case(
      "what went together with a refused create is found out all the same, so that the create can be taken back",
      [entry(1, "a", .create, .review), entry(2, "b", .create, .ambiguous, creates: [1])], [.resolve(2)]),
    Case(
      "and what went together with a refused entry of its action",
      [entry(1, "a", .update, .review, action: "x"), entry(2, "b", .update, .ambiguous, action: "x")], [.resolve(2)]),
    Case(
      "but not before the server's search has caught up, however impatient we are",
      [entry(1, "a", .create, .ambiguous, resolvableFrom: 16_000)], [.sleep(until: 16_000)], ignoringBackoff: true),
    Case(
      "an update on what must be read is read first", [entry(1, "a", refresh: true), entry(2, "b")],
      [.refresh(ResourceKey(type: "Patient", id: "a")), .send([2])]),
  ]

  @Test("first step", arguments: cases)
  func firstStep(_ example: Case) {
    var engine = Self.engine(service: example.isService) { $0.ignoresBackoff = example.ignoresBackoff }
    #expect(engine.step(.loaded(example.entries), now: example.now) == example.effects)
  }

  @Test("every entry leads to an effect, a time, or a stated obstacle: nothing is lost in waiting", arguments: 0..<200)
  func totality(seed: UInt64) {
    var state = seed &+ 3
    func below(_ bound: UInt64) -> UInt64 { SplitMix.next(&state) % bound }
    var entries: [Engine.Entry] = []
    for number in 1...Int64(1 + below(12)) {
      let stored: [OutboxEntry.State] = [.pending, .pending, .ambiguous, .review]
      entries.append(
        Self.entry(
          number, String(below(4)), [.create, .update, .delete][Int(below(3))], stored[Int(below(4))],
          action: String(below(8)), author: below(5) == 0 ? Self.omar : Self.nora,
          notBefore: below(3) == 0 ? Int64(below(60_000)) : nil,
          creates: below(3) == 0 && number > 1 ? [Int64(below(UInt64(number - 1))) + 1] : [], refresh: below(5) == 0))
    }
    var engine = Self.engine { $0.sendsTogether = seed % 2 == 0 }
    var now: Int64 = 1_000
    var effects = engine.step(.loaded(entries), now: now)
    var steps = 0
    while effects != [.end] {
      steps += 1
      guard steps < 200 else {
        Issue.record("no end: \(effects) of \(entries)")
        return
      }
      for effect in effects {
        switch effect {
        case .send(let numbers), .sendTogether(let numbers):
          entries.removeAll { numbers.contains($0.number) }
          for number in numbers { _ = engine.step(.finished(number), now: now) }
        case .resolve(let number):
          if let index = entries.firstIndex(where: { $0.number == number }) { entries[index].state = .pending }
          _ = engine.step(.finished(number), now: now)
        case .refresh(let key):
          for index in entries.indices where entries[index].key == key { entries[index].needsRefresh = false }
          _ = engine.step(.refreshed(key), now: now)
        case .sleep(let until): now = until
        case .reload, .end: break
        }
      }
      effects = engine.step(.loaded(entries), now: now)
    }
    let obstacles = Obstacles(entries, sender: Engine.Sender(author: Self.nora))
    let stuck = entries.filter {
      $0.state != .review && obstacles.obstacle(to: $0) == nil && ($0.notBefore ?? 0) - now <= 30_000
    }
    #expect(stuck == [])
  }

  @Test("a failed attempt of this pass waits, also when told to retry now: no hot loop")
  func retriedOnce() {
    var engine = Self.engine { $0.ignoresBackoff = true }
    #expect(engine.step(.loaded([Self.entry(1, "a", notBefore: 9_000)]), now: 1_000) == [.send([1])])
    #expect(engine.step(.finished(1), now: 1_000) == [.reload])
    #expect(engine.step(.loaded([Self.entry(1, "a", notBefore: 9_000)]), now: 1_000) == [.sleep(until: 9_000)])
  }

  @Test("a pass that does not wait for its own failures ends, and leaves them to the next")
  func noWaiting() {
    var engine = Self.engine { $0.waitsForBackoff = false }
    #expect(engine.step(.loaded([Self.entry(1, "a", notBefore: 9_000)]), now: 1_000) == [.end])
  }

  @Test("entries of one action go together where the server has transactions, once all of them may")
  func together() {
    let group = [Self.entry(1, "a", .create, action: "x"), Self.entry(2, "b", .create, action: "x", creates: [1])]
    func first(_ entries: [Engine.Entry], transactions: Bool = true) -> [Engine.Effect] {
      var engine = Self.engine { $0.sendsTogether = transactions }
      return engine.step(.loaded(entries), now: 0)
    }
    #expect(first(group + [Self.entry(3, "c")]) == [.sendTogether([1, 2]), .send([3])])
    #expect(first(group, transactions: false) == [.send([1])])
    #expect(first([group[0], Self.entry(2, "a", action: "x")]) == [.send([1])])
    #expect(first([group[0], Self.entry(2, "b", action: "x", notBefore: 5_000)]) == [.send([1])])
  }

  @Test("a failed reading of this pass waits too")
  func refreshedOnce() {
    var engine = Self.engine { $0.ignoresBackoff = true }
    let key = ResourceKey(type: "Patient", id: "a")
    #expect(engine.step(.loaded([Self.entry(1, "a", refresh: true)]), now: 1_000) == [.refresh(key)])
    _ = engine.step(.refreshed(key), now: 1_000)
    let again = [Self.entry(1, "a", notBefore: 9_000, refresh: true)]
    #expect(engine.step(.loaded(again), now: 1_000) == [.sleep(until: 9_000)])
  }

  @Test("a halt ends the pass when what is in hand is done, and starts nothing")
  func halts() {
    var engine = Self.engine()
    let queue = [Self.entry(1, "a"), Self.entry(2, "a"), Self.entry(3, "b")]
    #expect(engine.step(.loaded(queue), now: 0) == [.send([1, 3])])
    #expect(engine.step(.halted(.signIn), now: 0) == [])
    _ = engine.step(.finished(1), now: 0)
    #expect(engine.step(.loaded(queue), now: 0) == [])
    _ = engine.step(.finished(3), now: 0)
    #expect(engine.step(.loaded(queue), now: 0) == [.end])
  }

  @Test("no more than the allowed number of requests is in flight")
  func inFlight() {
    var engine = Self.engine { $0.inFlight = 3 }
    let queue = (1...10).map { Self.entry($0, "p\($0)") }
    #expect(engine.step(.loaded(queue), now: 0) == [.send([1, 2, 3])])
    _ = engine.step(.finished(2), now: 0)
    #expect(engine.step(.loaded(queue.filter { $0.number != 2 }), now: 0) == [.send([4])])
  }

  @Test("what keeps an entry is said in words that name it")
  func words() {
    let queue = [
      Self.entry(1, "a", .create, .review), Self.entry(2, "a"), Self.entry(3, "b", creates: [1]),
      Self.entry(4, "c", action: "x"), Self.entry(5, "d", action: "x"), Self.entry(6, "e", author: Self.omar),
    ]
    let obstacles = Obstacles(queue, sender: Engine.Sender(author: Self.nora))
    let found = queue.map { obstacles.obstacle(to: $0) }
    #expect(found == [nil, .review(1), .createInReview(1), nil, .action(4), .otherAuthor(Self.omar)])
    #expect(found.compactMap { $0?.words }.allSatisfy { !$0.isEmpty })
  }
}
