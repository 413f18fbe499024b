import Chart
import Domain
import Observation
import Patients
import Scheduling
import Sync
import Visits

/// The shell around the features: tabs, of which each keeps its own path.
@Observable
final class RouteShell {
  /// The tab that is shown.
  private(set) var tab = Tab.patients

  let patients = PatientsCoordinator()
  let scheduling = SchedulingCoordinator()
  let visits = VisitsCoordinator()
  let chart = ChartCoordinator()
  let sync = SyncCoordinator()

  init() {
    patients.onShow = { [weak self] in self?.tab = .patients }
    scheduling.onShow = { [weak self] in self?.tab = .schedule }
    visits.onShow = { [weak self] in self?.tab = .visits }
    chart.onShow = { [weak self] in self?.tab = .chart }
    sync.onShow = { [weak self] in self?.tab = .sync }
    scheduling.openPatient = { [weak self] id in self?.patients.showPatient(id) }
    visits.openPatient = { [weak self] id in self?.patients.showPatient(id) }
    chart.openPatient = { [weak self] id in self?.patients.showPatient(id) }
  }

  /// Where one is.
  var place: Place {
    switch tab {
    case .patients: .patients(patients.current)
    case .schedule: .scheduling(scheduling.current)
    case .visits: .visits(visits.current)
    case .chart: .chart(chart.current)
    case .sync: .sync(sync.current)
    }
  }

  /// Goes to a place, as navigation in its feature would.
  func open(_ place: Place) {
    switch place {
    case .patients(let route): patients.open(route)
    case .scheduling(let route): scheduling.open(route)
    case .visits(let route): visits.open(route)
    case .chart(let route): chart.open(route)
    case .sync(let route): sync.open(route)
    }
  }

  /// Goes back by one in the tab that is shown; false at its beginning.
  func back() -> Bool {
    switch tab {
    case .patients: patients.back()
    case .schedule: scheduling.back()
    case .visits: visits.back()
    case .chart: chart.back()
    case .sync: sync.back()
    }
  }

  /// Goes to the beginning of the first tab. The paths of the others stay.
  func home() {
    patients.returnToRoot()
  }
}
