package import Domain

/// For how long an answer counts as fresh, and from when on as expired. By resource type, in seconds.
package struct FreshnessWindows: Hashable, Sendable {
  /// The two bounds of one type.
  package struct Window: Hashable, Sendable {
    /// Younger than this: fresh.
    package var fresh: Int64
    /// Older than this: expired.
    package var expired: Int64

    package init(fresh: Int64, expired: Int64) {
      self.fresh = fresh
      self.expired = expired
    }
  }

  /// By type.
  package var windows: [String: Window]
  /// For types that are not named.
  package var standard: Window

  /// What changes often, and matters most when it does, is stale first.
  package static let clinical = FreshnessWindows(
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
