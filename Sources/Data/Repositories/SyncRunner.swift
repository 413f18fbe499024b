import Domain
import JSON
import Synchronization

/// ``SyncRepository`` over the store and the server.
struct SyncRunner: SyncRepository {
  let context: StoreContext
  let client: FHIRClient?
  let sender: @Sendable () -> Engine.Sender
  /// A sync that is asked for waits for the one behind the session.
  let turn = PassTurn()
  /// How a sync is asked to end.
  let stop = StopSwitch()
  /// What names this process to others, e.g. `process 4711 on desk-2`.
  let processName: String

  /// How long a CapabilityStatement is believed, in milliseconds.
  static let capabilityLifetime: Int64 = 3_600_000

  var store: Store { context.store }

  func sync(_ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void)
    async throws(AppError) -> SyncReport
  {
    guard let client else {
      throw AppError(.noServer, "no server is configured", hint: "give --server URL or set CLINIC_SERVER")
    }
    let log = try options.logFile.map { path throws(AppError) in
      try SyncLog(path: path, clock: store.effects.clock)
    }
    stop.begin()
    defer { stop.end() }
    await turn.take()
    defer { turn.give() }
    let window = SyncRun(
      startedAt: store.effects.timer.now(), limit: options.maximumTime, byteLimit: options.maximumBytes)
    log?.began(processName)
    do throws(AppError) {
      let lock = try await takeLock(options, window)
      defer { lock.release() }
      var passes = 0
      while true {
        let began = store.effects.timer.now()
        let report = try await pass(client.metered(by: window.meter), options, window, progress)
        log?.ended(report, seconds: (store.effects.timer.now() - began) / .seconds(1))
        passes += 1
        guard options.untilEmpty, let pause = try await pause(after: report, passes: passes),
          await rest(pause, in: window)
        else { return report }
      }
    } catch {
      log?.failed(error)
      throw error
    }
  }

