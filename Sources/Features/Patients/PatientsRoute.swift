public import DesignSystem
public import Domain

/// The places of the patients feature.
public nonisolated enum PatientsRoute: FeatureRoute {
  /// The patients last used here: the root.
  case recent
  /// A search, with what was typed.
  case search(String)
  /// One patient.
  case patient(Patient.ID)
  /// The registration of a new patient; presented over the place where one is.
  case registration

  /// The feature's names in links.
  public static let features = ["patients"]

  /// Where it begins.
  public static let root = PatientsRoute.recent

  /// The links that it has.
  public static let forms = [
    "clinic://patients", "clinic://patients/ID", "clinic://patients?search=TEXT", "clinic://patients?register",
  ]

  /// Reads `clinic://patients`, `clinic://patients/ID`, `clinic://patients?search=TEXT`, `clinic://patients?register`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    switch (link.path.count, link.query.count) {
    case (0, 0): self = .recent
    case (1, 0): self = .patient(Patient.ID(link.path[0]))
    case (0, 1) where link.query["register"] == "": self = .registration
    case (0, 1) where link.query["search"]?.isEmpty == false: self = .search(link.query["search"] ?? "")
    default:
      throw Self.unresolved(link)
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .recent: DeepLink(feature: "patients")
    case .search(let text): DeepLink(feature: "patients", query: ["search": text])
    case .patient(let id): DeepLink(feature: "patients", path: [id.rawValue])
    case .registration: DeepLink(feature: "patients", query: ["register": ""])
    }
  }

  /// The patient who is open here, where the route says it.
  public var patient: Patient.ID? {
    switch self {
    case .patient(let id): id
    default: nil
    }
  }

  /// Whether it lies over the place where one is.
  public var isPresented: Bool { self == .registration }
}
