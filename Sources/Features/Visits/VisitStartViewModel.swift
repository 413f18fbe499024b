public import DesignSystem
public import Domain
public import Observation

/// The start of a visit: from an appointment, or of a patient who comes without one.
@Observable
public final class VisitStartViewModel {
  /// What became of it.
  public private(set) var state: ActionState<WriteEcho> = .idle

  private let repositories: VisitsRepositories
  private let coordinator: any VisitsCoordinating
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of a start.
  public init(
    repositories: VisitsRepositories, coordinator: any VisitsCoordinating, errors: any ErrorRouting,
    context: ClinicContext
  ) {
    self.repositories = repositories
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
  }

  /// Starts a visit, and opens it.
  ///
  /// - Parameter confirmed: False asks about what is out of the ordinary: a record that was merged into another, a second
  ///   open visit, an appointment of another day, a patient who is recorded as dead.
  public func start(_ request: VisitRequest, confirmed: Bool, reading: ReadMode) async {
    state = .working
    do throws(AppError) {
      var questions: [String] = []
      var scheduled = try await appointment(request, reading, &questions)
      guard let named = request.patient ?? scheduled?.appointment.patient?.id else {
        throw AppError(.invalidInput, "the appointment names no patient", hint: "start the visit of a patient instead")
      }
      let patient = try await person(named, reading, &questions)
      if request.appointment == nil, !request.isWalkIn { scheduled = try await appointmentToday(of: patient) }
      if let open = await repositories.encounters.openVisits(of: patient.id).first {
        questions.append("\(patient.displayName) already has an open visit, \(open.key)")
      }
      if !questions.isEmpty, !confirmed {
        throw AppError(
          .needsConfirmation, "\(questions.joined(separator: "; ")): start a visit of \(patient.displayName)?")
      }
      let visit = draft(request, patient, scheduled)
      let receipts = try await repositories.encounters.start(visit)
      state = .done(echo(visit, patient, receipts, questions))
      if let key = receipts.first?.key { coordinator.showVisit(Encounter.ID(key.id)) }
    } catch {
      errors.present(error)
      state = .failed(error)
    }
  }

  private func appointment(
    _ request: VisitRequest, _ reading: ReadMode, _ questions: inout [String]
  ) async throws(AppError) -> ScheduledAppointment? {
    guard let id = request.appointment else { return nil }
    if request.isWalkIn {
      throw AppError(.invalidInput, "an appointment and --walk-in exclude each other", field: "walk-in")
    }
    let answers = repositories.appointments.appointment(id, policy: reading.policy)
    guard let answer = reading == .settled ? await answers.settled() : await answers.first() else {
      throw .interrupted
    }
    if answer.isDeleted { throw .deleted(id.key, refusing: "visit") }
    guard let scheduled = answer.value else {
      throw .unknown(id.key, mode: reading, revalidation: answer.revalidation)
    }
    if let start = scheduled.appointment.start, context.zone.local(start).day != context.today {
      questions.append("the appointment is on \(context.zone.echo(start))")
    }
    return scheduled
  }

  /// The patient whose record stands: of one that was merged into another, the other, with a question.
  private func person(
    _ id: Patient.ID, _ reading: ReadMode, _ questions: inout [String]
  ) async throws(AppError) -> Patient {
    var patient = try await repositories.patients.subject(id, for: "visit", mode: reading)
    var seen: Set<Patient.ID> = [patient.id]
    while patient.isReplaced {
      guard let next = patient.replacedBy, seen.insert(next).inserted else {
        throw AppError(
          .notAllowed, "\(patient.key) was merged into another record that it does not name",
          hint: "search for the record that stands")
      }
      let survivor = try await repositories.patients.subject(next, for: "visit", mode: reading)
      questions.append("\(patient.key) was merged into \(PatientIdentity(survivor, today: context.today).text)")
      patient = survivor
    }
    if patient.active == false { questions.append("the record is out of use") }
    if patient.deceased?.isDeceased == true { questions.append("the patient is recorded as dead") }
    return patient
  }

