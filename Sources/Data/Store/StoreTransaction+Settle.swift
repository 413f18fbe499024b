import Domain
import JSON

extension StoreTransaction {
  /// Applies a decision to its entry, if that is still the one that was sent.
  ///
  /// - Parameter attempt: the attempt that was answered; an entry that has another one by now is left alone.
  func settle(_ settlement: Settlement, attempt: String?) throws(AppError) {
    guard let entry = try outboxEntry(settlement.number), entry.isFrozen, entry.attempt?.id == attempt else { return }
    switch settlement {
    case .accepted(_, let document, let version, let etag, let serverID, let how):
      try accept(entry, document: document, version: version, etag: etag, serverID: serverID, how: how)
    case .tryAgain(_, let notBefore, let countsAttempt, let reason):
      try retry(entry, notBefore: notBefore, countsAttempt: countsAttempt, reason: reason)
    case .stale(_, let refusedVersion, let notBefore, let reason):
      try awaitNewVersion(entry, refused: refusedVersion, notBefore: notBefore, reason: reason)
    case .ambiguous(_, let notBefore, let countsAttempt, let reason):
      try markAmbiguous(entry, notBefore: notBefore, countsAttempt: countsAttempt, reason: reason)
    case .review(_, let kind, let explanation, let disputes, let theirs, let outcome):
      try hold(entry, kind, explanation, disputes: disputes, serverVersion: theirs?.version, outcome: outcome)
      // The base moves to what was found, so that a decision is made, and later sent, on it.
      if let theirs { _ = try receive(theirs) }
    case .createByPost(_, let reason):
      try noteRefusedClientIDs(type: entry.key.type)
      try reset(entry, reason: reason)
    case .sentAlone(_, let reason):
      try run("UPDATE outbox SET alone = 1 WHERE number = ?", [.integer(entry.number)])
      try retry(entry, notBefore: nil, countsAttempt: false, reason: reason)
    case .moved(_, let document, let reason):
      try retry(entry, notBefore: nil, countsAttempt: true, reason: reason)
      _ = try receive(document)
    }
    FailPoint.settleBeforeCommit.pass()
  }

  /// The queue as the engine sees it.
  func engineEntries(server: ServerKnowledge) throws(AppError) -> [Engine.Entry] {
    var creates: [OutboxNumber: [OutboxNumber]] = [:]
    let edges = try all(
      """
      SELECT r.number, c.number FROM outbox_reference r
      JOIN outbox c ON c.type = r.type AND c.id = r.id AND c.kind = 'create'
      JOIN outbox o ON o.number = r.number
      WHERE c.number != r.number AND (o.type, o.id) != (c.type, c.id)
      """
    ) { row throws(SQLiteError) in (row.integer(0), row.integer(1)) }
    for (number, create) in edges { creates[number, default: []].append(create) }
    let lag = server.searchLag
    return try all(
      """
      SELECT o.number, o.action, o.type, o.id, o.kind, o.state, o.issuer, o.subject, o.practitioner, o.not_before,
        o.ambiguous_since, o.strategy, coalesce(r.refresh, 0), o.alone
      FROM outbox o LEFT JOIN resource r ON r.type = o.type AND r.id = o.id ORDER BY o.number
      """
    ) { row throws(SQLiteError) in
      let isPosted = row.optionalText(11) == WriteStrategy.createByPost.rawValue
      let kind = OutboxEntry.Kind(rawValue: row.text(4)) ?? .update
      return Engine.Entry(
        number: row.integer(0), action: row.text(1), key: ResourceKey(type: row.text(2), id: row.text(3)), kind: kind,
        state: OutboxEntry.State(rawValue: row.text(5)) ?? .review,
        author: Author(
          issuer: row.text(6), subject: row.text(7), practitioner: row.optionalText(8).map { Practitioner.ID($0) }),
        notBefore: row.optionalInteger(9), resolvableFrom: isPosted ? row.optionalInteger(10).map { $0 + lag } : nil,
        creates: creates[row.integer(0)] ?? [], needsRefresh: kind != .create && row.flag(12), goesAlone: row.flag(13))
    }
  }
}
