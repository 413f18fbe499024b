import Domain
import Observation
import Scheduling

/// Navigation in the scheduling feature.
@Observable
final class SchedulingCoordinator: SchedulingCoordinating {
  /// The path, which only this coordinator changes.
  private(set) var path = RoutePath<SchedulingRoute>(root: .today)
  /// Brings the feature's tab to the front.
  @ObservationIgnored var onShow: () -> Void = {}
  /// Opens a patient in the patients feature.
  @ObservationIgnored var openPatient: (Patient.ID) -> Void = { _ in }

  /// Where one is in this feature.
  var current: SchedulingRoute { path.current }

  /// Goes to a route; a booking is presented.
  func open(_ route: SchedulingRoute) {
    if case .booking = route { path.present(route) } else { path.push(route) }
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  func showSchedule(of day: CalendarDay) { open(.day(day)) }
  func showAppointment(_ id: Appointment.ID) { open(.appointment(id)) }
  func showPatient(_ id: Patient.ID) { openPatient(id) }
  func presentBooking(for patient: Patient.ID) { open(.booking(patient)) }
  func dismissPresented() { path.dismiss() }
}
