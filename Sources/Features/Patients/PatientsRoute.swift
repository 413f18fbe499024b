public import DesignSystem
public import Domain

/// The places of the patients feature.
public nonisolated enum PatientsRoute: Hashable, Sendable {
  /// The patients last used here: the root.
  case recent
  /// A search, with what was typed.
  case search(String)
  /// One patient.
  case patient(Patient.ID)
  /// The registration of a new patient; presented over the place where one is.
  case registration

  /// The feature's name in links.
  public static let feature = "patients"

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
      throw link.unresolved(
        forms: "clinic://patients", "clinic://patients/ID", "clinic://patients?search=TEXT",
        "clinic://patients?register")
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .recent: DeepLink(feature: Self.feature)
    case .search(let text): DeepLink(feature: Self.feature, query: ["search": text])
    case .patient(let id): DeepLink(feature: Self.feature, path: [id.rawValue])
    case .registration: DeepLink(feature: Self.feature, query: ["register": ""])
    }
  }
}
