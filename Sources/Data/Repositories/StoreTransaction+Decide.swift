import Domain
import JSON

extension StoreTransaction {
  /// Brings an item up to what the server has now, if the elements in dispute moved there since it came up.
  ///
  /// - Returns: whether they did. A decision was then made on what is not there any more.
  func followServer(_ item: StoredReviewItem) throws(AppError) -> Bool {
    guard item.kind == .conflict || item.kind == .deletedRemotely, let number = item.entry,
      let entry = try outboxEntry(number), let record = try resource(entry.key)
    else { return false }
    let isDeleted = record.state == .deleted
    guard record.version != item.serverVersion || isDeleted != (item.kind == .deletedRemotely) else { return false }
    let theirs = isDeleted ? nil : record.base
    let disputes = currentDisputes(item, entry, theirs: theirs)
    func isSame(_ disputes: [ThreeWayMerge.Dispute]) -> Bool {
      disputes.count == item.disputes.count
        && zip(disputes, item.disputes).allSatisfy {
          $0.path == $1.path && JSONValue.meansTheSame($0.theirs, $1.theirs)
        }
    }
    guard isDeleted != (item.kind == .deletedRemotely) || !isSame(disputes) else { return false }
    let kind: ReviewItem.Kind = isDeleted ? .deletedRemotely : .conflict
    var details = item.details
    details["elements"] = .array(disputes.map(\.json))
    details["serverVersion"] = record.version.map(JSONValue.string)
    try run(
      "UPDATE review SET kind = ?, details = ? WHERE number = ?",
      [.text(kind.rawValue), .blob(details.bytes()), .integer(item.number)])
    noteReview()
    return true
  }

  /// What an entry disputes with a document of the server.
  private func currentDisputes(_ item: StoredReviewItem, _ entry: OutboxEntry, theirs: JSONValue?)
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

  /// Carries a decision out. It is recorded with its author in the same transaction.
  func decide(_ item: StoredReviewItem, _ decision: ReviewDecision, confirmed: Bool, by author: Author)
    throws(AppError) -> ReviewOutcome
  {
    if item.kind == .massDisappearance { return try decideGone(item, decision, by: author) }
    guard let number = item.entry, let entry = try outboxEntry(number) else {
      throw AppError(.internalFault, "review item \(item.number) has lost its entry")
    }
    let outcome: ReviewOutcome
    switch decision {
    case .keepMine:
      try adopt(entry, by: author)
      try keepMine(entry, item)
      outcome = ReviewOutcome(
        summary: "entry \(number) will be sent over what the server has, if that is still the same")
    case .keepTheirs:
      guard item.kind == .conflict || item.kind == .deletedRemotely else { throw misfit("--keep theirs", item) }
      outcome = try keepTheirs(entry, confirmed: confirmed, by: author)
    case .fields(let choices):
      outcome = try keep(choices, of: entry, item, confirmed: confirmed, by: author)
    case .retry:
      try retry(entry, item)
      outcome = ReviewOutcome(summary: "entry \(number) will be sent again")
    case .amend(let amendments):
      try amend(entry, item, amendments)
      outcome = ReviewOutcome(summary: "entry \(number) is corrected, and will be sent again")
    case .discard:
      let fallen = try discard(entry, confirmed: confirmed, by: author)
      outcome = ReviewOutcome(
        summary: fallen.count == 1 ? "entry \(number) is discarded" : "\(fallen.count) entries are discarded",
        discarded: fallen.map(\.number))
    }
    try closeReview(ofEntry: number, decision: decision.word, by: author)
    try note(decision, of: item, by: author)
    try audit("decide \(decision.word)", entry.key, number: number, elements: decision.elements, author: author)
    noteReview()
    return outcome
  }

  /// Keeps records that are gone from the server, or lets them go.
  private func decideGone(_ item: StoredReviewItem, _ decision: ReviewDecision, by author: Author)
    throws(AppError) -> ReviewOutcome
  {
    let accepts: Bool
    switch decision {
    case .keepMine: accepts = false
    case .keepTheirs: accepts = true
    case .fields, .retry, .amend, .discard: throw misfit("this", item)
    }
    let count = try decideDisappearance(item, accepts: accepts)
    try note(decision, of: item, by: author)
    try audit("decide \(decision.word)", item.key, number: nil, elements: nil, author: author)
    noteReview()
    return ReviewOutcome(
      summary: accepts
        ? "\(count) records count as deleted now" : "\(count) records stay here as they were last known")
  }

  private func note(_ decision: ReviewDecision, of item: StoredReviewItem, by author: Author) throws(AppError) {
    try run(
      "UPDATE review SET decision = ?, decided = ?, decided_by = ? WHERE number = ?",
      [
        .text(decision.word), .text(now.text), .text("\(author.issuer)|\(author.subject)"), .integer(item.number),
      ])
  }

  private func keepTheirs(_ entry: OutboxEntry, confirmed: Bool, by author: Author) throws(AppError) -> ReviewOutcome {
    let fallen = try discard(entry, confirmed: confirmed, by: author)
    return ReviewOutcome(summary: "the server's version stands; the edit is gone", discarded: fallen.map(\.number))
  }

