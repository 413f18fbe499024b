import Domain
import Patients

/// Navigation in the patients feature.
final class PatientsCoordinator: TabCoordinator<PatientsRoute>, PatientsCoordinating {
  func showPatientSearch(_ text: String) { open(.search(text)) }
  override func showPatient(_ id: Patient.ID) { open(.patient(id)) }
  func presentRegistration() { open(.registration) }
}
