import Domain
import JSON

/// What is known of a record that the server does not show any more.
enum Disappearance: Int64, Hashable, Sendable {
  /// A history says that it was deleted.
  case deleted = 0
  /// A search for its id does not find it.
  case notShown = 1
  /// One of too many at once: a person decides.
  case inReview = 2
  /// A person decided to keep it.
  case kept = 3
}

extension StoreTransaction {
  /// Notes that a record that readers see is gone at the server, or not shown. It is settled at the end of the pass.
  func noteDisappearance(of key: ResourceKey, _ state: Disappearance) throws(AppError) {
    guard let record = try resource(key), record.state == .present else { return }
    try run(
      "INSERT OR IGNORE INTO disappearance (type, id, state) VALUES (?, ?, ?)",
      [.text(record.key.type), .text(record.key.id), .integer(state.rawValue)])
  }

  /// A record is there after all.
  func noteReappearance(of key: ResourceKey) throws(AppError) {
    try run("DELETE FROM disappearance WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)])
    guard connection.changedRows > 0 else { return }
    let left = try first(
      "SELECT 1 FROM disappearance WHERE type = ? AND state = 2 LIMIT 1", [.text(key.type)]
    ) { _ throws(SQLiteError) in true }
    guard left == nil, let item = try openDisappearance(ofType: key.type) else { return }
    try run(
      "UPDATE review SET decision = ?, decided = ? WHERE number = ?",
      [.text("the records are back at the server"), .text(now.text), .integer(item.number)])
    noteReview()
  }

  /// What disappeared of a type.
  func disappeared(_ type: String, _ state: Disappearance) throws(AppError) -> [ResourceKey] {
    try all(
      "SELECT id FROM disappearance WHERE type = ? AND state = ? ORDER BY id", [.text(type), .integer(state.rawValue)]
    ) { row throws(SQLiteError) in ResourceKey(type: type, id: row.text(0)) }
  }

  /// Applies the deletions that a history has told of, unless they are too many to be an everyday thing.
  func settleDeletions(type: String, asked: ReadMark?) throws(AppError) -> (deleted: Int, warnings: [String]) {
    let keys = try disappeared(type, .deleted)
    guard !keys.isEmpty else { return (0, []) }
    if try holdMassDisappearance(type, .deleted, count: keys.count) {
      return (0, ["\(keys.count) records were deleted at the server at once: that waits for a decision"])
    }
    return (try deleteLocally(keys, asked: asked), [])
  }

  /// Takes the news that records are gone.
  func deleteLocally(_ keys: [ResourceKey], asked: ReadMark? = nil) throws(AppError) -> Int {
    var count = 0
    for key in keys {
      try run("DELETE FROM disappearance WHERE type = ? AND id = ?", [.text(key.type), .text(key.id)])
      count += try receiveDeletion(key, asked: asked) ? 1 : 0
    }
    return count
  }

  /// From how many records on a disappearance may be of too many, and what part of a type's records is too much.
  private static let (fewest, part, most) = (20, 10, 1_000)

  /// Puts what disappeared before a person, if it is too much at once: a wiped or wrong server, an account that lost its
  /// rights, and a mistake look like this.
  ///
  /// - Returns: whether it is.
  func holdMassDisappearance(_ type: String, _ state: Disappearance, count: Int) throws(AppError) -> Bool {
    guard count >= Self.fewest else { return false }
    let all = Int(
      try first("SELECT count(*) FROM resource WHERE type = ?", [.text(type)]) { row throws(SQLiteError) in
        row.integer(0)
      } ?? 0)
    guard count > Self.most || count * Self.part > all else { return false }
    try run(
      "UPDATE disappearance SET state = 2 WHERE type = ? AND state = ?", [.text(type), .integer(state.rawValue)])
    let held = try disappeared(type, .inReview).count
    let explanation =
      "\(held) of \(all) records of the type \(type) are not at the server any more, or not shown to this account, all "
      + "at once; they stay here until someone decides"
    let details: JSONValue = ["count": .number(JSONNumber(held)), "elements": []]
    if let item = try openDisappearance(ofType: type) {
      try run(
        "UPDATE review SET explanation = ?, details = ? WHERE number = ?",
        [.text(explanation), .blob(details.bytes()), .integer(item.number)])
    } else {
      try run(
        "INSERT INTO review (kind, type, id, since, explanation, details) VALUES (?, ?, '', ?, ?, ?)",
        [
          .text(ReviewItem.Kind.massDisappearance.rawValue), .text(type), .text(now.text), .text(explanation),
          .blob(details.bytes()),
        ])
    }
    noteReview()
    return true
  }

  private func openDisappearance(ofType type: String) throws(AppError) -> StoredReviewItem? {
    try openReviewItems().first { $0.kind == .massDisappearance && $0.key.type == type }
  }

  /// Carries out what a person decided about a mass disappearance.
  ///
  /// - Returns: how many records it was about.
  func decideDisappearance(_ item: StoredReviewItem, accepts: Bool) throws(AppError) -> Int {
    let keys = try disappeared(item.key.type, .inReview)
    if accepts { return try deleteLocally(keys) }
    try run("UPDATE disappearance SET state = 3 WHERE type = ? AND state = 2", [.text(item.key.type)])
    return keys.count
  }

  /// The server refuses a record to this account: what is here stays, and is marked.
  ///
  /// - Returns: whether that is new.
  func withhold(_ key: ResourceKey) throws(AppError) -> Bool {
    try run(
      "UPDATE resource SET withheld = ? WHERE type = ? AND id = ? AND withheld IS NULL AND state = 1",
      [.integer(nowMilliseconds), .text(key.type), .text(key.id)])
    let isNew = connection.changedRows > 0
    if isNew { note(key) }
    return isNew
  }
}
