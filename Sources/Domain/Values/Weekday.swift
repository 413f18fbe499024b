/// A day of the week, in ISO 8601's order and with FHIR's codes (hl7.org/fhir/R4/valueset-days-of-week.html).
public enum Weekday: String, CaseIterable, Hashable, Sendable {
  /// Monday, the first day of the ISO week.
  case monday = "mon"
  /// Tuesday.
  case tuesday = "tue"
  /// Wednesday.
  case wednesday = "wed"
  /// Thursday.
  case thursday = "thu"
  /// Friday.
  case friday = "fri"
  /// Saturday.
  case saturday = "sat"
  /// Sunday.
  case sunday = "sun"
}
