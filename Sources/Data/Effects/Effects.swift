package import Domain

/// Everything that `Data` takes from the outside world, so that a test can be the world.
package struct Effects: Sendable {
  /// The time of day. It labels; it orders nothing.
  package var clock: WallClock
  /// Time that only moves forward, and waiting for it.
  package var timer: MonotonicTimer
  /// Random numbers.
  package var random: RandomSource
  /// New ids: version 4 UUIDs in lower case.
  package var ids: IDSource
  /// Starts work that outlives its caller.
  package var spawner: Spawner
  /// Makes the executor on which a database connection lives.
  package var makeExecutor: @Sendable (_ label: String) -> any SerialExecutor
  /// Where a store is; `nil` where that cannot be told, and no copy is told from its original.
  package var place: @Sendable (StoreFiles) -> StorePlace? = { StorePlace.current($0) }

  package init(
    clock: WallClock, timer: MonotonicTimer, random: RandomSource, ids: IDSource, spawner: Spawner,
    makeExecutor: @escaping @Sendable (_ label: String) -> any SerialExecutor
  ) {
    self.clock = clock
    self.timer = timer
    self.random = random
    self.ids = ids
    self.spawner = spawner
    self.makeExecutor = makeExecutor
  }
}

/// Time that only moves forward.
package struct MonotonicTimer: Sendable {
  /// Time since some fixed point.
  package var now: @Sendable () -> Duration
  /// Waits. Throws `CancellationError` when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }
}

/// Random numbers, uniform over all of `UInt64`.
package struct RandomSource: Sendable {
  package var next: @Sendable () -> UInt64

  package init(next: @escaping @Sendable () -> UInt64) {
    self.next = next
  }

  /// A number in `0..<1`.
  package func unitInterval() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}

/// New ids.
package struct IDSource: Sendable {
  package var next: @Sendable () -> String

  package init(next: @escaping @Sendable () -> String) {
    self.next = next
  }
}

/// Starts work that outlives its caller.
package struct Spawner: Sendable {
  private let start: @Sendable (@escaping @Sendable () async -> Void) -> SpawnedWork

  package init(_ start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> SpawnedWork) {
    self.start = start
  }

  /// Starts an operation.
  package func spawn(_ operation: @escaping @Sendable () async -> Void) -> SpawnedWork {
    start(operation)
  }
}

/// Work that was started, and can be stopped or waited for.
package struct SpawnedWork: Sendable {
  /// Asks it to stop.
  package var cancel: @Sendable () -> Void
  /// Waits until it has ended.
  package var finished: @Sendable () async -> Void

  package init(cancel: @escaping @Sendable () -> Void, finished: @escaping @Sendable () async -> Void) {
    self.cancel = cancel
    self.finished = finished
  }
}
