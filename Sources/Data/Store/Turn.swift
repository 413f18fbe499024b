import Synchronization

/// Which of several connections is asked next: the one for which fewest wait, of those the first. So a program that asks
/// one thing after the other opens one connection only.
final class Turn: Sendable {
  private let waiting: Mutex<[Int]>

  init(count: Int) {
    waiting = Mutex(Array(repeating: 0, count: count))
  }

  func take() -> Int {
    waiting.withLock { waiting in
      let chosen = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
      waiting[chosen] += 1
      return chosen
    }
  }

  func giveBack(_ index: Int) {
    waiting.withLock { $0[index] -= 1 }
  }
}
