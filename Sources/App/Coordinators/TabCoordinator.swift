import DesignSystem
import Domain
import Observation

/// The navigation of one feature: what every coordinator does. A feature's coordinator adds where one can go from it.
class TabCoordinator<Route: FeatureRoute> {
  private var walked = RoutePath<Route>(root: Route.root)
  private let moves = PathMoves()
  /// The path, which only this coordinator changes. It can be observed.
  private(set) var path: RoutePath<Route> {
    get {
      _ = moves.count
      return walked
    }
    set {
      walked = newValue
      moves.count += 1
    }
  }
  /// Brings the feature's tab to the front.
  var onShow: () -> Void = {}
  /// Opens a place of another feature by its link.
  var openElsewhere: (DeepLink) -> Void = { _ in }

  /// Where one is in this feature.
  var current: Route { path.current }

  /// Goes to a route, or presents it.
  func open(_ route: Route) {
    if route.isPresented { path.present(route) } else { path.push(route) }
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  /// Goes back to the root.
  func returnToRoot() { path.popToRoot() }

  /// Ends what is presented.
  func dismissPresented() { path.dismiss() }

  /// Says that what is presented holds something that is not saved.
  func keepUnsaved(_ entry: UnsavedEntry) { path.keepUnsaved(entry) }

  /// What is presented and not saved, if anything.
  var unsavedEntry: UnsavedEntry? { path.unsaved }

  /// Opens a patient in the patients feature.
  func showPatient(_ id: Patient.ID) { openElsewhere(DeepLink(feature: "patients", path: [id.rawValue])) }
}

/// What is observed of a path: that it changed. A key path of this class costs nothing to speak of; one of a generic
/// class is put together by names when it is first used, which every start would wait for.
@Observable
private final class PathMoves {
  var count = 0
}

/// A coordinator as the shell knows it, whatever its routes are.
protocol ShellTab: AnyObject {
  /// The names in links that lead here.
  var features: [String] { get }
  /// The links that it has.
  var forms: [String] { get }
  /// The link to where one is.
  var link: DeepLink { get }
  /// The link to where one is beneath what is presented.
  var restingLink: DeepLink { get }
  /// What would be lost with what is presented.
  var unsaved: String? { get }
  /// The link in the feature's own spelling.
  ///
  /// - Throws: `notFound` for a link that leads nowhere.
  func resolved(_ link: DeepLink) throws(AppError) -> DeepLink
  /// Goes to a place, as navigation in the feature would.
  ///
  /// - Throws: `notFound` for a link that leads nowhere.
  func open(link: DeepLink) throws(AppError)
  /// Goes back by one; false at the root.
  func back() -> Bool
  /// Goes back to the root.
  func returnToRoot()
  /// Ends what is presented.
  func dismissPresented()
  var onShow: () -> Void { get set }
  var openElsewhere: (DeepLink) -> Void { get set }
}

extension TabCoordinator: ShellTab {
  var features: [String] { Route.features }
  var forms: [String] { Route.forms }
  var link: DeepLink { path.current.link }
  var restingLink: DeepLink { path.end.link }
  var unsaved: String? { path.unsaved?.what }
  func resolved(_ link: DeepLink) throws(AppError) -> DeepLink { try Route(link).link }
  func open(link: DeepLink) throws(AppError) { open(try Route(link)) }
}
