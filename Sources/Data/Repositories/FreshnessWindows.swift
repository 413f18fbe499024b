package import Domain

/// For how long an answer counts as fresh, and from when on as expired. By resource type, in seconds.
public struct FreshnessWindows: Hashable, Sendable {
  /// The two bounds of one type.
  public struct Window: Hashable, Sendable {
    /// Younger than this: fresh.
    public var fresh: Int64
    /// Older than this: expired.
    public var expired: Int64

    /// Creates a window, in seconds.
    public init(fresh: Int64, expired: Int64) {
      self.fresh = fresh
      self.expired = expired
    }
  }

  /// By type.
  public var windows: [String: Window]
  /// For types that are not named.
  public var standard: Window

  /// Creates windows.
  public init(windows: [String: Window], standard: Window) {
    self.windows = windows
    self.standard = standard
  }

  /// What changes often, and matters most when it does, is stale first.
  public static let clinical = FreshnessWindows(
    windows: [
      "Appointment": Window(fresh: 60, expired: 86_400),
      "Observation": Window(fresh: 120, expired: 7 * 86_400),
      "Patient": Window(fresh: 300, expired: 7 * 86_400),
      "Practitioner": Window(fresh: 86_400, expired: 90 * 86_400),
      "Location": Window(fresh: 86_400, expired: 90 * 86_400),
    ], standard: Window(fresh: 300, expired: 7 * 86_400))

  /// Judges an answer. Bounds are half-open: an age of exactly `fresh` is stale, of exactly `expired` is expired. An
  /// answer from the future, by a clock that was set back, is stale.
  package func freshness(type: String, confirmed: Int64?, now: Int64) -> Freshness {
    guard let confirmed else { return .missing }
    let asOf = Instant(milliseconds: confirmed)
    let window = windows[type] ?? standard
    let age = now - confirmed
    if age < 0 { return .stale(asOf: asOf) }
    if age < window.fresh * 1_000 { return .fresh(asOf: asOf) }
    return age < window.expired * 1_000 ? .stale(asOf: asOf) : .expired(asOf: asOf)
  }
}
