import Domain
import JSON

extension StoreTransaction {
  /// Puts an entry on the list of what needs a person, with everything needed to decide.
  func hold(
    _ entry: OutboxEntry, _ kind: ReviewItem.Kind, _ explanation: String, disputes: [ThreeWayMerge.Dispute] = [],
    serverVersion: String? = nil, outcome: JSONValue? = nil
  ) throws(AppError) {
    // The rest of the action stops here: what of it is at the server already matters for the decision.
    var kind = kind
    if kind == .refusal, !(try appliedParts(of: entry)).isEmpty { kind = .halfApplied }
    var details: JSONObject = ["elements": .array(disputes.map(\.json))]
    if let serverVersion { details["serverVersion"] = .string(serverVersion) }
    if let outcome { details["outcome"] = outcome }
    try run(
      """
      INSERT INTO review (kind, type, id, outbox, since, explanation, details) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(kind.rawValue), .text(entry.key.type), .text(entry.key.id), .integer(entry.number), .text(now.text),
        .text(explanation), .blob(JSONValue.object(details).bytes()),
      ])
    // The stored state may be older than the one in hand, which a merge may already have set.
    var stored = entry
    stored.state = try outboxEntry(entry.number)?.state ?? entry.state
    try move(stored, to: .review, reason: explanation)
    noteReview()
  }

  /// Closes the open review items of an entry.
  func closeReview(ofEntry number: OutboxNumber, decision: String, by author: Author? = nil) throws(AppError) {
    try run(
      "UPDATE review SET decision = ?, decided = ?, decided_by = ? WHERE outbox = ? AND decision IS NULL",
      [.text(decision), .text(now.text), SQLValue(author.map { "\($0.issuer)|\($0.subject)" }), .integer(number)])
    if connection.changedRows > 0 { noteReview() }
  }

  /// All open items, oldest first.
  func openReviewItems() throws(AppError) -> [StoredReviewItem] {
    try reviewItems("WHERE decision IS NULL ORDER BY number", [])
  }

  /// One open item.
  func openReviewItem(_ number: ReviewNumber) throws(AppError) -> StoredReviewItem? {
    try reviewItems("WHERE number = ? AND decision IS NULL", [.integer(number)]).first
  }

  /// The open item of an entry.
  func openReviewItem(ofEntry number: OutboxNumber) throws(AppError) -> StoredReviewItem? {
    try reviewItems("WHERE outbox = ? AND decision IS NULL ORDER BY number DESC", [.integer(number)]).first
  }

  private func reviewItems(_ tail: String, _ values: [SQLValue]) throws(AppError) -> [StoredReviewItem] {
    let raw = try all(
      "SELECT number, kind, type, id, outbox, since, explanation, details FROM review \(tail)", values
    ) { row throws(SQLiteError) in
      (
        StoredReviewItem(
          number: row.integer(0), kind: ReviewItem.Kind(rawValue: row.text(1)) ?? .unresolved,
          key: ResourceKey(type: row.text(2), id: row.text(3)), entry: row.optionalInteger(4), since: row.text(5),
          explanation: row.text(6), details: .null),
        row.blob(7)
      )
    }
    var items: [StoredReviewItem] = []
    for (var item, details) in raw {
      item.details = try JSONValue(stored: details)
      items.append(item)
    }
    return items
  }
}

/// A review item as stored.
struct StoredReviewItem: Hashable, Sendable {
  var number: ReviewNumber
  var kind: ReviewItem.Kind
  var key: ResourceKey
  var entry: OutboxNumber?
  var since: String
  var explanation: String
  var details: JSONValue

  /// The server version that the item was last shown with.
  var serverVersion: String? { details["serverVersion"]?.string }

  /// The elements in dispute.
  var disputes: [ThreeWayMerge.Dispute] {
    (details["elements"]?.array ?? []).compactMap { element in
      element["path"].flatMap(ElementPath.init(json:)).map {
        ThreeWayMerge.Dispute(path: $0, base: element["base"], mine: element["mine"], theirs: element["theirs"])
      }
    }
  }

  /// What the server said, issue by issue.
  var issues: [ReviewItem.Issue] {
    let outcome = details["outcome"].flatMap(OperationOutcomeReader.issues) ?? []
    return outcome.map { issue in
      let words = [issue.details, issue.diagnostics].compactMap { $0.map(CleanText.line) }.first { !$0.isEmpty }
      return ReviewItem.Issue(
        severity: issue.severity, code: issue.code,
        text: CleanText.bounded(words ?? issue.code ?? "no reason given", limit: 400),
        elements: issue.expression.map(CleanText.line))
    }
  }
}

extension ThreeWayMerge.Dispute {
  /// The stored form.
  var json: JSONValue {
    var object: JSONObject = ["path": path.json]
    if let base { object["base"] = base }
    if let mine { object["mine"] = mine }
    if let theirs { object["theirs"] = theirs }
    return .object(object)
  }
}
