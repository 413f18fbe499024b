/// The pause before the next try: full jitter, so that many clients do not come back together.
///
/// | attempts so far | at most |
/// | --- | --- |
/// | 1 | 2 s |
/// | 2 | 4 s |
/// | 5 | 32 s |
/// | 9 and more | 5 min |
package enum Backoff {
  /// The longest pause, in milliseconds.
  package static let cap: Int64 = 300_000

  /// Attempts after which an entry goes to a person.
  package static let maximumAttempts = 12

  /// Milliseconds to wait.
  ///
  /// - Parameters:
  ///   - attempts: how often it was tried, at least 1.
  ///   - unit: a random number in `0..<1`.
  package static func delay(attempts: Int, unit: Double) -> Int64 {
    let exponent = min(max(attempts, 1), 20)
    let limit = min(cap, 1_000 << Int64(exponent))
    return Int64(Double(limit) * unit)
  }
}
