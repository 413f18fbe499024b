package import Data
import Domain
import Synchronization

/// Time, luck and ids that a test owns. Waiting takes no time: it moves the clock.
package final class VirtualWorld: Sendable {
  private struct State {
    var milliseconds: Int64
    var monotonic: Int64 = 0
    var random: UInt64
    var nextID = 0
    var beforeSleep: (@Sendable () async -> Void)?
  }

  private let state: Mutex<State>
  private let idPrefix: String
  private let knowsPlaces: Bool

  /// Starts at 2026-11-30T10:00:00Z.
  ///
  /// - Parameter knowsPlaces: whether a copied store is told from its original.
  package init(
    seed: UInt64 = 1, milliseconds: Int64 = 1_796_032_800_000, idPrefix: String = "00000000", knowsPlaces: Bool = true
  ) {
    state = Mutex(State(milliseconds: milliseconds, random: seed))
    self.idPrefix = idPrefix
    self.knowsPlaces = knowsPlaces
  }

  /// The present, in milliseconds since 1970.
  package var now: Int64 { state.withLock { $0.milliseconds } }

  /// Lets time pass.
  package func advance(seconds: Int64) {
    state.withLock { state in
      state.milliseconds += seconds * 1_000
      state.monotonic += seconds * 1_000
    }
  }

  /// Sets the clock on the wall, forward or back; time as such does not pass.
  package func turnClock(seconds: Int64) {
    state.withLock { $0.milliseconds += seconds * 1_000 }
  }

  /// Runs `body` when something next begins to wait.
  package func beforeNextSleep(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.beforeSleep = body }
  }

  /// The world as `Data` takes it.
  package var effects: Effects {
    var effects = Effects(
      clock: WallClock { [self] in Instant(milliseconds: now) },
      timer: MonotonicTimer(
        now: { [self] in .milliseconds(state.withLock { $0.monotonic }) },
        sleep: { [self] duration in
          try Task.checkCancellation()
          let body = state.withLock { state in
            defer { state.beforeSleep = nil }
            return state.beforeSleep
          }
          if let body { await body() }
          state.withLock { state in
            state.milliseconds += duration.milliseconds
            state.monotonic += duration.milliseconds
          }
        }),
      random: RandomSource { [self] in state.withLock { SplitMix.next(&$0.random) } },
      ids: IDSource { [self] in
        state.withLock { state in
          state.nextID += 1
          let number = String(state.nextID, radix: 16)
          return "\(idPrefix)-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
        }
      },
      spawner: Effects.live.spawner, makeExecutor: Effects.live.makeExecutor)
    if !knowsPlaces { effects.place = { _ in nil } }
    return effects
  }
}

/// A small generator whose numbers depend on its seed alone.
package enum SplitMix {
  package static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
