public import Domain

/// The places of a feature. A link and a place are the same thing in two spellings: `init(link)` undoes `link`.
public protocol FeatureRoute: Hashable, Sendable {
  /// The names in links that belong to the feature: what stands behind `clinic://`.
  static var features: [String] { get }
  /// Where the feature begins.
  static var root: Self { get }
  /// The links that the feature has, as forms: `clinic://chart/ID`.
  static var forms: [String] { get }
  /// Reads a link.
  ///
  /// - Throws: `notFound` for a link that leads nowhere in the feature.
  init(_ link: DeepLink) throws(AppError)
  /// The link that leads here.
  var link: DeepLink { get }
  /// The patient who is open here, where the place itself says it.
  var patient: Patient.ID? { get }
  /// Whether it is presented over the place where one is.
  var isPresented: Bool { get }
}

extension FeatureRoute {
  /// Places are gone to, unless a feature says otherwise.
  public var isPresented: Bool { false }

  /// The link names nothing that exists in the feature.
  public static func unresolved(_ link: DeepLink) -> AppError {
    AppError(.notFound, "\(link.text) leads nowhere", hint: "links here are \(forms.joined(separator: ", "))")
  }
}

/// A feature as the app mounts it: its lines, and the pages of its places.
@MainActor
public protocol Feature {
  /// Its places.
  associatedtype Route: FeatureRoute
  /// What its lines look like.
  nonisolated static var specs: [CommandSpec] { get }
  /// Its lines.
  var commands: [Command] { get }
  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  func page(at route: Route, reading: ReadMode) async throws(AppError) -> Page
  /// The page of a place to which someone may go, or at which someone only looks.
  ///
  /// - Parameter opens: Whether someone goes there.
  /// - Throws: Why there is nothing to show.
  func page(at route: Route, reading: ReadMode, opens: Bool) async throws(AppError) -> Page
  /// The patient who is open at a place, as known here.
  func patient(at route: Route) async -> Patient.ID?
}

extension Feature {
  /// It makes no difference, unless a feature says otherwise.
  public func page(at route: Route, reading: ReadMode, opens: Bool) async throws(AppError) -> Page {
    try await page(at: route, reading: reading)
  }

  /// Whom the place itself names.
  public func patient(at route: Route) async -> Patient.ID? { route.patient }
}
