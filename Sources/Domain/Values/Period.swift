/// A span of time, either end of which may be open (hl7.org/fhir/R4/datatypes.html#Period).
public struct Period: Hashable, Sendable {
  /// The beginning, included.
  public var start: DateTime?
  /// The end, included to its written precision.
  public var end: DateTime?

  /// Makes a period.
  public init(start: DateTime? = nil, end: DateTime? = nil) {
    self.start = start
    self.end = end
  }

  /// Whether the period surely was over before a day of the zone began.
  public func hasEnded(before day: CalendarDay, in zone: ClinicZone) -> Bool {
    guard let end else { return false }
    return end.sortBounds(in: zone).upperBound < zone.bounds(of: day).lowerBound
  }
}
