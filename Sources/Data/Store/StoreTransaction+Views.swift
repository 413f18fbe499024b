import Domain
import JSON

extension StoreTransaction {
  /// Recomputes what readers see of a resource: its base with its entries applied, in order.
  func refreshView(of key: ResourceKey) throws(AppError) {
    guard let record = try resource(key) else { return }
    try storeView(of: record, entries: try outboxEntries(on: record.key))
  }

  /// Stores a base and the view over it.
  func storeView(of record: ResourceRecord, entries: [OutboxEntry]) throws(AppError) {
    let view = entries.reduce(record.base) { document, entry in entry.patch.apply(to: document) }
    let isCreated = entries.contains { $0.kind == .create }
    let inReview = entries.count { $0.state == .review }
    // A record that was deleted at the server stays visible while an edit of it waits for a person.
    let isVisible = view != nil && (record.state == .present || isCreated || inReview > 0)
    try run(
      "UPDATE resource SET view = ?, visible = ?, pending = ?, review = ? WHERE rowid = ?",
      [
        SQLValue(view == record.base ? nil : view?.bytes()), SQLValue(isVisible), SQLValue(entries.count),
        SQLValue(inReview), .integer(record.rowID),
      ])
    try deriveIndexes(of: record.key, rowID: record.rowID, view: isVisible ? view : nil)
    note(record.key)
  }

  /// Recounts the entries of a resource that wait for a person.
  func recount(_ key: ResourceKey) throws(AppError) {
    try run(
      """
      UPDATE resource SET review = (SELECT count(*) FROM outbox o
        WHERE o.type = resource.type AND o.id = resource.id AND o.state = 'review')
      WHERE type = ? AND id = ?
      """, [.text(key.type), .text(key.id)])
    note(key)
  }
}
