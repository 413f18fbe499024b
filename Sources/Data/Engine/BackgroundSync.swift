import Domain
import Synchronization

/// Keeps a store in step with its server while a session or a watch lasts.
///
/// A commit wakes it, and so does a timer: no entry waits for "the next write". It yields to another process that syncs.
struct BackgroundSync: Sendable {
  let store: Store
  let sync: any SyncRepository
  let pace: Pace

  /// The pauses between passes.
  struct Pace: Sendable {
    /// After a pass that met no trouble.
    var quiet = Duration.seconds(60)
    /// After the first pass that did; doubles with every further one.
    var troubled = Duration.seconds(5)
    /// At most.
    var longest = Duration.seconds(300)
    /// After a local commit: so that what is typed together goes together.
    var gathering = Duration.milliseconds(200)
  }

  /// Runs until the task is cancelled.
  func run() async {
    var failures = 0
    while !Task.isCancelled {
      // One for each pass: a stream whose reader was cancelled, as at the end of a pause, never gives anything again.
      let subscription = store.hub.subscribe()
      defer { subscription.cancel() }
      let mark = await mark()
      let wait = await pass(&failures)
      await pause(wait, after: mark, subscription)
    }
  }

  /// What was written before a pass; what is written during it may be too late for it.
  private func mark() async -> Int64 {
    (try? await store.read { transaction throws(AppError) in try transaction.writtenMark() }) ?? 0
  }

  /// Syncs once, and tells when to look again at the latest.
  private func pass(_ failures: inout Int) async -> Duration {
    do throws(AppError) {
      let report = try await sync.sync(SyncOptions(retriesNow: false), progress: { _ in })
      switch report.outcome {
      case .complete, .needsReview, .signInNeeded:
        failures = 0
        return pace.quiet
      case .throttled(let until):
        return .milliseconds(max(0, until.milliseconds - store.effects.clock.now().milliseconds))
      case .unreachable, .unfinished: failures += 1
      }
    } catch {
      // Another process syncs, or the store is in trouble: both are looked at again.
      failures += 1
    }
    let doubled = pace.troubled * (1 << min(failures - 1, 10))
    // Many sessions must not come back together after an outage.
    return min(pace.longest, doubled) * (0.5 + store.effects.random.unitInterval() / 2)
  }

  /// Waits for the time to pass, or for something to be written. What others do to the store besides is no reason:
  /// two sessions would keep each other awake.
  private func pause(_ duration: Duration, after mark: Int64, _ subscription: ChangeHub.Subscription) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await store.effects.timer.sleep(duration) }
      group.addTask {
        if await !store.hasWritten(after: mark) { await store.waitForWriting(after: mark, subscription) }
        try? await store.effects.timer.sleep(pace.gathering)
      }
      await group.next()
      group.cancelAll()
    }
  }
}
