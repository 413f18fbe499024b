import Domain
import Visits

/// Navigation in the visits feature.
final class VisitsCoordinator: TabCoordinator<VisitsRoute>, VisitsCoordinating {
  func showVitals(of patient: Patient.ID) { open(.vitals(patient)) }
  func showObservation(_ id: ClinicalObservation.ID) { open(.observation(id)) }
  func showVisit(_ id: Encounter.ID) { open(.visit(id)) }
  func showNote(_ id: DocumentReference.ID) { open(.note(id)) }
}
