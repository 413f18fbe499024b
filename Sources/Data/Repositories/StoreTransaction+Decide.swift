import Domain
import JSON

extension StoreTransaction {
  /// Carries a decision out. It is recorded with its author in the same transaction.
  func decide(_ item: StoredReviewItem, _ decision: ReviewDecision, confirmed: Bool, by author: Author)
    throws(AppError) -> ReviewOutcome
  {
    guard decision.fits(item.kind) else { throw misfit(decision.option, item) }
    if item.kind == .massDisappearance { return try decideGone(item, decision, by: author) }
    guard let number = item.entry, let entry = try outboxEntry(number) else {
      throw AppError(.internalFault, "review item \(item.number) has lost its entry")
    }
    var outcome: ReviewOutcome
    switch decision {
    case .keepMine:
      try adopt(entry, by: author)
      try keepMine(entry, item)
      outcome = ReviewOutcome(
        summary: "entry \(number) will be sent over what the server has, if that is still the same", needsSync: true)
    case .keepTheirs:
      outcome = try keepTheirs(entry, confirmed: confirmed, by: author)
    case .fields(let choices):
      outcome = try keep(choices, of: entry, item, confirmed: confirmed, by: author)
    case .retry:
      try retry(entry, item)
      outcome = ReviewOutcome(
        summary: item.kind.isRefusal || item.kind == .likelyDuplicate
          ? "entry \(number) will be sent again" : "entry \(number) is looked for again with the next sync",
        needsSync: true)
    case .amend(let amendments):
      try amend(entry, item, amendments)
      outcome = ReviewOutcome(summary: "entry \(number) is corrected, and will be sent again", needsSync: true)
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
    if let entry = try outboxEntry(number), entry.state == .pending, try merged(entry) == nil {
      outcome = try overtaken(number)
    }
    return outcome
  }

  /// What comes of an entry that does not go again, since the server has moved under it.
  private func overtaken(_ number: OutboxNumber) throws(AppError) -> ReviewOutcome {
    guard let item = try openReviewItem(ofEntry: number) else {
      return ReviewOutcome(summary: "the server has it already: nothing is to be sent")
    }
    let reason =
      item.kind == .deletedRemotely ? "the record was deleted at the server" : "the server has changed the same"
    return ReviewOutcome(
      summary: "\(reason) meanwhile: entry \(number) waits for another decision", followedBy: item.number)
  }

  /// Keeps records that are gone from the server, or lets them go.
  private func decideGone(_ item: StoredReviewItem, _ decision: ReviewDecision, by author: Author)
    throws(AppError) -> ReviewOutcome
  {
    let accepts = decision == .keepTheirs
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
    if record.state == .deleted || (record.state == .unknown && entry.kind == .create) {
      // The record is made anew, with what was written here. By the version it is known that it had been at the server
      // before. What was written behind it follows by itself.
      let earlier = try outboxEntries(on: entry.key).filter { $0.number < entry.number && $0.state != .review }
      let before = entry.kind == .create ? nil : earlier.reduce(record.base) { $1.patch.apply(to: $0) }
      guard let made = entry.patch.apply(to: before) else { throw misfit("--keep mine", item) }
      let deleted = entry.recreates ? entry.baseVersion : record.base?["meta"]?["versionId"]?.string
      try run(
        "UPDATE resource SET base = NULL, version = NULL, etag = NULL, state = 0 WHERE rowid = ?",
        [.integer(record.rowID)])
      try replacePatch(entry.number, .create(made), baseVersion: deleted ?? "")
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
        edits.changes.map { ElementEdit(path: $0.path, old: record.base?.value(at: $0.path), new: $0.new) })
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
    let left = edits.changes.filter { sides[ConflictUnit(containing: $0.path, type: entry.key.type)] != .theirs }
    if left.isEmpty {
      guard confirmed else {
        throw AppError(
          .needsConfirmation,
          "give up what was written here (\(entry.summary))? The server has not accepted it, and it will be lost",
          hint: "review show \(item.number)")
      }
      return try keepTheirs(entry, confirmed: confirmed, by: author)
    }
    try sendOver(record, entry, .update(left))
    return ReviewOutcome(
      summary: left.count == edits.changes.count
        ? "entry \(entry.number) will be sent over what the server has, if that is still the same"
        : "entry \(entry.number) will be sent without what the server keeps, if that is still the same",
      needsSync: true)
  }

  private func retry(_ entry: OutboxEntry, _ item: StoredReviewItem) throws(AppError) {
    switch item.kind {
    case .refusal, .halfApplied:
      try reset(entry, reason: "sent again by a person")
      // What others did meanwhile is merged before the same goes again.
      if entry.kind != .create { try markForRefresh(entry.key) }
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
    guard item.kind.isRefusal, entry.kind != .delete, let record = try resource(entry.key) else {
      throw misfit("--amend", item)
    }
    let before = try outboxEntries(on: entry.key).filter { $0.number < entry.number }
      .reduce(record.base) { $1.patch.apply(to: $0) }
    guard let written = entry.patch.apply(to: before) else { throw misfit("--amend", item) }
    let amended = try FieldDecision.amending(written, amendments)
    switch entry.patch {
    case .create: try replacePatch(entry.number, .create(amended), baseVersion: entry.baseVersion)
    case .update, .delete:
      var edits = before.map { PatchDiff.edits(from: $0, to: amended) } ?? []
      if case .update(let refused) = entry.patch {
        // What its author saw stays what the correction is compared with.
        for index in edits.indices {
          if let same = refused.first(where: { $0.path == edits[index].path }) { edits[index].old = same.old }
        }
      }
      guard !edits.isEmpty else {
        throw AppError(
          .notAllowed, "with that, entry \(entry.number) would change nothing", hint: "review \(item.number) --discard")
      }
      if case .update(let refused) = entry.patch { edits += refused.filter(\.isContext) }
      try replacePatch(entry.number, .update(edits), baseVersion: entry.baseVersion)
    }
    try reset(entry, reason: "corrected by a person after a refusal")
    if entry.kind != .create { try markForRefresh(entry.key) }
    try refreshView(of: entry.key)
  }

  private func misfit(_ option: String, _ item: StoredReviewItem) -> AppError {
    let fitting =
      switch item.kind {
      case .conflict: "--keep mine, --keep theirs, --field or --discard"
      case .deletedRemotely: "--keep mine, --keep theirs or --discard"
      case .refusal, .halfApplied: "--amend, --retry or --discard"
      case .doubleMatch, .unresolved, .likelyDuplicate: "--retry or --discard"
      case .massDisappearance: "--keep mine or --keep theirs"
      }
    return AppError(
      .notAllowed, "\(option) does not settle review item \(item.number) (\(item.kind.words))",
      hint: "use \(fitting)")
  }
}

extension ReviewDecision {
  /// The decision as one types it.
  fileprivate var option: String {
    switch self {
    case .keepMine: "--keep mine"
    case .keepTheirs: "--keep theirs"
    case .fields: "--field"
    case .retry: "--retry"
    case .amend: "--amend"
    case .discard: "--discard"
    }
  }

  /// The elements that the decision names, without values.
  fileprivate var elements: String? {
    switch self {
    case .fields(let choices): choices.map { "\($0.element)=\($0.side.rawValue)" }.joined(separator: " ")
    case .amend(let amendments): amendments.map(\.element).joined(separator: " ")
    case .keepMine, .keepTheirs, .retry, .discard: nil
    }
  }
}
