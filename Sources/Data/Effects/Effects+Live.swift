import Dispatch
package import Domain
import Foundation

extension Effects {
  /// The real world.
  package static let live = Effects(
    clock: .system,
    timer: MonotonicTimer(
      now: { ContinuousClock.now - Effects.start },
      sleep: { try await Task.sleep(for: $0) }),
    random: RandomSource { UInt64.random(in: .min ... .max) },
    ids: IDSource { UUID().uuidString.lowercased() },
    spawner: Spawner { operation in
      let task = Task.detached { await operation() }
      return SpawnedWork(cancel: { task.cancel() }, finished: { await task.value })
    },
    makeExecutor: { QueueExecutor(label: $0) })

  private static let start = ContinuousClock.now
}

extension WallClock {
  /// The system's clock, in UTC.
  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int(time.tv_nsec), offsetSeconds: 0)
  }
}

/// A serial executor on a dispatch queue: blocking SQLite calls stay off the cooperative pool.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
