/// What was entered into something that is presented, and is not saved.
public struct UnsavedEntry: Hashable, Sendable {
  /// What would be lost, for people: `the registration of Ana Pérez`.
  public var what: String
  /// What was entered, as it can be taken up again: for a line front, the line.
  public var entered: String

  /// Creates an entry.
  public init(what: String, entered: String) {
    self.what = what
    self.entered = entered
  }
}

/// Where the user can go from the patients feature.
@MainActor
public protocol PatientsCoordinating: AnyObject {
  /// Opens the search with a text already typed.
  func showPatientSearch(_ text: String)
  /// Opens one patient.
  func showPatient(_ id: Patient.ID)
  /// Presents the registration.
  func presentRegistration()
  /// Says that what is presented holds something that is not saved: it is not left without a question.
  func keepUnsaved(_ entry: UnsavedEntry)
  /// What is presented and not saved, if anything.
  var unsavedEntry: UnsavedEntry? { get }
  /// Ends whatever is presented.
  func dismissPresented()
}

/// Where the user can go from the schedule.
@MainActor
public protocol SchedulingCoordinating: AnyObject {
  /// Opens a day.
  func showSchedule(of day: CalendarDay)
  /// Opens the week of a day.
  func showWeek(of day: CalendarDay)
  /// Opens the free times of a day.
  func showSlots(of day: CalendarDay)
  /// Opens one appointment.
  func showAppointment(_ id: Appointment.ID)
  /// Opens the patient of an appointment.
  func showPatient(_ id: Patient.ID)
  /// Presents the booking for a patient.
  func presentBooking(for patient: Patient.ID)
  /// Says that what is presented holds something that is not saved: it is not left without a question.
  func keepUnsaved(_ entry: UnsavedEntry)
  /// What is presented and not saved, if anything.
  var unsavedEntry: UnsavedEntry? { get }
  /// Ends whatever is presented.
  func dismissPresented()
}

/// Where the user can go from visits and their vital signs.
@MainActor
public protocol VisitsCoordinating: AnyObject {
  /// Opens a patient's vital signs.
  func showVitals(of patient: Patient.ID)
  /// Opens one observation.
  func showObservation(_ id: ClinicalObservation.ID)
  /// Opens one visit.
  func showVisit(_ id: Encounter.ID)
  /// Opens one note.
  func showNote(_ id: DocumentReference.ID)
  /// Opens the patient.
  func showPatient(_ id: Patient.ID)
}

/// Where the user can go from a chart.
@MainActor
public protocol ChartCoordinating: AnyObject {
  /// Opens a patient's chart.
  func showChart(of patient: Patient.ID)
  /// Opens the values of one code over time.
  func showTrend(of patient: Patient.ID, code: String)
  /// Opens the patient.
  func showPatient(_ id: Patient.ID)
}

/// Where the user can go from sync.
@MainActor
public protocol SyncCoordinating: AnyObject {
  /// Opens the state of the store against the server.
  func showSyncStatus()
  /// Opens the outbox.
  func showOutbox()
  /// Opens the review list.
  func showReview()
  /// Opens one review item.
  func showReviewItem(_ number: ReviewNumber)
}
