import Domain
import JSON

extension StoreTransaction {
  /// The server went back to an older version: it was restored from a backup. What it has lost is offered to a person,
  /// as an edit that waits for a decision.
  func offerAgain(_ record: ResourceRecord, over arrived: ServerDocument) throws(AppError) {
    guard let had = record.base?.withoutMeta, let has = arrived.document?.withoutMeta else { return }
    let edits = PatchDiff.edits(from: has, to: had)
    guard !edits.isEmpty else { return }
    let context = WriteContext(author: try lastAuthor(of: record.key) ?? .unknown, action: ids.next())
    let entry = OutboxEntry(
      key: record.key, patch: .update(edits), baseVersion: arrived.version, summary: "restore what the server lost",
      at: now, ids, context)
    let number = try insert(entry)
    guard let stored = try outboxEntry(number) else { return }
    try hold(
      stored, .conflict, "the server shows an older version than it had: it may have been restored from a backup",
      disputes: disputes(of: stored.patch, from: record.base, to: arrived.document), serverVersion: arrived.version)
    try refreshView(of: record.key)
  }

  private func lastAuthor(of key: ResourceKey) throws(AppError) -> Author? {
    try first(
      "SELECT issuer, subject FROM audit WHERE type = ? AND id = ? ORDER BY serial DESC LIMIT 1",
      [.text(key.type), .text(key.id)]
    ) { row throws(SQLiteError) in Author(issuer: row.text(0), subject: row.text(1)) }
  }

  /// An edit that nobody here has written is that of the person who decides to send it.
  func adopt(_ entry: OutboxEntry, by author: Author) throws(AppError) {
    guard entry.author == .unknown else { return }
    try run(
      "UPDATE outbox SET issuer = ?, subject = ?, practitioner = ? WHERE number = ?",
      [
        .text(author.issuer), .text(author.subject), SQLValue(author.practitioner?.rawValue), .integer(entry.number),
      ])
  }
}

extension Author {
  /// Nobody known here.
  static let unknown = Author(issuer: "", subject: "unknown")
}

extension ResourceRecord {
  private var stamp: Instant? { base?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init) }

  /// Whether what arrived was stamped by the server at another time than what is known.
  func hasAnotherStamp(than arrived: ServerDocument) -> Bool {
    guard let mine = stamp, let theirs = arrived.stamp else { return false }
    return mine.secondsSince1970 != theirs.secondsSince1970
  }

  /// Whether what is known was stamped by the server so much later than what arrived that its clocks cannot explain it.
  func isNewer(than arrived: ServerDocument) -> Bool {
    guard state == .present, let mine = stamp, let theirs = arrived.stamp else { return false }
    return mine.secondsSince1970 - theirs.secondsSince1970 > PullRequest.overlapSeconds
  }
}

extension ServerDocument {
  fileprivate var stamp: Instant? { document?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init) }
}