  /// The appointment that the patient has today: a visit is not begun beside it by oversight.
  ///
  /// - Throws: `ambiguous` when there are several.
  private func appointmentToday(of patient: Patient) async throws(AppError) -> ScheduledAppointment? {
    let query = AppointmentQuery(span: context.zone.bounds(of: context.today), patient: patient.id)
    let answer = await repositories.appointments.appointments(matching: query, policy: .localOnly).first()
    let waiting = (answer?.value ?? []).filter {
      [.booked, .arrived, .checkedIn].contains($0.appointment.status?.known)
    }
    guard waiting.count > 1 else { return waiting.first }
    let times = waiting.map { one in
      one.appointment.start.map { context.zone.local($0).timeText } ?? "at a time that is not recorded"
    }
    throw AppError(
      .ambiguous, "\(patient.displayName) has \(waiting.count) appointments today: \(times.joined(separator: ", "))",
      hint: "visits start \(waiting[0].appointment.key), or add --walk-in for a visit beside them")
  }

  private func draft(
    _ request: VisitRequest, _ patient: Patient, _ scheduled: ScheduledAppointment?
  ) -> Encounter {
    let now = context.now
    var visit = Encounter(
      id: Encounter.ID(""), status: .known(request.isWaiting ? .arrived : .inProgress),
      encounterClass: Encounter.ambulatory,
      type: [CodeableConcept(text: scheduled == nil ? "Walk-in visit" : "Office visit")],
      subject: Reference(patient.key, display: patient.nameText), period: Period(start: .instant(now)))
    let practitioner: Reference<AnyResource>? =
      context.author.practitioner.map { Reference($0.key) }
      ?? scheduled?.practitioner.map { Reference($0.key, display: $0.displayName) }
    if let practitioner {
      let role = CodeableConcept(
        coding: [Coding(system: CodeSystem.participationType, code: "PPRF", display: "primary performer")])
      visit.participant = [Encounter.Participant(type: [role], individual: practitioner)]
    }
    if let scheduled {
      visit.appointment = [Reference(scheduled.appointment.key)]
      visit.reasonCode = scheduled.appointment.reasonCode
      visit.location = scheduled.appointment.location.map { [Encounter.Place(location: $0)] } ?? []
    }
    if let reason = request.reason { visit.reasonCode = [CodeableConcept(text: reason)] }
    return visit
  }

  private func echo(
    _ visit: Encounter, _ patient: Patient, _ receipts: [WriteReceipt], _ questions: [String]
  ) -> WriteEcho {
    var shown = visit
    if let key = receipts.first?.key { shown.id = Encounter.ID(key.id) }
    let entry = VisitEntry(Charted(shown, patient: patient, isPending: true), context: context)
    var details = [WriteEcho.Detail("when", entry.when), WriteEcho.Detail("status", entry.status)]
    if let reason = entry.reason { details.append(WriteEcho.Detail("reason", reason)) }
    if let appointment = entry.appointment {
      details.append(WriteEcho.Detail("appointment", appointment.key.description))
    }
    return WriteEcho(
      "Visit started", patient: entry.patient, receipts: receipts, fallback: shown.key, details: details,
      warnings: questions)
  }
}

/// The visit that is to be started.
public nonisolated struct VisitRequest: Hashable, Sendable {
  /// Of whom; `nil` for the patient of the appointment.
  public var patient: Patient.ID?
  /// The appointment that led to it.
  public var appointment: Appointment.ID?
  /// Whether the patient comes without an appointment, also beside one.
  public var isWalkIn: Bool
  /// Whether the patient waits: the visit has not begun.
  public var isWaiting: Bool
  /// Why; the appointment's reason if `nil`.
  public var reason: String?

  /// Creates a request.
  public init(
    patient: Patient.ID? = nil, appointment: Appointment.ID? = nil, isWalkIn: Bool = false, isWaiting: Bool = false,
    reason: String? = nil
  ) {
    self.patient = patient
    self.appointment = appointment
    self.isWalkIn = isWalkIn
    self.isWaiting = isWaiting
    self.reason = reason
  }
}
