import Domain
import JSON
import Synchronization

/// Asks the server about what readers look at; one question at a time for each thing, shared by all who ask.
final class Revalidator: Sendable {
  let store: Store
  let client: FHIRClient
  private let running = Mutex<[String: SharedWork]>([:])

  init(store: Store, client: FHIRClient) {
    self.store = store
    self.client = client
  }

  /// Reads one resource again, if it changed.
  ///
  /// - Returns: What the server warned of.
  func revalidate(_ key: ResourceKey) async throws(AppError) -> [String] {
    try await shared(key.description) { [store, client] () async throws(AppError) in
      let (record, asked, mayAsk) = try await store.read { transaction throws(AppError) in
        (
          try transaction.resource(key), try transaction.readMark(),
          try transaction.outboxEntries(on: key).first?.kind != .create
        )
      }
      // What the server does not have yet, it cannot be asked for.
      guard mayAsk else { return [] }
      let current = record?.key ?? key
      let answer = try await client.reading(current.description, unless: record?.entityTag)
      if answer.status == 403 {
        _ = try await store.write(durability: .normal) { transaction throws(AppError) in
          try transaction.withhold(current)
        }
      }
      try await store.write(durability: .normal) { transaction throws(AppError) in
        try transaction.take(answer, for: current, asked: asked)
      }
      return []
    }
  }

  /// Pulls what changed of a scope.
  ///
  /// - Returns: What the server warned of.
  func revalidate(_ scope: PullScope) async throws(AppError) -> [String] {
    try await shared(scope.name) { [store, client] () async throws(AppError) in
      let puller = Puller(store: store, client: client, progress: { _, _, _ in })
      let result = try await puller.pull(PullPass(scope), mayGoOn: { true })
      switch result.failure {
      case nil: return result.warnings
      case .halt(let halt)?: throw halt.error
      case .unavailable(let reason)?: throw AppError(.refused, reason)
      case .stopped?: throw AppError(.cancelled, "the refresh was stopped")
      }
    }
  }

  /// How many wait for what is under way.
  var waiting: Int { running.withLock { running in running.values.reduce(0) { $0 + $1.waiting } } }

  /// Runs `work`, or waits for the same work that already runs.
  private func shared(_ name: String, _ work: @escaping @Sendable () async throws(AppError) -> [String])
    async throws(AppError) -> [String]
  {
    let (mine, isNew) = running.withLock { running in
      if let found = running[name] { return (found, false) }
      let made = SharedWork()
      running[name] = made
      return (made, true)
    }
    if isNew {
      // On its own: it goes on when the reader who began it leaves while others wait.
      _ = store.effects.spawner.spawn { [self] in
        let result: Result<[String], AppError>
        do throws(AppError) { result = .success(try await work()) } catch { result = .failure(error) }
        running.withLock { running in running[name] = nil }
        mine.finish(result)
      }
    }
    return try await mine.wait()
  }
}

/// Work that several wait for.
private final class SharedWork: Sendable {
  private struct State {
    var result: Result<[String], AppError>?
    var waiting: [Int: CheckedContinuation<Result<[String], AppError>, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// How many wait.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits for the end, or for the cancellation of the waiter.
  func wait() async throws(AppError) -> [String] {
    let ticket = state.withLock { state in
      state.next += 1
      return state.next
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Result<[String], AppError>? in
          if let result = state.result { return result }
          if Task.isCancelled { return .failure(Self.cancelled) }
          state.waiting[ticket] = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: .failure(Self.cancelled))
    }
    return try result.get()
  }

  func finish(_ result: Result<[String], AppError>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  private static let cancelled = AppError(.cancelled, "the refresh was cancelled")
}

extension FHIRClient {
  /// Reads a target; failures in the user's terms.
  func reading(_ target: String, unless etag: String?) async throws(AppError) -> FHIRAnswer {
    do throws(TransportError) { return try await read(target, unless: etag) } catch { throw AppError(error) }
  }
}

extension Engine.Halt {
  /// The halt as an error.
  var error: AppError {
    switch self {
    case .unreachable(let error), .notFHIR(let error): error
    case .signIn:
      AppError(.signInNeeded, "the server asks for a sign-in", hint: "set CLINIC_TOKEN_FILE, then sync again")
    case .throttled:
      // Until when is told where the clinic's zone is known: "sync status" and the report of a sync.
      AppError(.throttled, "the server asks to come back later", hint: "sync status tells when")
    }
  }
}

extension StoreTransaction {
  /// Takes the answer to a read of one resource.
  func take(_ answer: FHIRAnswer, for key: ResourceKey, asked: ReadMark) throws(AppError) {
    switch answer.status {
    case 304:
      try run(
        "UPDATE resource SET confirmed = ?, withheld = NULL WHERE type = ? AND id = ?",
        [.integer(nowMilliseconds), .text(key.type), .text(key.id)])
      try noteReappearance(of: key)
      note(key)
    case 200:
      guard let document = answer.resource(type: key.type, id: key.id) else {
        throw AppError(.notFHIR, ServerWords.describe(answer))
      }
      _ = try receive(ServerDocument(key: key, document: document, etag: answer.etag?.text), asked: asked)
      note(key)
    case 404, 410:
      guard answer.isEmpty || answer.document != nil else { throw AppError(.notFHIR, ServerWords.describe(answer)) }
      if let record = try resource(key), record.state == .present {
        if answer.status == 404, try mayBeLost(record) {
          _ = try receiveLoss(record, asked: asked)
        } else {
          _ = try deleteLocally([key], asked: asked)
        }
      } else if try resource(key) != nil {
        try run("UPDATE resource SET refresh = 0 WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)])
      } else {
        throw AppError(
          answer.status == 410 ? .deleted : .notFound,
          answer.status == 410 ? "\(key) was deleted at the server" : "the server does not know \(key)")
      }
    case 401: throw Engine.Halt.signIn.error
    case 403: throw AppError(.forbidden, ServerWords.describe(answer))
    case 429, 503: throw AppError(.throttled, ServerWords.describe(answer))
    case 500...: throw AppError(.serverFailure, ServerWords.describe(answer))
    default: throw ServerWords.halt(answer)?.error ?? AppError(.refused, ServerWords.describe(answer))
    }
  }
}
