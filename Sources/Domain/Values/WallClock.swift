/// Where the time of day comes from. Injected, so that tests own it.
public struct WallClock: Sendable {
  /// The present instant.
  public var now: @Sendable () -> Instant

  /// Creates a clock from a closure.
  public init(now: @escaping @Sendable () -> Instant) {
    self.now = now
  }

  /// A clock that stands still.
  public static func fixed(_ instant: Instant) -> WallClock {
    WallClock { instant }
  }
}
