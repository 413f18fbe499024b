import Chart
import DesignSystem
import Domain
import Patients
import Scheduling
import Sync
import Visits

/// The tabs of the shell. Each keeps its own path.
nonisolated enum Tab: String, CaseIterable, Sendable {
  case patients
  case schedule
  case visits
  case chart
  case sync
}

/// A place in any feature: what a link resolves to, and what navigation pushes.
nonisolated enum Place: Hashable, Sendable {
  case patients(PatientsRoute)
  case scheduling(SchedulingRoute)
  case visits(VisitsRoute)
  case chart(ChartRoute)
  case sync(SyncRoute)

  /// The place that a `clinic://` link names. Nothing is looked up.
  ///
  /// - Throws: `invalidInput` for what is no link, `notFound` for a link that leads nowhere.
  init(link text: String) throws(AppError) {
    let link = try DeepLink(text)
    if link.feature == PatientsRoute.feature {
      self = .patients(try PatientsRoute(link))
    } else if SchedulingRoute.features.contains(link.feature) {
      self = .scheduling(try SchedulingRoute(link))
    } else if VisitsRoute.features.contains(link.feature) {
      self = .visits(try VisitsRoute(link))
    } else if link.feature == ChartRoute.feature {
      self = .chart(try ChartRoute(link))
    } else if link.feature == SyncRoute.feature {
      self = .sync(try SyncRoute(link))
    } else {
      throw link.unresolved(
        forms: "clinic://patients/ID", "clinic://schedule/DAY", "clinic://appointments/ID", "clinic://visits/ID",
        "clinic://vitals/ID", "clinic://notes/ID", "clinic://chart/ID", "clinic://sync")
    }
  }

  /// The link that leads here.
  var link: DeepLink {
    switch self {
    case .patients(let route): route.link
    case .scheduling(let route): route.link
    case .visits(let route): route.link
    case .chart(let route): route.link
    case .sync(let route): route.link
    }
  }

  /// The patient who is open here, if one is.
  var patient: Patient.ID? {
    switch self {
    case .patients(.patient(let id)), .visits(.vitals(let id)), .scheduling(.booking(let id)), .chart(.chart(let id)),
      .chart(.trend(let id, _)):
      id
    default: nil
    }
  }
}
