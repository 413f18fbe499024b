import Domain
import JSON

extension StoreTransaction {
  /// Merges entries, in order, with a base that moved. Those that are with the server are left alone.
  ///
  /// - Parameter old: the base before, with all earlier entries applied.
  /// - Returns: The entries that are left.
  func rebase(_ entries: [OutboxEntry], type: String, from old: JSONValue?, to arrived: ServerDocument)
    throws(AppError) -> [OutboxEntry]
  {
    var old = old
    var new = arrived.document
    var left: [OutboxEntry] = []
    for var entry in entries {
      let before = entry.patch
      // The base of what waits for a person may have moved since it was written.
      let seen = entry.state == .review ? entry.patch.seen(in: old) : old
      let outcome =
        try returned(&entry, to: new) ?? ThreeWayMerge.merge(entry.patch, type: type, from: seen, to: new)
      let isLeft =
        switch entry.state {
        case .pending: try rebase(pending: &entry, outcome, from: old, arrived)
        case .review: try rebase(inReview: &entry, outcome, arrived)
        case .sending, .ambiguous: true
        }
      if isLeft, entry.state == .review, case .update(let edits) = entry.patch {
        // What is in review stays in the view, also where the server took away the list item that it changes; and it
        // keeps what its author saw, since nobody can tell that later.
        let isSettled = if case .clean = outcome { true } else { false }
        let kept = isSettled ? edits : ThreeWayMerge.withContext(edits, type: type, from: seen)
        let whole = ThreeWayMerge.completing(kept, from: seen, to: new)
        if whole != edits {
          entry.patch = .update(whole)
          try replacePatch(entry.number, entry.patch, baseVersion: entry.baseVersion)
        }
      }
      old = before.apply(to: old)
      guard isLeft else { continue }
      left.append(entry)
      new = entry.patch.apply(to: new)
    }
    return left
  }

  /// A record that was to be made anew is back at the server: whoever wanted that sees what differs.
  ///
  /// - Returns: `nil` when it is something else.
  private func returned(_ entry: inout OutboxEntry, to document: JSONValue?) throws(AppError)
    -> ThreeWayMerge.Outcome?
  {
    guard entry.recreates, case .create(let made) = entry.patch, let document, !entry.patch.isMade(by: document) else {
      return nil
    }
    let edits = PatchDiff.edits(from: document.withoutMeta, to: made.withoutMeta)
    entry.patch = .update(edits.map { ElementEdit(path: $0.path, old: nil, new: $0.new) })
    entry.kind = .update
    entry.baseVersion = nil
    try replacePatch(entry.number, entry.patch, baseVersion: nil)
    return .conflict(disputes(of: entry.patch, from: nil, to: document))
  }

  /// - Returns: whether the entry is still there.
  private func rebase(
    pending entry: inout OutboxEntry, _ outcome: ThreeWayMerge.Outcome, from old: JSONValue?, _ arrived: ServerDocument
  ) throws(AppError) -> Bool {
    switch outcome {
    case .alreadyThere:
      try remove(entry, outcome: "already at the server", version: arrived.version)
      return false
    case .clean(let patch): try advance(&entry, patch, to: entry.recreates ? entry.baseVersion : arrived.version)
    case .conflict(let disputes):
      entry.state = .review
      try hold(
        entry, .conflict, "the same was changed here and at the server", disputes: disputes,
        serverVersion: arrived.version)
    case .deletedRemotely:
      entry.state = .review
      try hold(
        entry, .deletedRemotely, "the record was deleted at the server after it was edited here",
        disputes: disputes(of: entry.patch, from: old, to: nil), serverVersion: arrived.version)
    }
    return true
  }

  /// Merges an entry that may go again with a base that moved while it waited for a person, if nobody did that yet.
  ///
  /// - Returns: the entry as it goes; `nil` when nothing of it is to be sent now.
  func merged(_ entry: OutboxEntry) throws(AppError) -> OutboxEntry? {
    guard case .update(let edits) = entry.patch, let record = try resource(entry.key), let base = record.base,
      record.state != .unknown
    else { return entry }
    if record.state == .present, isMerged(entry, with: record) { return entry }
    _ = try rebase(
      [entry], type: record.key.type, from: edits.reverted(in: base),
      to: ServerDocument(
        key: record.key, document: record.state == .present ? base : nil, version: record.version))
    try refreshView(of: record.key)
    return try outboxEntry(entry.number).flatMap { $0.state == .pending ? $0 : nil }
  }

