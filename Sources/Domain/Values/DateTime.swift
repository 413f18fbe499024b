/// FHIR's `dateTime`: a date of some precision, or a full point in time.
/// Source: hl7.org/fhir/R4/datatypes.html#dateTime.
public enum DateTime: Hashable, Sendable, CustomStringConvertible {
  /// A year, a month or a day.
  case date(PartialDate)
  /// A date with time, seconds and zone.
  case instant(Instant)

  /// Reads either form; `nil` when it is neither.
  public init?(_ text: String) {
    if let date = PartialDate(text) {
      self = .date(date)
    } else if let instant = Instant(text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }

  /// The value exactly as written.
  public var description: String {
    switch self {
    case .date(let date): date.description
    case .instant(let instant): instant.text
    }
  }

  /// The first and the last second that may be meant, for sorting and for windows. A date is taken as days of the zone.
  public func sortBounds(in zone: ClinicZone) -> ClosedRange<Instant> {
    switch self {
    case .instant(let instant):
      return instant...instant
    case .date(let date):
      let lower = zone.bounds(of: date.lowerDay).lowerBound
      let upper = zone.bounds(of: date.upperDay).upperBound.adding(seconds: -1)
      return lower...max(lower, upper)
    }
  }

  /// For people: a date as written, a point in time as the zone's wall clock shows it (`2027-03-12 09:00`).
  public func displayText(in zone: ClinicZone) -> String {
    switch self {
    case .date(let date): return date.description
    case .instant(let instant):
      let local = zone.local(instant)
      return "\(local.day) \(local.timeText)"
    }
  }
}
