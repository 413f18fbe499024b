import Synchronization
import Testing

/// Counts the calls that a fake gets, and fails the test at a call that it was not prepared for.
public final class CallBook<Call: Hashable & Sendable>: Sendable {
  private struct State {
    var expected: Set<Call> = []
    var calls: [Call] = []
  }

  private let name: String
  private let state = Mutex(State())

  init(_ name: String, expecting calls: [Call]) {
    self.name = name
    state.withLock { $0.expected = Set(calls) }
  }

  /// Lets further calls come.
  public func expect(_ calls: Call...) {
    state.withLock { $0.expected.formUnion(calls) }
  }

  /// All calls in order.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// How often one call came.
  public func count(of call: Call) -> Int { calls.count { $0 == call } }

  func take(_ call: Call) {
    let wasExpected = state.withLock { state in
      state.calls.append(call)
      return state.expected.contains(call)
    }
    if !wasExpected { Issue.record("\(name) was not prepared for \(call)") }
  }
}
