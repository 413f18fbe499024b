import Domain

extension StoreTransaction {
  /// A mark that grows whenever something to send was written: an edit, or a decision that lets an entry go again.
  func writtenMark() throws(AppError) -> Int64 {
    try first(
      """
      SELECT serial FROM transition WHERE new_state = 'pending' AND (old_state IS NULL OR old_state = 'review')
      ORDER BY serial DESC LIMIT 1
      """
    ) { row throws(SQLiteError) in row.integer(0) } ?? 0
  }
}

extension Store {
  /// Whether something to send was written after a mark, here or by another process.
  func hasWritten(after mark: Int64) async -> Bool {
    let now = try? await read { transaction throws(AppError) in try transaction.writtenMark() }
    return (now ?? mark) > mark
  }

  /// Returns once something to send was written after a mark; or when the task is cancelled.
  ///
  /// What other processes write is noticed where a ``ForeignCommitWatch`` runs.
  func waitForWriting(after mark: Int64, _ subscription: ChangeHub.Subscription) async {
    for await _ in subscription.wakes where subscription.take().outbox {
      if await hasWritten(after: mark) { return }
    }
  }
}
