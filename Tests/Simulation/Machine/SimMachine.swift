package import Data
import Domain
import Synchronization

/// The computer on which the client's processes run: its clock on the wall, and the ids that it gives.
package final class SimMachine: Sendable {
  private struct State {
    var offset: Int64
    var wasSetForward = false
    var nextID = 0
    var random: SimRandom
  }

  /// The true time at which every world begins: 2026-11-30T10:00:00Z.
  package static let epoch: Int64 = 1_796_032_800_000

  package let scheduler: SimScheduler
  private let state: Mutex<State>

  package init(_ scheduler: SimScheduler, seed: UInt64, skew: Int64) {
    self.scheduler = scheduler
    state = Mutex(State(offset: skew, random: SimRandom(seed: seed, stream: 2)))
  }

  /// The true time, in milliseconds since 1970.
  package var trueTime: Int64 { Self.epoch + scheduler.now }
  /// What the clock on the wall shows.
  package var wallTime: Int64 { trueTime + state.withLock { $0.offset } }

  /// Somebody sets the clock.
  package func turnClock(milliseconds: Int64) {
    state.withLock { state in
      state.offset += milliseconds
      if milliseconds > 0 { state.wasSetForward = true }
    }
  }

  /// Whether the clock was ever set forward.
  package var wasSetForward: Bool { state.withLock { $0.wasSetForward } }

  /// The world as a process on a lane takes it.
  package func effects(on lane: SimLane) -> Effects {
    var effects = Effects(
      clock: WallClock { [self] in Instant(milliseconds: wallTime) },
      timer: MonotonicTimer(
        now: { [scheduler] in .milliseconds(scheduler.now) },
        sleep: { [scheduler] duration in try await scheduler.sleep(milliseconds: duration.milliseconds) }),
      random: RandomSource { [self] in state.withLock { $0.random.next() } },
      ids: IDSource { [self] in nextID() },
      spawner: Spawner { operation in
        let task = Task(executorPreference: lane) { await operation() }
        return SpawnedWork(cancel: { task.cancel() }, finished: { await task.value })
      },
      makeExecutor: { _ in SimActorExecutor(lane) })
    // What a power cut leaves stands in a folder of its own, and is the store.
    effects.place = { _ in nil }
    return effects
  }

  private func nextID() -> String {
    let number = state.withLock { state in
      state.nextID += 1
      return String(state.nextID, radix: 16)
    }
    return "5a000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
  }
}
