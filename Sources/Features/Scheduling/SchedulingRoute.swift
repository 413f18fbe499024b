public import DesignSystem
public import Domain

/// The places of the scheduling feature.
public nonisolated enum SchedulingRoute: FeatureRoute {
  /// The present day: the root.
  case today
  /// A day.
  case day(CalendarDay)
  /// The week of a day.
  case week(CalendarDay)
  /// The free times of a day.
  case slots(CalendarDay)
  /// One appointment.
  case appointment(Appointment.ID)
  /// The booking of an appointment for a patient; presented over the place where one is.
  case booking(Patient.ID)

  /// The feature's names in links.
  public static let features = ["schedule", "appointments"]

  /// Where it begins.
  public static let root = SchedulingRoute.today

  /// The links that it has.
  public static let forms = [
    "clinic://schedule", "clinic://schedule/DAY", "clinic://schedule/DAY?week", "clinic://schedule/DAY?slots",
    "clinic://appointments/ID", "clinic://appointments?book=PATIENT",
  ]

  /// Reads `clinic://schedule`, `clinic://schedule/DAY`, the same with `?week` or `?slots`, `clinic://appointments/ID`,
  /// `clinic://appointments?book=PATIENT`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.feature, link.path.count, link.query.count) {
    case ("schedule", 0, 0):
      self = .today
    case ("schedule", 1, 0):
      self = .day(try Self.day(link))
    case ("schedule", 1, 1) where link.query["week"] == "":
      self = .week(try Self.day(link))
    case ("schedule", 1, 1) where link.query["slots"] == "":
      self = .slots(try Self.day(link))
    case ("appointments", 1, 0):
      self = .appointment(Appointment.ID(link.path[0]))
    case ("appointments", 0, 1) where link.query["book"]?.isEmpty == false:
      self = .booking(Patient.ID(link.query["book"] ?? ""))
    default:
      throw Self.unresolved(link)
    }
  }

  private static func day(_ link: DeepLink) throws(AppError) -> CalendarDay {
    guard let day = CalendarDay(link.path[0]) else {
      throw AppError(
        .notFound, "\(link.text) leads nowhere: \"\(link.path[0])\" is no day", hint: "write the day as 2026-12-01")
    }
    return day
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .today: DeepLink(feature: "schedule")
    case .day(let day): DeepLink(feature: "schedule", path: [day.description])
    case .week(let day): DeepLink(feature: "schedule", path: [day.description], query: ["week": ""])
    case .slots(let day): DeepLink(feature: "schedule", path: [day.description], query: ["slots": ""])
    case .appointment(let id): DeepLink(feature: "appointments", path: [id.rawValue])
    case .booking(let id): DeepLink(feature: "appointments", query: ["book": id.rawValue])
    }
  }

  /// The patient who is open here, where the route says it.
  public var patient: Patient.ID? {
    switch self {
    case .booking(let id): id
    default: nil
    }
  }

  /// Whether it lies over the place where one is.
  public var isPresented: Bool { if case .booking = self { true } else { false } }
}
