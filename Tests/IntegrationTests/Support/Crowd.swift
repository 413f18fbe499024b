import Testing

/// Lets only so many tests run beside each other: each runs processes, and some of those have time limits.
struct Crowd: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await Self.door.enter()
    do {
      try await function()
      await Self.door.leave()
    } catch {
      await Self.door.leave()
      throw error
    }
  }

  private static let door = Door(places: 6)

  private actor Door {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    func enter() async {
      if places > 0 {
        places -= 1
      } else {
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    func leave() {
      if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
  }
}

extension Trait where Self == Crowd {
  /// Few at a time.
  static var fewAtATime: Crowd { Crowd() }
}
