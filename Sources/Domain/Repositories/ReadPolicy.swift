/// What a read may ask of the network. The local answer always comes first and at once.
public enum ReadPolicy: Hashable, Sendable {
  /// The local answer only; no request is made.
  case localOnly
  /// Ask the server when the answer is stale.
  case revalidateWhenStale
  /// Ask the server in any case.
  case revalidateAlways
}
