/// The proof that a write is durable: in the store, and in the outbox.
public struct WriteReceipt: Hashable, Sendable {
  /// The resource that was written. Its id is the local one until the server has accepted it, and stays valid for ever.
  public var key: ResourceKey
  /// The numbers of the outbox entries that carry the write; empty when nothing changed.
  public var entries: [OutboxNumber]

  /// Creates a receipt.
  public init(key: ResourceKey, entries: [OutboxNumber]) {
    self.key = key
    self.entries = entries
  }

  /// False when the edit left everything as it was.
  public var changedSomething: Bool { !entries.isEmpty }
}

/// The number of an outbox entry: given once, in the order of commits, never used again.
public typealias OutboxNumber = Int64

/// The number of a review item: given once, never used again.
public typealias ReviewNumber = Int64
