import DesignSystem
import Domain
import Observation

/// The shell around the features: tabs, of which each keeps its own path. It knows no feature by name.
@Observable
final class RouteShell {
  /// The tab that is shown; the first that was mounted is the first that is seen.
  private(set) var tab: Tab = ""
  @ObservationIgnored private(set) var tabs: [(name: Tab, coordinator: any ShellTab)] = []

  /// Adds a tab.
  func mount(_ name: Tab, _ coordinator: any ShellTab) {
    if tabs.isEmpty { tab = name }
    tabs.append((name, coordinator))
    coordinator.onShow = { [weak self] in self?.tab = name }
    // Navigation of a feature names places that exist; one that does not resolve leaves one where one is.
    coordinator.openElsewhere = { [weak self] link in
      guard let place = try? self?.place(of: link) else { return }
      self?.open(place)
    }
  }

  private func coordinator(of name: Tab) -> (any ShellTab)? { tabs.first { $0.name == name }?.coordinator }

  /// Where one is.
  var place: Place { Place(tab: tab, link: coordinator(of: tab)?.link ?? DeepLink(feature: tab.rawValue)) }

  /// Where one is beneath what is presented.
  var restingPlace: Place {
    Place(tab: tab, link: coordinator(of: tab)?.restingLink ?? DeepLink(feature: tab.rawValue))
  }

  /// The place that a `clinic://` link names. Nothing is looked up.
  ///
  /// - Throws: `invalidInput` for what is no link, `notFound` for a link that leads nowhere.
  func place(link text: String) throws(AppError) -> Place { try place(of: DeepLink(text)) }

  private func place(of link: DeepLink) throws(AppError) -> Place {
    guard let tab = tabs.first(where: { $0.coordinator.features.contains(link.feature) }) else {
      throw AppError(
        .notFound, "\(link.text) leads nowhere",
        hint: "links are \(tabs.flatMap { $0.coordinator.forms }.joined(separator: ", "))")
    }
    return Place(tab: tab.name, link: try tab.coordinator.resolved(link))
  }

  /// Goes to a place, as navigation in its feature would.
  func open(_ place: Place) {
    // A place was resolved when it was made, so that it resolves again.
    try? coordinator(of: place.tab)?.open(link: place.link)
  }

  /// Goes back by one in the tab that is shown; false at its beginning.
  func back() -> Bool { coordinator(of: tab)?.back() ?? false }

  /// Goes to the beginning of the first tab. The paths of the others stay.
  func home() {
    guard let first = tabs.first else { return }
    first.coordinator.returnToRoot()
    tab = first.name
  }

  /// Goes to the beginning everywhere: for whoever comes next.
  func reset() {
    for tab in tabs { tab.coordinator.returnToRoot() }
    home()
  }

  /// What would be lost by leaving what a tab presents; `nil` for a tab that may be left.
  func unsaved(in tab: Tab) -> String? { coordinator(of: tab)?.unsaved }

  /// What would be lost by leaving altogether.
  var unsaved: [String] { tabs.compactMap { $0.coordinator.unsaved } }

  /// Ends what a tab presents.
  func dismissPresented(in tab: Tab) { coordinator(of: tab)?.dismissPresented() }
}
