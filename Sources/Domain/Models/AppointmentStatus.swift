/// Where in its life an appointment is (hl7.org/fhir/R4/valueset-appointmentstatus.html), and what may follow.
public enum AppointmentStatus: String, CaseIterable, Hashable, Sendable {
  /// None of the participants has agreed yet.
  case proposed
  /// Some participants have still to answer.
  case pending
  /// All have agreed.
  case booked
  /// The patient is there.
  case arrived
  /// The visit is over.
  case fulfilled
  /// Called off.
  case cancelled
  /// The patient did not come.
  case noshow
  /// Should never have been recorded.
  case enteredInError = "entered-in-error"
  /// The patient is there and the paperwork is done.
  case checkedIn = "checked-in"
  /// Waiting for a free time.
  case waitlist
}

extension AppointmentStatus {
  /// The states that may follow this one. FHIR leaves that to the workflow; this is the clinic's.
  ///
  /// What was recorded by mistake (an arrival, a no-show) can be taken back. A cancelled or fulfilled appointment is
  /// history: it is booked again as a new one.
  public var successors: Set<AppointmentStatus> {
    switch self {
    case .proposed: [.pending, .booked, .waitlist, .cancelled, .enteredInError]
    case .pending: [.proposed, .booked, .waitlist, .cancelled, .enteredInError]
    case .waitlist: [.proposed, .pending, .booked, .cancelled, .enteredInError]
    case .booked: [.pending, .arrived, .checkedIn, .fulfilled, .cancelled, .noshow, .enteredInError]
    case .arrived: [.booked, .checkedIn, .fulfilled, .cancelled, .enteredInError]
    case .checkedIn: [.arrived, .fulfilled, .cancelled, .enteredInError]
    case .noshow: [.booked, .arrived, .checkedIn, .enteredInError]
    case .fulfilled, .cancelled: [.enteredInError]
    case .enteredInError: []
    }
  }

  /// Whether an appointment may go from this state to another.
  public func canBecome(_ next: AppointmentStatus) -> Bool { successors.contains(next) }

  /// Why an appointment may not go from this state to another, for people; `nil` when it may.
  public func refusal(toBecome next: AppointmentStatus) -> String? {
    if canBecome(next) { return nil }
    if next == self { return "The appointment is already \(rawValue)." }
    switch self {
    case .enteredInError: return "The appointment was entered in error; book a new one instead."
    case .cancelled: return "A cancelled appointment cannot become \(next.rawValue); book a new one instead."
    case .fulfilled: return "The visit is over, so the appointment cannot become \(next.rawValue)."
    case .noshow: return "The patient did not come, so the appointment cannot become \(next.rawValue)."
    case .arrived, .checkedIn:
      return "The patient is already here, so the appointment cannot become \(next.rawValue)."
    case .booked: return "A booked appointment cannot become \(next.rawValue)."
    case .proposed, .pending, .waitlist:
      return "The appointment is only \(rawValue), so it cannot become \(next.rawValue); book it first."
    }
  }

  /// Whether an appointment in this state takes up the time of those who take part.
  ///
  /// Cancelled, missed and mistaken ones do not; nor does a place on the waiting list.
  public var occupiesTime: Bool {
    switch self {
    case .cancelled, .noshow, .enteredInError, .waitlist: false
    case .proposed, .pending, .booked, .arrived, .fulfilled, .checkedIn: true
    }
  }
}