  /// One pass under the lock.
  private func pass(
    _ client: FHIRClient, _ options: SyncOptions, _ window: SyncRun,
    _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws(AppError) -> SyncReport {
    var run = window
    do throws(AppError) {
      try await StoreIdentity.check(store)
      _ = try await store.write { transaction throws(AppError) in try transaction.recoverClaims() }
      FailPoint.recoveryCommitted.pass()
      (run.before, run.attemptsBefore) = try await marks()
      run.halt = try await prepare(client)
      let sender = sender()
      try await store.write { transaction throws(AppError) in
        if sender.isService { try transaction.attributeForeign(to: sender.author) }
        try transaction.dropUnwantedAuthorships()
      }
      if run.halt == nil, options.pushes { try await push(client, options, &run, progress) }
      if run.halt == nil, options.pulls { try await pull(client, &run, progress) }
    } catch {
      if error.code == .cancelled { throw Self.interrupted }
      try? await note(complete: false, error)
      throw error
    }
    let report = try await report(run)
    try await note(complete: report.outcome == .complete && options.pulls, report.error)
    try await store.checkpointIfLarge()
    return report
  }

  private static let interrupted = AppError(
    .cancelled, "the sync was interrupted; what was on its way will be checked", hint: "sync again")

  func requestStop() -> Bool { stop.request() }

  /// Does something while no pass of this process is under way; one that is finishes what it has in hand first.
  func between(_ work: @Sendable () -> Void) async {
    _ = stop.request()
    await turn.take()
    work()
    turn.give()
    // What the next one left unsent earlier may go now.
    try? await store.write(durability: .normal) { transaction throws(AppError) in transaction.noteOutbox() }
  }

  /// Whether there is time for more, and nobody asked for an end.
  func mayGoOn(_ run: SyncRun) -> @Sendable () -> Bool {
    { [timer = store.effects.timer, stop] in run.mayGoOn(timer.now()) && !stop.isRequested }
  }

  private func takeLock(_ options: SyncOptions, _ window: SyncRun) async throws(AppError) -> SyncLock {
    let note = "\(processName), since \(store.effects.clock.now().utcText)"
    while true {
      do throws(AppError) { return try SyncLock.take(store.files.lock, note: note) } catch {
        guard error.code == .syncRunning, options.waits, await rest(.milliseconds(250), in: window) else { throw error }
      }
    }
  }

  /// How long to wait before the next pass; `nil` when there is nothing that another one could do.
  private func pause(after report: SyncReport, passes: Int) async throws(AppError) -> Duration? {
    switch report.outcome {
    case .signInNeeded: return nil
    case .unreachable(let error) where !error.traits.contains(.mayRetry): return nil
    case .unreachable, .throttled, .complete, .needsReview, .unfinished: break
    }
    let sender = sender()
    let isLeft = try await store.read { transaction throws(AppError) in
      let queue = try transaction.engineEntries(server: try transaction.serverKnowledge())
      let obstacles = Obstacles(queue, sender: sender)
      return queue.contains { $0.state != .review && obstacles.obstacle(to: $0) == nil }
    }
    guard isLeft else { return nil }
    if case .throttled(let until) = report.outcome {
      return .milliseconds(max(1_000, until.milliseconds - store.effects.clock.now().milliseconds))
    }
    return .seconds(min(60, 1 << min(passes, 6)))
  }

  /// Waits, in small steps, so that a request to end is heard.
  ///
  /// - Returns: whether it waited to the end.
  private func rest(_ duration: Duration, in window: SyncRun) async -> Bool {
    let end = store.effects.timer.now() + duration
    while true {
      let now = store.effects.timer.now()
      guard mayGoOn(window)(), !Task.isCancelled else { return false }
      guard now < end else { return true }
      let step = min(end - now, .milliseconds(250), window.left(now) ?? .milliseconds(250))
      do { try await store.effects.timer.sleep(step) } catch { return false }
    }
  }

  /// Learns what the server can do, unless it is known or the server asked for silence.
  private func prepare(_ client: FHIRClient) async throws(AppError) -> Engine.Halt? {
    let now = store.effects.clock.now().milliseconds
    let (knowledge, readAt) = try await store.read { transaction throws(AppError) in
      (try transaction.serverKnowledge(), try transaction.capabilitiesReadAt())
    }
    if let until = knowledge.throttledUntil, until > now { return .throttled(until: until) }
    if let readAt, readAt <= now, now - readAt < Self.capabilityLifetime { return nil }
    let answer: FHIRAnswer
    do throws(TransportError) { answer = try await client.read("metadata") } catch {
      return error.kind == .noToken ? .signIn : .unreachable(AppError(error))
    }
    if let halt = ServerWords.halt(answer) {
      // A server may show people a page where programs ask what it can do, and still be one.
      guard answer.looksLikeAnotherServer, await answersSearches(client) else { return halt }
    } else if answer.status >= 500 || [408, 425, 429].contains(answer.status) {
      if let pause = answer.retryAfter {
        // The clock may have been set while the server took its time.
        let until = store.effects.clock.now().milliseconds + min(pause.milliseconds, Throttle.longest)
        try await store.write { transaction throws(AppError) in try transaction.throttle(until: until) }
        return .throttled(until: until)
      }
      return .unreachable(AppError(.serverFailure, ServerWords.describe(answer), hint: "sync again later"))
    }
    // Whatever else comes is a server that does not tell: it is taken for one that does the least.
    let statement = answer.document.flatMap {
      CapabilityReader.read($0) == nil ? Optional.none : CapabilityDigest.make($0)
    }
    try await store.write { transaction throws(AppError) in try transaction.storeCapabilities(statement) }
    return nil
  }

  private func answersSearches(_ client: FHIRClient) async -> Bool {
    let answer = try? await client.read("Patient?\(SearchQuery.encode([("_count", "1")]))")
    return answer?.status == 200 && answer?.resourceType == "Bundle"
  }

  private func push(
    _ client: FHIRClient, _ options: SyncOptions, _ run: inout SyncRun,
    _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws(AppError) {
    let total = try await store.read { transaction throws(AppError) in try transaction.outboxCount() }
    guard total > 0 else { return }
    var limits = Engine.Limits()
    limits.ignoresBackoff = options.retriesNow
    limits.patience = min(limits.patience, run.left(store.effects.timer.now())?.milliseconds ?? limits.patience)
    let drainer = OutboxDrainer(
      store: store, client: client, sender: sender(), limits: limits,
      mayGoOn: mayGoOn(run),
      progress: { settled in progress(.pushing(settled: settled, of: total)) })
    run.halt = try await drainer.drain().halt
  }

  private func pull(
    _ client: FHIRClient, _ run: inout SyncRun, _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws(AppError) {
    let puller = Puller(
      store: store, client: client,
      progress: { type, received, total in progress(.pulling(type: type, received: received, ofAbout: total)) },
      isBudgeted: run.limit != nil || run.byteLimit != nil)
    let pull = SelectedPull(
      store: store, client: client, plan: context.plan, puller: puller, isBudgeted: puller.isBudgeted)
    var found = run
    try await pull.run(mayGoOn: mayGoOn(run)) { type, result in
      found.pulled[type, default: Puller.Result()].add(result)
      switch result.failure {
      case nil: break
      case .unavailable(let reason)?: found.warnings.append(reason)
      case .halt(let halt)?: found.halt = halt
      case .stopped?: found.isStopped = true
      }
      return found.halt == nil && !found.isStopped
    }
    run = found
    if run.halt != nil || run.isStopped { return }
    try await refresh(client, &run)
  }

  /// Reads again what moved at the server while an entry of ours was there, and what was accepted without a document.
  private func refresh(_ client: FHIRClient, _ run: inout SyncRun) async throws(AppError) {
    let revalidator = context.revalidator ?? Revalidator(store: store, client: client)
    var tried: Set<ResourceKey> = []
    // A reading may show that others have to be read as well: the server was restored from a backup.
    while tried.count < Self.refreshLimit {
      let keys = try await store.read { transaction throws(AppError) in
        try transaction.resourcesToRefresh(limit: Self.refreshLimit)
      }.filter { tried.insert($0).inserted }
      guard !keys.isEmpty else { return }
      for key in keys where mayGoOn(run)() {
        do throws(AppError) { run.warnings += try await revalidator.revalidate(key) } catch {
          if error.traits.contains(.transient) {
            run.halt = .unreachable(error)
            return
          }
          run.warnings.append("\(key) could not be read again: \(error.message)")
        }
      }
    }
  }

  /// How many such resources one sync reads.
  private static let refreshLimit = 1_000

  private func marks() async throws(AppError) -> (journal: Int64, transitions: Int64) {
    try await store.read { transaction throws(AppError) in
      (try transaction.readMark().settled, try transaction.transitionMark())
    }
  }

  private func note(complete: Bool, _ error: AppError?) async throws(AppError) {
    try await store.write(evenIfCancelled: true) { transaction throws(AppError) in
      try transaction.noteSync(complete: complete, error: error)
    }
  }

  private func report(_ run: SyncRun) async throws(AppError) -> SyncReport {
    try await store.read { transaction throws(AppError) in try transaction.report(run) }
  }

  func status() -> Snapshots<SyncStatus> {
    LiveQuery(
      store: store, types: [], followsSync: true, policy: .localOnly,
      read: { [base = client?.base, lock = store.files.lock] transaction throws(AppError) in
        let status = try transaction.syncStatus(server: base, runningElsewhere: SyncLock.holder(lock))
        return Snapshot(
          value: status, freshness: status.lastComplete.map(Freshness.fresh) ?? .missing, pendingWrites: status.unsent,
          writesInReview: status.inReview)
      }, revalidate: nil
    ).snapshots()
  }

  func plan() async throws(AppError) -> [PlannedRequest] {
    let sender = sender()
    let now = store.effects.clock.now()
    let (passes, planned) = (context.plan.opening(at: now), context.plan.planned(at: now))
    return try await store.read { transaction throws(AppError) in
      let offered = try transaction.offeredTypes()
      return try transaction.plan(
        sender: sender, passes: passes + planned.filter { offered.contains($0.type) })
    }
  }
}
