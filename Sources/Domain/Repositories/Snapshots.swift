/// The answers to one read, for as long as the reader listens: the local answer at once, then one for every change.
///
/// Each iteration is a reader of its own. A slow reader gets the newest answer only; the sequence never fails, since a
/// failed refresh is part of an answer (``Snapshot/revalidation``). Stopping the iteration, or cancelling its task,
/// releases all that was held for it.
public struct Snapshots<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Snapshot<Value>
  public typealias Failure = Never

  private let start: @Sendable () -> AsyncStream<Snapshot<Value>>
  private let readOnce: (@Sendable () async -> Snapshot<Value>)?

  /// Creates a sequence that calls `start` for every reader.
  ///
  /// - Parameter readOnce: Gives the first answer to who wants no other, where that costs less than a reader.
  public init(
    _ start: @escaping @Sendable () -> AsyncStream<Snapshot<Value>>,
    readOnce: (@Sendable () async -> Snapshot<Value>)? = nil
  ) {
    self.start = start
    self.readOnce = readOnce
  }

  /// Creates a sequence that gives fixed answers and ends; for fakes and previews.
  public init(_ answers: [Snapshot<Value>]) {
    self.init {
      AsyncStream { continuation in
        for answer in answers { continuation.yield(answer) }
        continuation.finish()
      }
    }
  }

  public func makeAsyncIterator() -> AsyncStream<Snapshot<Value>>.Iterator {
    start().makeAsyncIterator()
  }

  /// The local answer, without waiting for the network.
  ///
  /// - Returns: `nil` only when the task is cancelled or the source is gone.
  public func first() async -> Snapshot<Value>? {
    if let readOnce {
      let answer = await readOnce()
      return Task.isCancelled ? nil : answer
    }
    for await snapshot in self { return snapshot }
    return nil
  }

  /// Waits until no revalidation is running, and returns the answer then. Scripts use this.
  ///
  /// - Returns: `nil` only when the task is cancelled or the source is gone before the first answer.
  public func settled() async -> Snapshot<Value>? {
    var last: Snapshot<Value>?
    for await snapshot in self {
      last = snapshot
      if snapshot.revalidation != .running { return snapshot }
    }
    return last
  }
}
