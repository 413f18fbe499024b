import Domain
import Scheduling

/// Navigation in the scheduling feature.
final class SchedulingCoordinator: TabCoordinator<SchedulingRoute>, SchedulingCoordinating {
  func showSchedule(of day: CalendarDay) { open(.day(day)) }
  func showWeek(of day: CalendarDay) { open(.week(day)) }
  func showSlots(of day: CalendarDay) { open(.slots(day)) }
  func showAppointment(_ id: Appointment.ID) { open(.appointment(id)) }
  func presentBooking(for patient: Patient.ID) { open(.booking(patient)) }
}
