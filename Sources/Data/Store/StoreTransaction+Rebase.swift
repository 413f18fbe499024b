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
    case (.refusal, .alreadyThere), (.conflict, .alreadyThere), (.deletedRemotely, .alreadyThere):
      try remove(entry, outcome: "already at the server", version: arrived.version)
      return false
    case (.refusal, .clean(let patch)):
      // It was certainly not applied, so its author's next edit still amends it.
      try advance(&entry, patch, to: arrived.version)
    case (.deletedRemotely, .clean(let patch)):
      try closeReview(ofEntry: entry.number, decision: "the record is back at the server")
      try advance(&entry, patch, to: arrived.version)
      try reset(entry, reason: "the record is back at the server")
      entry.state = .pending
    case (.conflict, .conflict), (.deletedRemotely, .conflict):
      guard item.kind == .deletedRemotely || !item.shows(arrived.document) else { return true }
      try closeReview(ofEntry: entry.number, decision: "the server changed again")
      try hold(
        entry, .conflict, "the same was changed here and, once more, at the server",
        disputes: disputes(of: entry.patch, from: nil, to: arrived.document), serverVersion: arrived.version)
    case (.conflict, .deletedRemotely):
      try closeReview(ofEntry: entry.number, decision: "the server changed again")
      try hold(
        entry, .deletedRemotely, "the record was deleted at the server after it was edited here",
        disputes: disputes(of: entry.patch, from: nil, to: nil), serverVersion: arrived.version)
    default: break
    }
    return true
  }

  private func advance(_ entry: inout OutboxEntry, _ patch: Patch, to version: String?) throws(AppError) {
    guard patch != entry.patch || entry.baseVersion != version else { return }
    try replacePatch(entry.number, patch, baseVersion: version)
    entry.patch = patch
    entry.baseVersion = version
  }
}

extension StoredReviewItem {
  /// Whether a document holds what the item says that the server has.
  fileprivate func shows(_ document: JSONValue?) -> Bool {
    (details["elements"]?.array ?? []).allSatisfy { element in
      guard let path = element["path"].flatMap(ElementPath.init(json:)) else { return false }
      return JSONValue.meansTheSame(document?.value(at: path), element["theirs"])
    }
  }
}
