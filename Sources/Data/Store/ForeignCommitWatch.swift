/// Notices what other processes commit to the store, and tells the readers here.
///
/// SQLite has no notice across processes; its `data_version` costs microseconds to ask for and moves with every commit of
/// another connection. Our own readers' connections do not commit, so what moves it is foreign.
struct ForeignCommitWatch: Sendable {
  let store: Store

  /// The time between two looks. A commit elsewhere is seen here well within a second.
  static let interval = Duration.milliseconds(250)

  /// Watches until the task is cancelled.
  func run() async {
    var last = try? await store.foreignCommits()
    while !Task.isCancelled {
      do { try await store.effects.timer.sleep(Self.interval) } catch { return }
      // A store that is busy or gone for a moment is asked again the next time.
      guard let now = try? await store.foreignCommits(), now != last else { continue }
      if last != nil { store.hub.publish(.unknown) }
      last = now
    }
  }
}
