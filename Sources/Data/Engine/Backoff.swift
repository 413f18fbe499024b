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

  /// The age, in milliseconds, from which an entry that keeps failing goes to a person earlier: 30 days. What only waited
  /// for a network or a sign-in has not failed.
  package static let maximumAge: Int64 = 30 * 86_400_000

  /// Whether an entry has been tried long enough.
  ///
  /// - Parameters:
  ///   - attempts: how often it was tried, the last one included.
  ///   - age: milliseconds since it was written.
  package static func isSpent(attempts: Int, age: Int64) -> Bool {
    attempts >= maximumAttempts || (attempts >= 3 && age > maximumAge)
  }

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
