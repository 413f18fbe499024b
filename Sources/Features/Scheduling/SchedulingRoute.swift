public import DesignSystem
public import Domain

/// The places of the scheduling feature.
public nonisolated enum SchedulingRoute: Hashable, Sendable {
  /// The present day: the root.
  case today
  /// A day.
  case day(CalendarDay)
  /// One appointment.
  case appointment(Appointment.ID)
  /// The booking of an appointment for a patient; presented over the place where one is.
  case booking(Patient.ID)

  /// The feature's names in links.
  public static let features = ["schedule", "appointments"]

  /// Reads `clinic://schedule`, `clinic://schedule/DAY`, `clinic://appointments/ID`, `clinic://appointments?book=PATIENT`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.feature, link.path.count, link.query.count) {
    case ("schedule", 0, 0):
      self = .today
    case ("schedule", 1, 0):
      guard let day = CalendarDay(link.path[0]) else {
        throw AppError(
          .notFound, "\(link.text) leads nowhere: \"\(link.path[0])\" is no day", hint: "write the day as 2026-12-01")
      }
      self = .day(day)
    case ("appointments", 1, 0):
      self = .appointment(Appointment.ID(link.path[0]))
    case ("appointments", 0, 1) where link.query["book"]?.isEmpty == false:
      self = .booking(Patient.ID(link.query["book"] ?? ""))
    default:
      throw link.unresolved(
        forms: "clinic://schedule", "clinic://schedule/DAY", "clinic://appointments/ID",
        "clinic://appointments?book=PATIENT")
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .today: DeepLink(feature: "schedule")
    case .day(let day): DeepLink(feature: "schedule", path: [day.description])
    case .appointment(let id): DeepLink(feature: "appointments", path: [id.rawValue])
    case .booking(let id): DeepLink(feature: "appointments", query: ["book": id.rawValue])
    }
  }
}
