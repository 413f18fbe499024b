package import Domain
package import JSON

/// What an answer does to the store. Decided without I/O, applied in one transaction.
package enum Settlement: Hashable, Sendable {
  /// The server has it.
  case accepted(OutboxNumber, document: JSONValue?, version: String?, etag: String?, serverID: String?, how: String)
  /// Certainly not applied; again, not before a time.
  case tryAgain(OutboxNumber, notBefore: Int64?, countsAttempt: Bool, reason: String)
  /// Certainly not applied, since the server holds another version: read it first.
  case stale(OutboxNumber, refusedVersion: String?, notBefore: Int64?, reason: String)
  /// Nobody knows. What was not even asked for want of a network or a sign-in does not count as an attempt.
  case ambiguous(OutboxNumber, notBefore: Int64?, countsAttempt: Bool = true, reason: String)
  /// A person decides.
  case review(
    OutboxNumber, ReviewItem.Kind, explanation: String, disputes: [ThreeWayMerge.Dispute], theirs: ServerDocument?,
    outcome: JSONValue?)
  /// The server takes no client ids of this type: create by `POST` instead, at once.
  case createByPost(OutboxNumber, reason: String)
  /// Certainly not applied, since the transaction it was part of was refused: goes by itself.
  case sentAlone(OutboxNumber, reason: String)
  /// Certainly not applied, and this is what the server has: merge.
  case moved(OutboxNumber, ServerDocument, reason: String)

  /// The entry it is about.
  package var number: OutboxNumber {
    switch self {
    case .accepted(let number, _, _, _, _, _), .tryAgain(let number, _, _, _), .stale(let number, _, _, _),
      .ambiguous(let number, _, _, _), .review(let number, _, _, _, _, _), .createByPost(let number, _),
      .sentAlone(let number, _),
      .moved(let number, _, _):
      number
    }
  }
}

/// What one answer decides: about the entry, about the rest of the pass, and about the server.
package struct Decision: Hashable, Sendable {
  package var settlement: Settlement
  /// Why nothing more should be sent in this pass.
  package var halt: Engine.Halt?
  /// Whether it was shown that `If-Match` is honoured.
  package var showsIfMatch = false
  /// Whether it was shown that there are no real transactions.
  package var showsNoTransactions = false

  package init(_ settlement: Settlement, halt: Engine.Halt? = nil, showsIfMatch: Bool = false) {
    self.settlement = settlement
    self.halt = halt
    self.showsIfMatch = showsIfMatch
  }
}
