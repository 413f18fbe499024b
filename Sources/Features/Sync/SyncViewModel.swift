public import DesignSystem
public import Domain
public import Observation

/// Syncing, and how far the store and the server are apart.
@Observable
public final class SyncViewModel {
  /// What a sync is doing.
  public enum Run: Hashable, Sendable {
    /// No sync was asked for.
    case idle
    /// A sync runs; how far it has come, once it has told.
    case running(SyncProgress?)
    /// It ended, and what it did.
    case done(SyncReportDisplay)
    /// It could not begin.
    case failed(AppError)
  }

  /// What the sync is doing.
  public private(set) var run: Run = .idle
  /// How far the store and the server are apart.
  public private(set) var status: LoadState<SyncStatusDisplay> = .idle
  /// What a sync would send.
  public private(set) var plan: LoadState<[PlannedRequest]> = .idle

  private let sync: any SyncRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext
  private let progress: (SyncProgress) -> Void

  /// Creates the model.
  ///
  /// - Parameter progress: Told what ``run`` tells, for a front that shows it apart from the result.
  public init(
    sync: any SyncRepository, errors: any ErrorRouting, context: ClinicContext,
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) {
    self.sync = sync
    self.errors = errors
    self.context = context
    self.progress = progress
  }

  /// Sends and pulls. What kept the sync from finishing is presented, and the report tells the rest.
  public func start(_ options: SyncOptions) async {
    await perform { [sync] steps async throws(AppError) in
      try await sync.sync(options) { steps.yield($0) }
    }
  }

  /// Sends and pulls, again and again, until it is ended.
  ///
  /// - Parameter tell: Told of every pass in which something happened, or met other trouble than the one before; false
  ///   ends the watch.
  public func watch(_ options: SyncOptions, tell: (SyncReportDisplay) async -> Bool) async {
    let (reports, told) = AsyncStream<SyncReport>.makeStream()
    async let work: Void = perform { [sync] steps async throws(AppError) in
      defer { told.finish() }
      return try await sync.watch(options, progress: { steps.yield($0) }, told: { told.yield($0) })
    }
    var last: SyncReport.Outcome?
    for await report in reports where report.isEventful || report.outcome != last {
      last = report.outcome
      if await !tell(SyncReportDisplay(report: report, zone: context.zone)) { _ = sync.requestStop() }
    }
    await work
  }

  private func perform(
    _ work: @escaping @Sendable (AsyncStream<SyncProgress>.Continuation) async throws(AppError) -> SyncReport
  ) async {
    run = .running(nil)
    let (steps, continuation) = AsyncStream<SyncProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let watching: Void = watch(steps)
    let outcome: Run
    do throws(AppError) {
      outcome = .done(SyncReportDisplay(report: try await work(continuation), zone: context.zone))
    } catch {
      outcome = .failed(error)
    }
    continuation.finish()
    await watching
    run = outcome
    switch outcome {
    case .done(let display): for trouble in display.troubles { errors.present(trouble) }
    case .failed(let error): errors.present(error)
    case .idle, .running: break
    }
  }

  /// Shows the state of the store against the server.
  public func loadStatus(reading: ReadMode) async {
    status = .loading
    // The state is computed from the store: no mode asks the server for it.
    await sync.status().listen(reading == .live ? .live : .local) { snapshot in
      guard let value = snapshot.value else { return }
      status = .showing(SyncStatusDisplay(status: value, zone: context.zone))
    }
  }

  /// Presents what monitoring should hear of, from the status that is shown.
  func presentTroubles(beyond limits: SyncStatusDisplay.Limits) {
    guard let display = status.display else { return }
    for trouble in display.troubles(beyond: limits, at: context.clock.now()) { errors.present(trouble) }
  }

  /// Shows what a sync would send.
  public func loadPlan() async {
    plan = .loading
    do throws(AppError) {
      plan = .showing(try await sync.plan())
    } catch {
      errors.present(error)
      plan = .failed(error)
    }
  }

  private func watch(_ steps: AsyncStream<SyncProgress>) async {
    for await step in steps {
      run = .running(step)
      progress(step)
    }
  }
}

/// What a sync did, ready to be shown.
public nonisolated struct SyncReportDisplay: Hashable, Sendable {
  /// The report.
  public var report: SyncReport
  /// The clinic's zone.
  public var zone: ClinicZone

  /// What kept it from finishing, and what needs a person, as errors with an exit status each.
  public var troubles: [AppError] {
    var troubles: [AppError] = []
    switch report.outcome {
    case .complete, .needsReview: break
    case .unreachable(let error): troubles.append(error)
    case .throttled(let until):
      troubles.append(
        AppError(.throttled, "the server asks to come back after \(zone.text(until))", hint: "sync again then"))
    case .unfinished:
      troubles.append(AppError(.budgetSpent, "the sync ended before everything was done", hint: "sync again"))
    case .signInNeeded:
      troubles.append(AppError(.signInNeeded, "the server asks for a sign-in", hint: "check CLINIC_TOKEN_FILE"))
    }
    if report.inReview > 0 || report.outcome == .needsReview {
      let count = report.inReview
      troubles.append(
        AppError(
          .needsReview, count == 1 ? "1 item needs a decision" : "\(count) items need a decision", hint: "review"))
    }
    return troubles
  }
}

/// The state of the store against the server, ready to be shown.
public nonisolated struct SyncStatusDisplay: Hashable, Sendable {
  /// The state.
  public var status: SyncStatus
  /// The clinic's zone.
  public var zone: ClinicZone

  /// What monitoring accepts.
  struct Limits: Hashable, Sendable {
    /// How old the last complete sync and the oldest unsent write may be, in seconds; `nil` for any age.
    var age: Int?
    /// How many items may need a decision.
    var review = 0
  }

  /// What monitoring should hear of, as errors with an exit status each.
  func troubles(beyond limits: Limits, at now: Instant) -> [AppError] {
    func isOld(_ instant: Instant) -> Bool {
      limits.age.map { now.secondsSince1970 - instant.secondsSince1970 > Int64($0) } ?? false
    }
    var troubles: [AppError] = []
    if status.inReview > limits.review {
      troubles.append(
        AppError(
          .needsReview, status.inReview == 1 ? "1 item needs a decision" : "\(status.inReview) items need a decision",
          hint: "review"))
    }
    if let oldest = status.oldestUnsent, isOld(oldest) {
      troubles.append(
        AppError(.budgetSpent, "the oldest of \(status.unsent) unsent writes is of \(zone.text(oldest))", hint: "sync"))
    }
    if limits.age != nil, status.lastComplete.map(isOld) ?? true {
      let last = status.lastComplete.map { "was at \(zone.text($0))" } ?? "has yet to come"
      troubles.append(AppError(.budgetSpent, "the last complete sync \(last)", hint: "sync"))
    }
    return troubles
  }
}
