import Domain
import Observation
import Visits

/// Navigation in the visits feature.
@Observable
final class VisitsCoordinator: VisitsCoordinating {
  /// The path, which only this coordinator changes.
  private(set) var path = RoutePath<VisitsRoute>(root: .overview)
  /// Brings the feature's tab to the front.
  @ObservationIgnored var onShow: () -> Void = {}
  /// Opens a patient in the patients feature.
  @ObservationIgnored var openPatient: (Patient.ID) -> Void = { _ in }

  /// Where one is in this feature.
  var current: VisitsRoute { path.current }

  /// Goes to a route.
  func open(_ route: VisitsRoute) {
    path.push(route)
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  func showVitals(of patient: Patient.ID) { open(.vitals(patient)) }
  func showObservation(_ id: ClinicalObservation.ID) { open(.observation(id)) }
  func showVisit(_ id: Encounter.ID) { open(.visit(id)) }
  func showNote(_ id: DocumentReference.ID) { open(.note(id)) }
  func showPatient(_ id: Patient.ID) { openPatient(id) }
}
