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
    let result = await withTaskGroup(of: Void.self) { group -> Result<Ending, AppError> in
      do throws(AppError) { return .success(try await drain(&group)) } catch {
        group.cancelAll()
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func drain(_ group: inout TaskGroup<Void>) async throws(AppError) -> Ending {
    var knowledge = try await self.knowledge()
    var limits = limits
    limits.sendsTogether = knowledge.hasTransactions
    var engine = Engine(sender: sender, limits: limits)
    if let until = knowledge.throttledUntil, until > now {
      _ = engine.step(.halted(.throttled(until: until)), now: now)
    }
    let answers = AnswerBuffer()
    var settled = 0
    var effects = engine.step(.loaded(try await load(knowledge)), now: now)
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
          // In small steps, so that a request to end is heard.
          while now < until, mayGoOn(), !Task.isCancelled {
            try? await store.effects.timer.sleep(.milliseconds(min(250, until - now)))
          }
        case .reload: break
        case .end:
          return Ending(halt: engine.halt, settled: settled)
        }
      }
      for event in events { _ = engine.step(event, now: now) }
      if engine.inHand > 0 {
        await group.next()
        let taken = answers.takeAll()
        guard !taken.isEmpty else {
          effects = []
          continue
        }
        let committed = try await commit(taken)
        if committed.learned { knowledge = try await self.knowledge() }
        for event in committed.events { _ = engine.step(event, now: now) }
        settled += taken.count { $0.isAcceptance }
        progress(settled)
      }
      effects = engine.step(.loaded(try await load(knowledge)), now: now)
    }
  }

  private func knowledge() async throws(AppError) -> ServerKnowledge {
    try await store.read { transaction throws(AppError) in try transaction.serverKnowledge() }
  }

  private var now: Int64 { store.effects.clock.now().milliseconds }

  private func load(_ knowledge: ServerKnowledge) async throws(AppError) -> [Engine.Entry] {
    try await store.read { transaction throws(AppError) in try transaction.engineEntries(server: knowledge) }
  }
}

/// What one piece of work found.
struct DrainAnswer: Sendable {
  enum Subject: Sendable {
    /// An entry, with the attempt that was answered.
    case entry(OutboxNumber, attempt: String?, Decision)
    /// The server's document of a resource that had to be read.
    case document(ResourceKey, ServerDocument?, halt: Engine.Halt?)
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

/// Answers that wait for their commit: many are committed together.
private final class AnswerBuffer: Sendable {
  private let answers = Mutex<[DrainAnswer]>([])

  func append(_ answer: DrainAnswer) {
    answers.withLock { $0.append(answer) }
  }

  func takeAll() -> [DrainAnswer] {
    answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }
}
