package import Foundation

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The wait that the `Retry-After` field of an answer asks for.
  ///
  /// A date is compared with the answer's own `Date` field, so that a wrong clock on either side does not matter; only
  /// without that field with `now`. What lies in the past is zero, and nothing is longer than 68 years.
  /// - Returns: nil without the field, or if it is neither a number of seconds nor a date.
  package static func delay(headers: HTTPHeaders, now: Date) -> Duration? {
    guard let field = headers["Retry-After"] else { return nil }
    let text = String(HTTPText.trimmed(field))
    if let seconds = seconds(text) { return .seconds(seconds) }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    let sent = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
    return .seconds(min(max(0, date.timeIntervalSince(sent)), Double(Int32.max)))
  }

  /// A whole number, also one too large to be stored, or (against the rules) negative.
  private static func seconds(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    if isNegative { return 0 }
    return min(Int(digits) ?? .max, Int(Int32.max))
  }
}
