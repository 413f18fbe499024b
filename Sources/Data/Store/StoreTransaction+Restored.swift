import Domain
import JSON

extension StoreTransaction {
  /// The server went back to an older version: it was restored from a backup. What it has lost is offered to a person,
  /// as an edit that waits for a decision.
  func offerAgain(_ record: ResourceRecord, over arrived: ServerDocument) throws(AppError) {
    try noteRestored(record, over: arrived)
    guard let had = record.base?.withoutMeta, let has = arrived.document?.withoutMeta else { return }
    try offer(
      record, PatchDiff.edits(from: has, to: had), over: arrived, .conflict,
      "the server shows an older version than it had: it may have been restored from a backup")
  }

  /// A restored server no longer knows a record: a person decides whether it is made again.
  ///
  /// - Returns: whether that was new.
  func receiveLoss(_ record: ResourceRecord, asked: ReadMark) throws(AppError) -> Bool {
    let gone = ServerDocument(key: record.key, document: nil, version: nil)
    guard try receive(gone, asked: asked) == .stored else { return false }
    // An edit of it that waits for a person already keeps all of it.
    guard try outboxEntries(on: record.key).isEmpty, let had = record.base?.withoutMeta else { return true }
    let bare: JSONValue = ["resourceType": .string(record.key.type), "id": .string(record.key.id)]
    try offer(
      record, PatchDiff.edits(from: bare, to: had), over: gone, .deletedRemotely,
      "the server no longer knows the record: it may have been restored from a backup")
    return true
  }

  private func offer(
    _ record: ResourceRecord, _ edits: [ElementEdit], over arrived: ServerDocument, _ kind: ReviewItem.Kind,
    _ explanation: String
  ) throws(AppError) {
    guard !edits.isEmpty else { return }
    let context = WriteContext(author: try lastAuthor(of: record.key) ?? .unknown, action: ids.next())
    let entry = OutboxEntry(
      key: record.key, patch: .update(edits), baseVersion: arrived.version, summary: "restore what the server lost",
      at: now, ids, context)
    let number = try insert(entry)
    guard let stored = try outboxEntry(number) else { return }
    try hold(
      stored, kind, explanation, disputes: disputes(of: stored.patch, from: record.base, to: arrived.document),
      serverVersion: arrived.version)
    try refreshView(of: record.key)
  }

  /// What the server had stamped later than the version that it shows now may be lost as well: all of that is read again,
  /// each record by itself, by this sync or the next ones.
  private func noteRestored(_ record: ResourceRecord, over arrived: ServerDocument) throws(AppError) {
    guard let had = record.stamp, let has = arrived.stamp else { return }
    if let known = try restoration(), known.since <= has, had <= known.until { return }
    let stamps = try all("SELECT rowid, updated FROM resource WHERE state = 1 AND updated IS NOT NULL") {
      row throws(SQLiteError) in (row.integer(0), row.text(1))
    }
    var latest = had
    for (rowID, text) in stamps {
      guard let stamp = Instant(text), stamp > has else { continue }
      latest = max(latest, stamp)
      try run("UPDATE resource SET refresh = 1 WHERE rowid = ?", [.integer(rowID)])
    }
    try setMeta("restored", "\(has.utcText) \(latest.utcText)")
  }

  /// Between which of its stamps the server has lost what it had.
  private func restoration() throws(AppError) -> (since: Instant, until: Instant)? {
    let parts = try meta("restored")?.split(separator: " ").compactMap { Instant(String($0)) } ?? []
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  /// Whether a record that the server does not know was lost by a restoration, and not deleted: it was to be read for that
  /// reason.
  func mayBeLost(_ record: ResourceRecord) throws(AppError) -> Bool {
    guard record.needsRefresh, record.state == .present, let stamp = record.stamp, let known = try restoration() else {
      return false
    }
    return stamp > known.since && stamp <= known.until
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
  fileprivate var stamp: Instant? { base?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init) }

  /// Whether what arrived was stamped by the server at another time than what is known.
  func hasAnotherStamp(than arrived: ServerDocument) -> Bool {
    guard let mine = stamp, let theirs = arrived.stamp else { return false }
    return mine.secondsSince1970 != theirs.secondsSince1970
  }

  /// Whether what is known was surely stamped by the server before what arrived.
  func isOlder(than arrived: ServerDocument) -> Bool {
    guard let mine = stamp, let theirs = arrived.stamp else { return false }
    return mine < theirs
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
