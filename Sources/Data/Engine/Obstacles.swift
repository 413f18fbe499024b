package import Domain

/// What keeps entries from going now. Computed, never stored: so nothing can be forgotten in a waiting state.
package struct Obstacles {
  /// Why one entry waits.
  package enum Obstacle: Hashable, Sendable {
    /// An earlier entry of the same resource is not settled.
    case earlier(OutboxNumber)
    /// An earlier entry of the same resource waits for a person.
    case review(OutboxNumber)
    /// What it refers to is not created yet.
    case create(OutboxNumber)
    /// What it refers to cannot be created until a person has decided.
    case createInReview(OutboxNumber)
    /// An earlier entry of the same action is not settled.
    case action(OutboxNumber)
    /// An earlier entry of the same action was refused: the rest stops.
    case actionStopped(OutboxNumber)
    /// Its author is not signed in.
    case otherAuthor(Author)
  }

  private var firstOfKey: [ResourceKey: Engine.Entry] = [:]
  private var firstOfAction: [String: Engine.Entry] = [:]
  private var states: [OutboxNumber: OutboxEntry.State] = [:]
  private let sender: Engine.Sender

  /// Takes the whole queue, in order.
  package init(_ entries: [Engine.Entry], sender: Engine.Sender) {
    self.sender = sender
    firstOfKey.reserveCapacity(entries.count)
    firstOfAction.reserveCapacity(entries.count)
    states.reserveCapacity(entries.count)
    for entry in entries {
      if firstOfKey[entry.key] == nil { firstOfKey[entry.key] = entry }
      // Who wrote something is told behind it, and holds nothing up.
      if firstOfAction[entry.action] == nil, entry.key.type != StoreTransaction.provenance {
        firstOfAction[entry.action] = entry
      }
      states[entry.number] = entry.state
    }
  }

  /// What keeps an entry from going; `nil` when nothing but its own state and time does. Constant but for its references.
  ///
  /// - Parameter group: entries that would go together with it, and so are none.
  package func obstacle(to entry: Engine.Entry, within group: Set<OutboxNumber> = []) -> Obstacle? {
    if let first = firstOfKey[entry.key], first.number < entry.number {
      return first.state == .review ? .review(first.number) : .earlier(first.number)
    }
    // To find out what became of an entry is to read, which waits for no other entry: of two that went together the first
    // may be refused meanwhile, and cannot be taken back as long as nothing is known of the second.
    if entry.state != .ambiguous, let obstacle = precedence(of: entry, within: group) { return obstacle }
    return sender.maySend(for: entry.author) ? nil : .otherAuthor(entry.author)
  }

  /// What has to be sent before an entry: what it refers to, and what its action began with.
  private func precedence(of entry: Engine.Entry, within group: Set<OutboxNumber>) -> Obstacle? {
    for create in entry.creates where !group.contains(create) {
      guard let state = states[create] else { continue }
      return state == .review ? .createInReview(create) : .create(create)
    }
    if let first = firstOfAction[entry.action], first.number < entry.number, !group.contains(first.number) {
      return first.state == .review ? .actionStopped(first.number) : .action(first.number)
    }
    return nil
  }
}

extension Obstacles.Obstacle {
  /// For people.
  package var words: String {
    switch self {
    case .earlier(let number): "waits for entry \(number) of the same record"
    case .review(let number): "waits behind entry \(number) of the same record, which needs a person"
    case .create(let number): "waits for entry \(number), which creates what it refers to"
    case .createInReview(let number): "waits for entry \(number), which creates what it refers to and needs a person"
    case .action(let number): "waits for entry \(number) of the same action"
    case .actionStopped(let number): "stopped with entry \(number) of the same action, which needs a person"
    case .otherAuthor(let author): "waits until \(author.displayName) signs in, who wrote it"
    }
  }
}
