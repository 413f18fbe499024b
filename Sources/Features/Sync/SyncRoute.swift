public import DesignSystem
public import Domain

/// The places of the sync feature.
public nonisolated enum SyncRoute: FeatureRoute {
  /// The state of the store against the server: the root.
  case status
  /// What was written here and not yet accepted.
  case outbox
  /// One entry of the outbox.
  case outboxItem(OutboxNumber)
  /// What needs a person.
  case review
  /// One item of the review list.
  case reviewItem(ReviewNumber)

  /// The feature's names in links.
  public static let features = ["sync"]

  /// Where it begins.
  public static let root = SyncRoute.status

  /// The links that it has.
  public static let forms = [
    "clinic://sync", "clinic://sync/outbox", "clinic://sync/outbox/N", "clinic://sync/review", "clinic://sync/review/N",
  ]

  /// Reads `clinic://sync`, `clinic://sync/outbox`, `clinic://sync/outbox/N`, `clinic://sync/review`,
  /// `clinic://sync/review/N`.
  ///
  /// - Throws: `notFound` for every other link, naming these.
  public init(_ link: DeepLink) throws(AppError) {
    let number = link.path.count == 2 ? Int64(link.path[1]).flatMap { $0 > 0 ? $0 : nil } : nil
    switch (link.path.first, link.path.count, number) {
    case (nil, 0, _) where link.query.isEmpty: self = .status
    case ("outbox", 1, _) where link.query.isEmpty: self = .outbox
    case ("review", 1, _) where link.query.isEmpty: self = .review
    case ("outbox", 2, let number?) where link.query.isEmpty: self = .outboxItem(number)
    case ("review", 2, let number?) where link.query.isEmpty: self = .reviewItem(number)
    default:
      throw Self.unresolved(link)
    }
  }

  /// The link that leads here.
  public var link: DeepLink {
    switch self {
    case .status: DeepLink(feature: "sync")
    case .outbox: DeepLink(feature: "sync", path: ["outbox"])
    case .outboxItem(let number): DeepLink(feature: "sync", path: ["outbox", String(number)])
    case .review: DeepLink(feature: "sync", path: ["review"])
    case .reviewItem(let number): DeepLink(feature: "sync", path: ["review", String(number)])
    }
  }

  /// The patient who is open here, where the route says it.
  public var patient: Patient.ID? { nil }
}
