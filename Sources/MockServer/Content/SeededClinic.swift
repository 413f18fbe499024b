public import JSON

/// A made-up clinic, the same for the same number of patients and day: one organisation, its rooms and practitioners, patients of many
/// cultures, appointments around the day, and vital signs before it. Every resource is valid FHIR R4. There is one practitioner for forty
/// patients, besides three; with as many practitioners, a smaller clinic is the beginning of a larger one.
public struct SeededClinic: Sendable {
  /// All resources, those first that others refer to.
  public let resources: [JSONValue]

  /// - Parameters:
  ///   - day: `YYYY-MM-DD`; anything else counts as 1970-01-01.
  public init(patients: Int, day: String) {
    let date = TimeRange(day).map { Int($0.start / Instant.dayLength) } ?? 0
    var builder = ClinicBuilder(day: date, patients: max(0, patients))
    resources = builder.build()
  }

  /// Whether the text is a day, `YYYY-MM-DD`.
  public static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && TimeRange(text) != nil }

  /// The present day in UTC by the system's clock.
  public static func today() -> String { CivilDate(days: Int(SystemTime.milliseconds() / Instant.dayLength)).text }
}
