public import Domain

extension Snapshots {
  /// Hands every answer to `body` until the reader's patience or its task ends.
  @MainActor
  public func listen(_ mode: ReadMode, _ body: (Snapshot<Value>) -> Void) async {
    if mode == .local {
      if let answer = await first() { body(answer) }
      return
    }
    for await snapshot in self {
      body(snapshot)
      if mode.isSatisfied(by: snapshot.revalidation) { return }
    }
  }
}
