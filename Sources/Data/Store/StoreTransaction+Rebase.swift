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
      let outcome = ThreeWayMerge.merge(entry.patch, type: type, from: old, to: new)
      let isLeft =
        switch entry.state {
        case .pending: try rebase(pending: &entry, outcome, from: old, arrived)
        case .review: try rebase(inReview: &entry, outcome, arrived)
        case .sending, .ambiguous: true
        }
      if isLeft, entry.state == .review, case .update(let edits) = entry.patch {
        // What is in review stays in the view, also where the server took away the list item that it changes.
        let whole = ThreeWayMerge.completing(edits, from: old, to: new)
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

  /// - Returns: whether the entry is still there.
  private func rebase(
    pending entry: inout OutboxEntry, _ outcome: ThreeWayMerge.Outcome, from old: JSONValue?, _ arrived: ServerDocument
  ) throws(AppError) -> Bool {
    switch outcome {
    case .alreadyThere:
      try remove(entry, outcome: "already at the server", version: arrived.version)
      return false
    case .clean(let patch): try advance(&entry, patch, to: arrived.version)
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
    case (.conflict, .conflict), (.deletedRemotely, .conflict):
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
