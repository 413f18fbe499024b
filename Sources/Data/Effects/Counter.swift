import Synchronization

/// A number that several threads count down.
final class Counter: Sendable {
  private let value: Atomic<Int>

  init(_ value: Int) {
    self.value = Atomic(value)
  }

  /// Takes one off and returns what is left.
  func decrement() -> Int {
    value.subtract(1, ordering: .relaxed).newValue
  }
}
