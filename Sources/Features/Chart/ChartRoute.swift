public import DesignSystem
public import Domain

/// The places of the chart feature.
public nonisolated enum ChartRoute: FeatureRoute {
  /// Where the feature begins, without a patient: the root.
  case overview
  /// A patient's chart.
  case chart(Patient.ID)
  /// The values of one code over time.
  case trend(Patient.ID, code: String)

  /// The feature's names in links.
  public static let features = ["chart"]

  /// Where it begins.
  public static let root = ChartRoute.overview

  /// The links that it has.
  public static let forms = ["clinic://chart", "clinic://chart/ID", "clinic://chart/ID?trend=CODE"]

  /// Reads `clinic://chart`, `clinic://chart/ID`, `clinic://chart/ID?trend=CODE`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.path.count, link.query.count) {
    case (0, 0): self = .overview
    case (1, 0): self = .chart(Patient.ID(link.path[0]))
    case (1, 1) where link.query["trend"]?.isEmpty == false:
      self = .trend(Patient.ID(link.path[0]), code: link.query["trend"] ?? "")
    default:
      throw Self.unresolved(link)
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .overview: DeepLink(feature: "chart")
    case .chart(let id): DeepLink(feature: "chart", path: [id.rawValue])
    case .trend(let id, let code): DeepLink(feature: "chart", path: [id.rawValue], query: ["trend": code])
    }
  }

  /// The patient who is open here, where the route says it.
  public var patient: Patient.ID? {
    switch self {
    case .chart(let id), .trend(let id, _): id
    default: nil
    }
  }
}
