import Domain
import Synchronization

/// A read that stays: the local answer at once, then one for every change of it, until the reader stops.
struct LiveQuery<Value: Equatable & Sendable>: Sendable {
  let store: Store
  /// The resource types that the answer is made of.
  let types: Set<String>
  /// Whether the answer also depends on the outbox, the review list or the server's row.
  var followsSync = false
  let policy: ReadPolicy
  /// Reads the answer in one transaction.
  let read: @Sendable (StoreTransaction) throws(AppError) -> Snapshot<Value>
  /// Asks the server, and gives what it warned of; `nil` when there is none to ask.
  var revalidate: (@Sendable () async throws(AppError) -> [String])?

  /// The answers.
  func snapshots() -> Snapshots<Value> {
    let start: @Sendable () -> AsyncStream<Snapshot<Value>> = {
      let (stream, continuation) = AsyncStream.makeStream(
        of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1))
      let work = store.effects.spawner.spawn { await run(continuation) }
      continuation.onTermination = { _ in work.cancel() }
      return stream
    }
    guard policy == .localOnly else { return Snapshots(start) }
    // Who may ask nobody and wants one answer needs no task that listens for more.
    return Snapshots(start, readOnce: { await answer(.idle, warnings: []) })
  }

  private func run(_ continuation: AsyncStream<Snapshot<Value>>.Continuation) async {
    // Listening begins before the first read, so that no commit falls in between.
    let subscription = store.hub.subscribe()
    defer {
      subscription.cancel()
      continuation.finish()
    }
    let state = RevalidationState()
    var last = await answer(.idle, warnings: [])
    let asks = revalidate != nil && isDue(last.freshness)
    if asks {
      state.set(.running)
      last.revalidation = .running
    }
    continuation.yield(last)
    await withTaskGroup(of: Void.self) { group in
      if asks, let revalidate {
        group.addTask {
          var outcome = Revalidation.idle
          var warnings: [String] = []
          do throws(AppError) { warnings = try await revalidate() } catch { outcome = .failed(error) }
          state.set(outcome, warnings: warnings)
          subscription.poke()
        }
      }
      for await _ in subscription.wakes {
        if Task.isCancelled { break }
        let changes = subscription.take()
        let (revalidation, warnings) = state.get()
        guard isTouched(by: changes) || revalidation != last.revalidation else { continue }
        let next = await answer(revalidation, warnings: warnings)
        if next != last {
          continuation.yield(next)
          last = next
        }
      }
      group.cancelAll()
    }
  }

  private func answer(_ revalidation: Revalidation, warnings: [String]) async -> Snapshot<Value> {
    do throws(AppError) {
      var snapshot = try await store.read(read)
      snapshot.revalidation = revalidation
      snapshot.warnings += warnings
      return snapshot
    } catch {
      return Snapshot(value: nil, freshness: .missing, revalidation: .failed(error))
    }
  }

  private func isDue(_ freshness: Freshness) -> Bool {
    switch policy {
    case .localOnly: false
    case .revalidateAlways: true
    case .revalidateWhenStale: if case .fresh = freshness { false } else { true }
    }
  }

  private func isTouched(by changes: StoreChanges) -> Bool {
    if changes.isUnknown || !types.isDisjoint(with: changes.types) { return true }
    return followsSync && (changes.outbox || changes.review || changes.server)
  }
}

/// What the refresh of one reader has come to.
private final class RevalidationState: Sendable {
  private let value = Mutex((revalidation: Revalidation.idle, warnings: [String]()))

  func set(_ new: Revalidation, warnings: [String] = []) { value.withLock { $0 = (new, warnings) } }
  func get() -> (revalidation: Revalidation, warnings: [String]) { value.withLock { $0 } }
}
