import Synchronization

/// Tells readers that something was committed. What a slow reader misses is merged, never lost.
package final class ChangeHub: Sendable {
  private struct State {
    var nextID = 0
    var subscribers: [Int: Subscriber] = [:]
  }

  private struct Subscriber {
    var pending = StoreChanges()
    var wake: AsyncStream<Void>.Continuation
  }

  private let state = Mutex(State())

  /// One reader's share of the news.
  package struct Subscription: Sendable {
    fileprivate let hub: ChangeHub
    fileprivate let id: Int
    /// Gives an element whenever ``take()`` has something.
    package let wakes: AsyncStream<Void>

    /// What changed since the last call.
    package func take() -> StoreChanges {
      hub.take(id)
    }

    /// Wakes this reader alone.
    package func poke() {
      hub.poke(id)
    }

    /// Ends the subscription.
    package func cancel() {
      hub.cancel(id)
    }
  }

  package init() {}

  /// Starts to listen.
  package func subscribe() -> Subscription {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextID += 1
      state.subscribers[state.nextID] = Subscriber(wake: continuation)
      return state.nextID
    }
    return Subscription(hub: self, id: id, wakes: stream)
  }

  /// Tells everybody.
  package func publish(_ changes: StoreChanges) {
    guard !changes.isEmpty else { return }
    let wakes = state.withLock { state in
      for id in state.subscribers.keys { state.subscribers[id]?.pending.formUnion(changes) }
      return state.subscribers.values.map(\.wake)
    }
    for wake in wakes { wake.yield() }
  }

  /// How many listen.
  package var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  private func poke(_ id: Int) {
    state.withLock { $0.subscribers[id]?.wake }?.yield()
  }

  private func take(_ id: Int) -> StoreChanges {
    state.withLock { state in
      let pending = state.subscribers[id]?.pending ?? StoreChanges()
      state.subscribers[id]?.pending = StoreChanges()
      return pending
    }
  }

  private func cancel(_ id: Int) {
    let subscriber = state.withLock { $0.subscribers.removeValue(forKey: id) }
    subscriber?.wake.finish()
  }
}

extension StoreChanges {
  mutating func formUnion(_ other: StoreChanges) {
    types.formUnion(other.types)
    outbox = outbox || other.outbox
    review = review || other.review
    server = server || other.server
    isUnknown = isUnknown || other.isUnknown
  }
}
