import Chart
import Domain
import Observation

/// Navigation in the chart feature.
@Observable
final class ChartCoordinator: ChartCoordinating {
  /// The path, which only this coordinator changes.
  private(set) var path = RoutePath<ChartRoute>(root: .overview)
  /// Brings the feature's tab to the front.
  @ObservationIgnored var onShow: () -> Void = {}
  /// Opens a patient in the patients feature.
  @ObservationIgnored var openPatient: (Patient.ID) -> Void = { _ in }

  /// Where one is in this feature.
  var current: ChartRoute { path.current }

  /// Goes to a route.
  func open(_ route: ChartRoute) {
    path.push(route)
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  func showChart(of patient: Patient.ID) { open(.chart(patient)) }
  func showTrend(of patient: Patient.ID, code: String) { open(.trend(patient, code: code)) }
  func showPatient(_ id: Patient.ID) { openPatient(id) }
}
