public import DesignSystem
public import Domain

/// The places of the visits feature.
public nonisolated enum VisitsRoute: Hashable, Sendable {
  /// Where the feature begins: the root.
  case overview
  /// A patient's vital signs.
  case vitals(Patient.ID)
  /// One observation.
  case observation(ClinicalObservation.ID)

  /// The feature's names in links.
  public static let features = ["visits", "vitals"]

  /// Reads `clinic://visits`, `clinic://vitals/ID`, `clinic://vitals?patient=ID`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.feature, link.path.count, link.query.count) {
    case ("visits", 0, 0): self = .overview
    case ("vitals", 1, 0): self = .observation(ClinicalObservation.ID(link.path[0]))
    case ("vitals", 0, 1) where link.query["patient"]?.isEmpty == false:
      self = .vitals(Patient.ID(link.query["patient"] ?? ""))
    default:
      throw link.unresolved(forms: "clinic://visits", "clinic://vitals/ID", "clinic://vitals?patient=ID")
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .overview: DeepLink(feature: "visits")
    case .vitals(let id): DeepLink(feature: "vitals", query: ["patient": id.rawValue])
    case .observation(let id): DeepLink(feature: "vitals", path: [id.rawValue])
    }
  }
}
