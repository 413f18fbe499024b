package import Domain

/// One logical write on its way to the server, as stored.
package struct OutboxEntry: Hashable, Sendable {
  package typealias State = OutboxItem.State
  package typealias Kind = OutboxItem.Kind

  /// Its place: given in the transaction that wrote it.
  package var number: OutboxNumber
  /// Its identity for ever, also after squashing.
  package var entry: String
  /// The user action it belongs to.
  package var action: String
  package var author: Author
  package var key: ResourceKey
  package var kind: Kind
  package var patch: Patch
  /// The server version that the patch was last merged with; of a create, the one that was deleted, if any.
  package var baseVersion: String?
  package var state: State
  /// Why it is in its state.
  package var reason: String?
  package var summary: String
  package var written: String
  /// How often it was answered with "not now", or not at all.
  package var attempts: Int
  /// Milliseconds since 1970 before which it is not sent again.
  package var notBefore: Int64?
  /// Since when its fate is unknown.
  package var ambiguousSince: Int64?
  /// Whether any byte of it may ever have reached a server: from then on it is never squashed.
  package var wasSent: Bool
  /// The version that was named when the server last answered that it had another one.
  package var refusedVersion: String?
  /// What was sent, or is about to be, exactly.
  package var attempt: Attempt?

  /// Whether it makes a record anew that was deleted at the server. A document with its id need not be ours.
  package var recreates: Bool { kind == .create && baseVersion != nil }

  /// True while what was sent must stay as it is: it is with the server, or nobody knows.
  package var isFrozen: Bool { state == .sending || state == .ambiguous }
}

/// The exact request of one try. Its bytes never change; a changed entry gets a new attempt.
package struct Attempt: Hashable, Sendable {
  package var id: String
  package var strategy: WriteStrategy
  package var method: HTTPMethod
  /// Relative to the base URL.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]?
}

/// How a write is made safe to repeat.
package enum WriteStrategy: String, Hashable, Sendable, CaseIterable {
  /// `PUT` of a new resource under our own id.
  case createByPut = "create-put"
  /// `POST` with `If-None-Exist` on our own identifier.
  case createByPost = "create-post"
  /// `PUT` with `If-Match`.
  case update
  /// `DELETE`.
  case delete
}
