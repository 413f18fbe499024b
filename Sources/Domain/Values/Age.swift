/// An age as it may be told: exactly, or between two ages when the birth date is not known to the day.
public enum Age: Hashable, Sendable, CustomStringConvertible {
  /// The birth date is known to the day.
  case exact(AgeSpan)
  /// The birth date is a year or a month: the youngest and the oldest that the person may be.
  case range(AgeSpan, AgeSpan)

  /// For people: `41 years`, `14 months` below two years, `9 days` below one month, `74–75 years` or `about 75 years`.
  public var description: String {
    switch self {
    case .exact(let span):
      return Self.text(span)
    case .range(let low, let high):
      if low.years >= 2 {
        return low.years == high.years ? "about \(low.years) years" : "\(low.years)–\(high.years) years"
      }
      if high.years < 2 {
        return low.totalMonths == high.totalMonths
          ? "about \(Self.count(low.totalMonths, "month"))" : "\(low.totalMonths)–\(high.totalMonths) months"
      }
      return "\(low.years)–\(high.years) years"
    }
  }

  private static func text(_ span: AgeSpan) -> String {
    if span.years >= 2 { return "\(span.years) years" }
    if span.totalMonths >= 1 { return count(span.totalMonths, "month") }
    return count(span.days, "day")
  }

  private static func count(_ number: Int, _ unit: String) -> String {
    "\(number) \(unit)\(number == 1 ? "" : "s")"
  }
}
