public import Domain

/// What can be done with an appointment. The state machine of ``Domain/AppointmentStatus`` decides whether it may.
public nonisolated enum AppointmentAction: Hashable, Sendable {
  /// Moves it to another time; it keeps its length unless another is given, in whole minutes.
  case move(to: Instant, minutes: Int?)
  /// Calls it off.
  case cancel(reason: String?)
  /// The patient is here.
  case arrive
  /// The patient did not come.
  case noShow

  /// What was done, as a sentence without a full stop.
  var done: String {
    switch self {
    case .move: "Appointment moved"
    case .cancel: "Appointment cancelled"
    case .arrive: "Patient arrived"
    case .noShow: "Patient did not come"
    }
  }

  /// Makes the change.
  ///
  /// - Throws: `notAllowed` when the appointment's state forbids it; `invalidInput` for a move without a length.
  func apply(to appointment: inout Appointment) throws(AppError) {
    switch self {
    case .move(let start, let minutes):
      try Self.checkMovable(appointment)
      let old = appointment.interval.map { $0.upperBound.secondsSince1970 - $0.lowerBound.secondsSince1970 }
      guard let seconds = minutes.map({ Int64($0) * 60 }) ?? old else {
        throw AppError(
          .invalidInput, "the appointment's length is not recorded", hint: "give a length behind the time",
          field: "duration")
      }
      appointment.start = start
      appointment.end = start.adding(seconds: seconds)
      if appointment.minutesDuration != nil { appointment.minutesDuration = Int(seconds / 60) }
    case .cancel(let reason):
      try Self.turn(&appointment, to: .cancelled)
      if let reason { appointment.cancelationReason = CodeableConcept(text: reason) }
    case .arrive:
      try Self.turn(&appointment, to: .arrived)
    case .noShow:
      try Self.turn(&appointment, to: .noshow)
    }
  }

  private static func turn(_ appointment: inout Appointment, to next: AppointmentStatus) throws(AppError) {
    let status = try known(appointment)
    if let refusal = status.refusal(toBecome: next) { throw AppError(.notAllowed, sentence(refusal)) }
    appointment.status = .known(next)
  }

  private static func checkMovable(_ appointment: Appointment) throws(AppError) {
    let status = try known(appointment)
    switch status {
    case .proposed, .pending, .booked, .waitlist: return
    case .arrived, .checkedIn, .fulfilled, .cancelled, .noshow, .enteredInError:
      throw AppError(
        .notAllowed, "an appointment that is \(status.rawValue) cannot be moved", hint: "book a new one instead")
    }
  }

  private static func known(_ appointment: Appointment) throws(AppError) -> AppointmentStatus {
    guard let status = appointment.status?.known else {
      let recorded = appointment.status.map { "\"\($0.rawValue)\"" } ?? "withheld"
      throw AppError(.notAllowed, "the appointment's state is \(recorded), so what may follow is not known")
    }
    return status
  }

  /// A rule's sentence as an error's message: those have no full stop.
  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
