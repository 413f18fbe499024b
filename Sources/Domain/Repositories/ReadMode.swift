/// How long a reader listens to the answers of one read, and what it lets the repository ask of the network.
public enum ReadMode: Hashable, Sendable {
  /// The local answer, without any request.
  case local
  /// The local answer; what is stale is asked for behind it, and the reader does not wait.
  case atOnce
  /// Asks the server in any case, and listens until it has answered or could not be reached.
  case settled
  /// Listens to every change until the reader's task is cancelled.
  case live

  /// What the repository may ask of the network.
  public var policy: ReadPolicy {
    switch self {
    case .local: .localOnly
    case .atOnce, .live: .revalidateWhenStale
    case .settled: .revalidateAlways
    }
  }

  /// Whether a reader in this mode stops listening after an answer in that state.
  public func isSatisfied(by revalidation: Revalidation) -> Bool {
    switch self {
    case .local, .atOnce: true
    case .settled: revalidation != .running
    case .live: false
    }
  }
}
