import Synchronization

/// Whose turn it is, round and round.
final class Turn: Sendable {
  private let count: Int
  private let next = Atomic<Int>(0)

  init(count: Int) {
    self.count = count
  }

  func take() -> Int {
    next.add(1, ordering: .relaxed).oldValue % count
  }
}
