import Domain
import JSON
import Synchronization

/// The shell around ``Engine``: claims in the store, sends, reads, and commits what the answers decide.
struct OutboxDrainer: Sendable {
  let store: Store
  let client: FHIRClient
  let sender: Engine.Sender
  let limits: Engine.Limits
  /// Whether there is time for more requests.
  let mayGoOn: @Sendable () -> Bool
  /// Called after every commit of answers, with how many entries have been settled for good.
  let progress: @Sendable (Int) -> Void

  /// Why a pass ended.
  struct Ending: Sendable {
    var halt: Engine.Halt?
    var settled: Int
  }

  /// Sends what can be sent. The caller holds the sync lock.
  ///
  /// Cancelling the task ends the pass once the answers in hand are committed or their requests are given up; an entry
  /// whose request was given up is found out about later.
  func drain() async throws(AppError) -> Ending {
    let subscription = store.hub.subscribe()
    defer { subscription.cancel() }
    let result = await withTaskGroup(of: Void.self) { group -> Result<Ending, AppError> in
      defer { group.cancelAll() }
      do throws(AppError) { return .success(try await drain(&group, subscription)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func drain(_ group: inout TaskGroup<Void>, _ subscription: ChangeHub.Subscription)
    async throws(AppError) -> Ending
  {
    var knowledge = try await self.knowledge()
    var limits = limits
    limits.sendsTogether = knowledge.hasTransactions
    var engine = Engine(sender: sender, limits: limits)
    if let until = knowledge.throttledUntil, until > now {
      _ = engine.step(.halted(.throttled(until: until)), now: now)
    }
    let answers = AnswerBuffer()
    var settled = 0
    var queue = try await load(knowledge)
    var effects = engine.step(.loaded(queue.entries), now: now)
    var isListening = false
    while true {
      if Task.isCancelled || !mayGoOn() { effects += engine.step(.stopRequested, now: now) }
      var events: [Engine.Event] = []
      for effect in effects {
        switch effect {
        case .send(let numbers):
          let claims = try await claim(numbers, knowledge)
          events += Set(numbers).subtracting(claims.map(\.entry.number)).sorted().map(Engine.Event.finished)
          for claim in claims {
            group.addTask { [knowledge] in answers.append(await send(claim, knowledge)) }
          }
        case .sendTogether(let numbers):
          let claims = try await claim(numbers, knowledge)
          events += Set(numbers).subtracting(claims.map(\.entry.number)).sorted().map(Engine.Event.finished)
          group.addTask { for answer in await sendTogether(claims, of: numbers.count) { answers.append(answer) } }
        case .resolve(let number):
          group.addTask { [knowledge] in answers.append(await resolve(number, knowledge)) }
        case .refresh(let key):
          group.addTask { answers.append(await refresh(key)) }
        case .sleep(let until):
          // By the timer: a clock that is set back meanwhile does not make the wait longer. In small steps, so that a
          // request to end is heard, and what is written meanwhile, here or elsewhere.
          let timer = store.effects.timer
          let end = timer.now() + .milliseconds(until - now)
          while timer.now() < end, mayGoOn(), !Task.isCancelled, await !store.hasWritten(after: queue.mark) {
            try? await timer.sleep(min(.milliseconds(250), end - timer.now()))
          }
        case .reload: break
        case .end:
          return Ending(halt: engine.halt, settled: settled)
        }
      }
      for event in events { _ = engine.step(event, now: now) }
      if engine.inHand > 0 {
        if !isListening, !Task.isCancelled {
          isListening = true
          group.addTask { [mark = queue.mark] in
            await store.waitForWriting(after: mark, subscription)
            answers.noteWriting()
          }
        }
        await group.next()
        let (taken, hasNews) = answers.takeAll()
        if hasNews { isListening = false }
        guard hasNews || !taken.isEmpty else {
          effects = []
          continue
        }
        let committed = try await commit(taken)
        if committed.learned { knowledge = try await self.knowledge() }
        for event in committed.events { _ = engine.step(event, now: now) }
        settled += taken.count { $0.isAcceptance }
        if !taken.isEmpty { progress(settled) }
      }
      queue = try await load(knowledge)
      effects = engine.step(.loaded(queue.entries), now: now)
    }
  }

  private func knowledge() async throws(AppError) -> ServerKnowledge {
    try await store.read { transaction throws(AppError) in try transaction.serverKnowledge() }
  }

  private var now: Int64 { store.effects.clock.now().milliseconds }

  private func load(_ knowledge: ServerKnowledge) async throws(AppError) -> (entries: [Engine.Entry], mark: Int64) {
    try await store.read { transaction throws(AppError) in
      (try transaction.engineEntries(server: knowledge), try transaction.writtenMark())
    }
  }
}

/// What one piece of work found.
struct DrainAnswer: Sendable {
  enum Subject: Sendable {
    /// An entry, with the attempt that was answered.
    case entry(OutboxNumber, attempt: String?, Decision)
    /// The server's document of a resource that had to be read, with the mark from before.
    case document(ResourceKey, ServerDocument?, asked: ReadMark?, halt: Engine.Halt?)
    /// An entry about which there is nothing to decide any more.
    case nothing(OutboxNumber)
    /// The store failed.
    case failed(AppError)
  }

  var subject: Subject

  var isAcceptance: Bool {
    if case .entry(_, _, let decision) = subject, case .accepted = decision.settlement { true } else { false }
  }
}

/// Answers that wait for their commit: many are committed together. And whether something was written meanwhile.
private final class AnswerBuffer: Sendable {
  private let state = Mutex((answers: [DrainAnswer](), hasNews: false))

  func append(_ answer: DrainAnswer) {
    state.withLock { $0.answers.append(answer) }
  }

  func noteWriting() {
    state.withLock { $0.hasNews = true }
  }

  func takeAll() -> (answers: [DrainAnswer], hasNews: Bool) {
    state.withLock { state in
      defer { state = ([], false) }
      return state
    }
  }
}
