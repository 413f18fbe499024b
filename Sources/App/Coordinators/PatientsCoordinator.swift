import Domain
import Observation
import Patients

/// Navigation in the patients feature.
@Observable
final class PatientsCoordinator: PatientsCoordinating {
  /// The path, which only this coordinator changes.
  private(set) var path = RoutePath<PatientsRoute>(root: .recent)
  /// Brings the feature's tab to the front.
  @ObservationIgnored var onShow: () -> Void = {}

  /// Where one is in this feature.
  var current: PatientsRoute { path.current }

  /// Goes to a route; the registration is presented.
  func open(_ route: PatientsRoute) {
    if route == .registration { path.present(route) } else { path.push(route) }
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  /// Goes back to the root, and to the front.
  func returnToRoot() {
    path.popToRoot()
    onShow()
  }

  func showPatientSearch(_ text: String) { open(.search(text)) }
  func showPatient(_ id: Patient.ID) { open(.patient(id)) }
  func presentRegistration() { open(.registration) }
  func dismissPresented() { path.dismiss() }
}
