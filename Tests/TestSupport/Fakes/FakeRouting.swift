public import Domain

/// Remembers which errors it was handed.
@MainActor
public final class FakeErrorRouter: ErrorRouting {
  /// The errors, in order.
  public private(set) var presented: [AppError] = []

  public init() {}

  @discardableResult
  public func present(_ error: AppError) -> ErrorPresentation {
    presented.append(error)
    return ErrorPresentation(for: error)
  }
}

/// Remembers where it was asked to go. It coordinates every feature.
@MainActor
public final class FakeCoordinator: PatientsCoordinating, SchedulingCoordinating, VisitsCoordinating, ChartCoordinating,
  SyncCoordinating
{
  /// Where one can be asked to go.
  public enum Step: Hashable, Sendable {
    case patientSearch(String)
    case patient(Patient.ID)
    case registration
    case dismissal
    case unsaved(UnsavedEntry)
    case schedule(CalendarDay)
    case week(CalendarDay)
    case slots(CalendarDay)
    case appointment(Appointment.ID)
    case booking(Patient.ID)
    case vitals(Patient.ID)
    case observation(ClinicalObservation.ID)
    case visit(Encounter.ID)
    case note(DocumentReference.ID)
    case chart(Patient.ID)
    case trend(Patient.ID, String)
    case syncStatus
    case outbox
    case review
    case reviewItem(ReviewNumber)
  }

  /// The steps, in order.
  public private(set) var steps: [Step] = []

  public init() {}

  public func showPatientSearch(_ text: String) { steps.append(.patientSearch(text)) }
  public func showPatient(_ id: Patient.ID) { steps.append(.patient(id)) }
  public func presentRegistration() { steps.append(.registration) }
  public func keepUnsaved(_ entry: UnsavedEntry) { steps.append(.unsaved(entry)) }
  public var unsavedEntry: UnsavedEntry? {
    guard case .unsaved(let entry) = steps.last else { return nil }
    return entry
  }
  public func dismissPresented() { steps.append(.dismissal) }
  public func showSchedule(of day: CalendarDay) { steps.append(.schedule(day)) }
  public func showWeek(of day: CalendarDay) { steps.append(.week(day)) }
  public func showSlots(of day: CalendarDay) { steps.append(.slots(day)) }
  public func showAppointment(_ id: Appointment.ID) { steps.append(.appointment(id)) }
  public func presentBooking(for patient: Patient.ID) { steps.append(.booking(patient)) }
  public func showVitals(of patient: Patient.ID) { steps.append(.vitals(patient)) }
  public func showObservation(_ id: ClinicalObservation.ID) { steps.append(.observation(id)) }
  public func showVisit(_ id: Encounter.ID) { steps.append(.visit(id)) }
  public func showNote(_ id: DocumentReference.ID) { steps.append(.note(id)) }
  public func showChart(of patient: Patient.ID) { steps.append(.chart(patient)) }
  public func showTrend(of patient: Patient.ID, code: String) { steps.append(.trend(patient, code)) }
  public func showSyncStatus() { steps.append(.syncStatus) }
  public func showOutbox() { steps.append(.outbox) }
  public func showReview() { steps.append(.review) }
  public func showReviewItem(_ number: ReviewNumber) { steps.append(.reviewItem(number)) }
}
