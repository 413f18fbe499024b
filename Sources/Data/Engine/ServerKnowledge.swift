/// What is known of the server: claimed in its CapabilityStatement, and learnt from its answers.
package struct ServerKnowledge: Hashable, Sendable {
  /// What it claims; `nil` when its metadata was never read, or could not be.
  package var capabilities: ServerCapabilities?
  /// Types for which a `PUT` create was refused: claims do not count any more.
  package var refusesClientIDs: Set<String> = []
  /// Whether `If-Match` is honoured, as an answer has shown; `nil` while none has.
  package var honoursIfMatch: Bool?
  /// Whether an answer has shown that transactions are not offered, or not atomic.
  package var refusesTransactions = false
  /// Milliseconds since 1970 until which nothing is sent.
  package var throttledUntil: Int64?
  /// How far its search may lag behind its writes, in milliseconds.
  package var searchLag: Int64 = 15_000

  package init() {}

  /// How a new resource of a type is created.
  package func createStrategy(type: String) -> WriteStrategy {
    guard let claims = capabilities?.types[type], claims.updateCreate == true, !refusesClientIDs.contains(type) else {
      return .createByPost
    }
    return .createByPut
  }

  /// Whether one user action's entries go as one transaction.
  package var hasTransactions: Bool { capabilities?.transaction == true && !refusesTransactions }

  /// Whether an update must read and compare first, since nothing says that `If-Match` protects it.
  package func mustCompareFirst(type: String) -> Bool {
    if let honoursIfMatch { return !honoursIfMatch }
    return capabilities?.types[type]?.versioning != "versioned-update"
  }

  /// What is guaranteed with this server, in words.
  package func guarantees(types: [String]) -> [String] {
    var lines: [String] = []
    let posted = types.filter { createStrategy(type: $0) == .createByPost }
    let claimed = posted.allSatisfy { capabilities?.types[$0]?.conditionalCreate == true }
    lines.append(
      posted.isEmpty
        ? "creates carry ids chosen here: each reaches the server once"
        : claimed
          ? "creates are conditional on an identifier made here: each reaches the server once"
          : "creates are conditional on an identifier made here, which this server does not claim to honour: "
            + "after a lost answer its search decides")
    lines.append(
      mustCompareFirst(type: "Patient")
        ? "it is not known that If-Match is honoured: updates read and compare first, which leaves a short gap"
        : "updates carry If-Match: no edit of others is overwritten unseen")
    return lines
  }
}
