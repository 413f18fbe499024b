import Synchronization

/// Lets a sync be asked to end by itself: what is in hand is finished, and nothing more begins.
final class StopSwitch: Sendable {
  private struct State {
    var running = 0
    var isRequested = false
  }

  private let state = Mutex(State())

  /// Whether the syncs that run were asked to end.
  var isRequested: Bool { state.withLock { $0.isRequested } }

  /// A sync begins.
  func begin() { state.withLock { $0.running += 1 } }

  /// A sync ended. With the last one the request is answered.
  func end() {
    state.withLock { state in
      state.running -= 1
      if state.running == 0 { state.isRequested = false }
    }
  }

  /// Asks the syncs that run to end; false when none does.
  func request() -> Bool {
    state.withLock { state in
      state.isRequested = state.running > 0
      return state.isRequested
    }
  }
}
