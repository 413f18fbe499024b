import Domain

/// Keeps a store in step with its server while a session or a watch lasts.
///
/// A commit wakes it, and so does a timer: no entry waits for "the next write". It yields to another process that syncs.
struct BackgroundSync: Sendable {
  let store: Store
  let sync: any SyncRepository
  var pace = SyncPace()
  /// What each pass may do; `nil` ends it.
  var options: @Sendable () -> SyncOptions? = { SyncOptions(retriesNow: false) }
  var progress: @Sendable (SyncProgress) -> Void = { _ in }
  /// Told how each pass ended.
  var told: @Sendable (Result<SyncReport, AppError>) -> Void = { _ in }

  /// Runs until the task is cancelled, or there are no more options.
  ///
  /// - Parameter first: how a pass ended that was made already, and what was written before it; a pause comes first then.
  func run(after first: (result: Result<SyncReport, AppError>, mark: Int64)? = nil) async {
    var pace = pace
    var made = first
    while !Task.isCancelled, let options = options() {
      // One for each pass: a stream whose reader was cancelled, as at the end of a pause, never gives anything again.
      let subscription = store.hub.subscribe()
      defer { subscription.cancel() }
      let mark: Int64
      let result: Result<SyncReport, AppError>
      if let before = made {
        (result, mark) = before
        made = nil
      } else {
        mark = await self.mark()
        result = await pass(options)
        told(result)
      }
      let wait = pace.pause(
        after: result, now: store.effects.clock.now().milliseconds, unit: store.effects.random.unitInterval())
      await pause(wait, after: mark, subscription)
    }
  }

  /// What was written before a pass; what is written during it may be too late for it.
  func mark() async -> Int64 {
    (try? await store.read { transaction throws(AppError) in try transaction.writtenMark() }) ?? 0
  }

  private func pass(_ options: SyncOptions) async -> Result<SyncReport, AppError> {
    do throws(AppError) { return .success(try await sync.sync(options, progress: progress)) } catch {
      return .failure(error)
    }
  }

  /// Waits for the time to pass, or for something to be written. What others do to the store besides is no reason:
  /// two sessions would keep each other awake.
  private func pause(_ duration: Duration, after mark: Int64, _ subscription: ChangeHub.Subscription) async {
    if await !store.hasWritten(after: mark) { await wait(duration, after: mark, subscription) }
    try? await store.effects.timer.sleep(pace.gathering)
  }

  private func wait(_ duration: Duration, after mark: Int64, _ subscription: ChangeHub.Subscription) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let end = store.effects.timer.now() + duration
        // In steps, so that a request to end is heard.
        while options() != nil {
          let left = end - store.effects.timer.now()
          guard left > .zero, (try? await store.effects.timer.sleep(min(left, .seconds(1)))) != nil else { return }
        }
      }
      group.addTask { await store.waitForWriting(after: mark, subscription) }
      await group.next()
      group.cancelAll()
    }
  }
}
