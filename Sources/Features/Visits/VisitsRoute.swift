public import DesignSystem
public import Domain

/// The places of the visits feature.
public nonisolated enum VisitsRoute: FeatureRoute {
  /// The visits that are open: the root.
  case overview
  /// A patient's vital signs.
  case vitals(Patient.ID)
  /// One observation.
  case observation(ClinicalObservation.ID)

  /// One visit.
  case visit(Encounter.ID)
  /// One note.
  case note(DocumentReference.ID)

  /// The feature's names in links.
  public static let features = ["visits", "vitals", "notes"]

  /// Where it begins.
  public static let root = VisitsRoute.overview

  /// The links that it has.
  public static let forms = [
    "clinic://visits", "clinic://visits/ID", "clinic://vitals/ID", "clinic://vitals?patient=ID", "clinic://notes/ID",
  ]

  /// Reads `clinic://visits`, `clinic://visits/ID`, `clinic://vitals/ID`, `clinic://vitals?patient=ID`,
  /// `clinic://notes/ID`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.feature, link.path.count, link.query.count) {
    case ("visits", 0, 0): self = .overview
    case ("visits", 1, 0): self = .visit(Encounter.ID(link.path[0]))
    case ("notes", 1, 0): self = .note(DocumentReference.ID(link.path[0]))
    case ("vitals", 1, 0): self = .observation(ClinicalObservation.ID(link.path[0]))
    case ("vitals", 0, 1) where link.query["patient"]?.isEmpty == false:
      self = .vitals(Patient.ID(link.query["patient"] ?? ""))
    default:
      throw Self.unresolved(link)
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .overview: DeepLink(feature: "visits")
    case .vitals(let id): DeepLink(feature: "vitals", query: ["patient": id.rawValue])
    case .observation(let id): DeepLink(feature: "vitals", path: [id.rawValue])
    case .visit(let id): DeepLink(feature: "visits", path: [id.rawValue])
    case .note(let id): DeepLink(feature: "notes", path: [id.rawValue])
    }
  }

  /// The patient who is open here, where the route says it.
  public var patient: Patient.ID? {
    switch self {
    case .vitals(let id): id
    default: nil
    }
  }
}