  /// Whether an edit, which is first in its line, stands on the present base: by the versions, or where there are none,
  /// by the values that its author saw.
  func isMerged(_ entry: OutboxEntry, with record: ResourceRecord) -> Bool {
    guard case .update(let edits) = entry.patch, let base = record.base else { return true }
    if entry.baseVersion != nil || record.version != nil { return entry.baseVersion == record.version }
    return edits.reverted(in: base).meansTheSame(as: base)
  }

  /// What waits for a person keeps waiting; but nobody shall decide over values that the server no longer has.
  ///
  /// - Returns: whether the entry is still there.
  private func rebase(inReview entry: inout OutboxEntry, _ outcome: ThreeWayMerge.Outcome, _ arrived: ServerDocument)
    throws(AppError) -> Bool
  {
    guard let item = try openReviewItem(ofEntry: entry.number) else { return true }
    switch (item.kind, outcome) {
    case (.refusal, .alreadyThere), (.halfApplied, .alreadyThere), (.conflict, .alreadyThere),
      (.deletedRemotely, .alreadyThere):
      try remove(entry, outcome: "already at the server", version: arrived.version)
      return false
    case (.refusal, .clean(let patch)), (.halfApplied, .clean(let patch)):
      // It was certainly not applied, so its author's next edit still amends it.
      try advance(&entry, patch, to: arrived.version)
    case (.deletedRemotely, .clean(let patch)):
      try closeReview(ofEntry: entry.number, decision: "the record is back at the server")
      try advance(&entry, patch, to: arrived.version)
      try reset(entry, reason: "the record is back at the server")
      entry.state = .pending
    case (.conflict, .conflict), (.conflict, .clean), (.deletedRemotely, .conflict):
      let disputes = self.disputes(of: entry, item, theirs: arrived.document)
      guard item.kind == .deletedRemotely || !item.shows(disputes, of: arrived.document) else { return true }
      try closeReview(ofEntry: entry.number, decision: "the server changed again")
      try hold(
        entry, .conflict, "the same was changed here and, once more, at the server", disputes: disputes,
        serverVersion: arrived.version)
    case (.conflict, .deletedRemotely):
      try closeReview(ofEntry: entry.number, decision: "the server changed again")
      try hold(
        entry, .deletedRemotely, "the record was deleted at the server after it was edited here",
        disputes: disputes(of: entry.patch, from: nil, to: nil), serverVersion: arrived.version)
    default: break
    }
    return true
  }

  /// What an entry that is in review disputes with a document of the server.
  private func disputes(of entry: OutboxEntry, _ item: StoredReviewItem, theirs: JSONValue?)
    -> [ThreeWayMerge.Dispute]
  {
    guard let theirs, case .update(let edits) = entry.patch else {
      return item.disputes.map { dispute in
        var dispute = dispute
        dispute.theirs = theirs?.value(at: dispute.path)
        return dispute
      }
    }
    // The document that the edit was made on, as far as it matters here.
    let before =
      item.disputes.map { ElementEdit(path: $0.path, old: nil, new: $0.base) }
      + edits.map { ElementEdit(path: $0.path, old: nil, new: $0.old) }
    let outcome = ThreeWayMerge.merge(
      entry.patch, type: entry.key.type, from: before.apply(to: theirs), to: theirs)
    if case .conflict(let disputes) = outcome { return disputes }
    // What was in dispute is not any more: the item goes on showing it, with the values of now.
    return item.disputes.map { dispute in
      var dispute = dispute
      dispute.theirs = theirs.value(at: dispute.path)
      return dispute
    }
  }

  private func advance(_ entry: inout OutboxEntry, _ patch: Patch, to version: String?) throws(AppError) {
    guard patch != entry.patch || entry.baseVersion != version else { return }
    try replacePatch(entry.number, patch, baseVersion: version)
    entry.patch = patch
    entry.baseVersion = version
  }
}

extension StoredReviewItem {
  /// Whether the item says what the server has of all that is in dispute now.
  fileprivate func shows(_ now: [ThreeWayMerge.Dispute], of document: JSONValue?) -> Bool {
    let shown = disputes
    return shown.allSatisfy { JSONValue.meansTheSame(document?.value(at: $0.path), $0.theirs) }
      && now.allSatisfy { one in
        shown.contains { $0.path.steps.starts(with: one.path.steps) || one.path.steps.starts(with: $0.path.steps) }
      }
  }
}

extension Patch {
  /// A document as the author of the edits saw it, as far as it matters to them.
  fileprivate func seen(in document: JSONValue?) -> JSONValue? {
    guard case .update(let edits) = self, let document else { return document }
    return edits.reverted(in: document)
  }
}