  /// Our edit goes again, on the server's present document; before it is sent, that is read once more.
  private func keepMine(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) {
    guard item.kind == .conflict || item.kind == .deletedRemotely, let record = try resource(entry.key) else {
      throw misfit("--keep mine", item)
    }
    if record.state == .deleted {
      // The record is made anew, as it is seen here.
      guard let view = record.view else { throw misfit("--keep mine", item) }
      try run(
        "UPDATE resource SET base = NULL, version = NULL, etag = NULL, state = 0 WHERE rowid = ?",
        [.integer(record.rowID)])
      try replacePatch(entry.number, .create(view), baseVersion: nil)
      try reset(entry, reason: "kept by a person, over a deletion at the server")
      try refreshView(of: entry.key)
    } else {
      try sendOver(record, entry, entry.patch)
    }
  }

  /// Lets a patch go on the server's present document.
  private func sendOver(_ record: ResourceRecord, _ entry: OutboxEntry, _ patch: Patch) throws(AppError) {
    var patch = patch
    if case .update(let edits) = patch {
      patch = .update(
        edits.map { ElementEdit(path: $0.path, old: record.base?.value(at: $0.path), new: $0.new) })
    }
    try replacePatch(entry.number, patch, baseVersion: record.version)
    try reset(entry, reason: "kept by a person, over the server's version \(record.version ?? "-")")
    try run("UPDATE resource SET refresh = 1 WHERE rowid = ?", [.integer(record.rowID)])
    try refreshView(of: entry.key)
  }

  /// Decides element by element.
  private func keep(
    _ choices: [ReviewDecision.FieldChoice], of entry: OutboxEntry, _ item: StoredReviewItem, confirmed: Bool,
    by author: Author
  ) throws(AppError) -> ReviewOutcome {
    guard item.kind == .conflict, case .update(let edits) = entry.patch, let record = try resource(entry.key) else {
      throw misfit("--field", item)
    }
    let sides = try FieldDecision(item.disputes, type: entry.key.type).sides(choices)
    let left = edits.filter { sides[ConflictUnit(containing: $0.path, type: entry.key.type)] != .theirs }
    if left.isEmpty { return try keepTheirs(entry, confirmed: confirmed, by: author) }
    try sendOver(record, entry, .update(left))
    return ReviewOutcome(
      summary: left.count == edits.count
        ? "entry \(entry.number) will be sent over what the server has, if that is still the same"
        : "entry \(entry.number) will be sent without what the server keeps, if that is still the same")
  }

  private func retry(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) {
    switch item.kind {
    case .refusal: try reset(entry, reason: "sent again by a person")
    case .likelyDuplicate:
      try run("UPDATE outbox SET compared = 1 WHERE number = ?", [.integer(entry.number)])
      try reset(entry, reason: "a person says that it is someone else")
    case .doubleMatch, .unresolved:
      // It may be at the server: that is found out before anything is sent.
      try run("UPDATE outbox SET attempts = 0, not_before = NULL WHERE number = ?", [.integer(entry.number)])
      try move(entry, to: .ambiguous, reason: "looked for again by a person")
    case .conflict, .deletedRemotely, .massDisappearance: throw misfit("--retry", item)
    }
  }

  /// Gives elements of a refused write other values, and lets it go again.
  private func amend(_ entry: OutboxEntry, _ item: StoredReviewItem, _ amendments: [ReviewDecision.Amendment])
    throws(AppError)
  {
    guard item.kind == .refusal, entry.kind != .delete, let record = try resource(entry.key) else {
      throw misfit("--amend", item)
    }
    let before = try outboxEntries(on: entry.key).filter { $0.number < entry.number }
      .reduce(record.base) { $1.patch.apply(to: $0) }
    guard let written = entry.patch.apply(to: before) else { throw misfit("--amend", item) }
    let amended = try FieldDecision.amending(written, amendments)
    switch entry.patch {
    case .create: try replacePatch(entry.number, .create(amended), baseVersion: nil)
    case .update, .delete:
      let edits = before.map { PatchDiff.edits(from: $0, to: amended) } ?? []
      guard !edits.isEmpty else {
        throw AppError(
          .notAllowed, "with that, entry \(entry.number) would change nothing", hint: "review \(item.number) --discard")
      }
      try replacePatch(entry.number, .update(edits), baseVersion: entry.baseVersion)
    }
    try reset(entry, reason: "corrected by a person after a refusal")
    try refreshView(of: entry.key)
  }

  private func misfit(_ option: String, _ item: StoredReviewItem) -> AppError {
    let fitting =
      switch item.kind {
      case .conflict: "--keep mine, --keep theirs, --field or --discard"
      case .deletedRemotely: "--keep mine, --keep theirs or --discard"
      case .refusal: "--amend, --retry or --discard"
      case .doubleMatch, .unresolved, .likelyDuplicate: "--retry or --discard"
      case .massDisappearance: "--keep mine or --keep theirs"
      }
    return AppError(
      .notAllowed, "\(option) does not settle review item \(item.number), a \(item.kind.rawValue)",
      hint: "use \(fitting)")
  }
}

extension ReviewDecision {
  /// The elements that the decision names, without values.
  fileprivate var elements: String? {
    switch self {
    case .fields(let choices): choices.map { "\($0.element)=\($0.side.rawValue)" }.joined(separator: " ")
    case .amend(let amendments): amendments.map(\.element).joined(separator: " ")
    case .keepMine, .keepTheirs, .retry, .discard: nil
    }
  }
}
