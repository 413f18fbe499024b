import Domain
import JSON

/// ``AppointmentRepository`` over the store.
struct AppointmentStore: AppointmentRepository {
  let context: StoreContext

  /// The types whose names an appointment shows.
  private static let people: Set<String> = ["Patient", "Practitioner", "Location"]

  func appointment(_ id: Appointment.ID, policy: ReadPolicy) -> Snapshots<ScheduledAppointment> {
    context.one(id, policy: policy, types: Self.people) {
      (appointment: Appointment, record, transaction) throws(AppError) in
      try transaction.scheduled(appointment, record)
    }
  }

  func appointments(matching query: AppointmentQuery, policy: ReadPolicy) -> Snapshots<[ScheduledAppointment]> {
    let behind = context.plan.schedule(query.span)
    return context.list(Appointment.resourceType, types: Self.people, policy: policy, scopes: { _ in behind }) {
      transaction, notes throws(AppError) -> [ScheduledAppointment] in
      var found: [ScheduledAppointment] = []
      for row in try transaction.appointmentRows(matching: query) {
        guard let record = try transaction.resource(rowID: row), let view = record.view,
          let appointment = Appointment.decode(view, warnings: &notes.warnings)
        else { continue }
        notes.count(record)
        found.append(try transaction.scheduled(appointment, record))
      }
      return found
    }
  }

  func book(_ appointment: Appointment, allowingOverlap: Bool) async throws(AppError) -> WriteReceipt {
    guard let start = appointment.start, let end = appointment.end, start < end else {
      throw AppError(.invalidInput, "an appointment needs a start, and an end after it", field: "start")
    }
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipt = try await context.store.write { transaction throws(AppError) in
      if let patient = appointment.patient?.id { _ = try transaction.visibleResource(patient.key) }
      if !allowingOverlap { try transaction.refuseCollisions(of: appointment, except: nil) }
      var appointment = appointment
      appointment.slot = try transaction.slotsFilled(by: appointment)
      return try context.create(appointment, verb: "book", in: transaction, action)
    }
    FailPoint.writeCommitted.pass()
    return receipt
  }

  func edit(
    _ id: Appointment.ID, allowingOverlap: Bool,
    _ change: @escaping @Sendable (inout Appointment) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipt = try await context.store.write { transaction throws(AppError) in
      try context.change(
        id, verb: "change", in: transaction, action,
        check: { (old: Appointment, new: Appointment, transaction) throws(AppError) in
          if let from = old.status?.known, let to = new.status?.known, from != to,
            let refusal = from.refusal(toBecome: to)
          {
            throw AppError(.notAllowed, refusal)
          }
          if old.takesOtherTime(than: new), !allowingOverlap {
            try transaction.refuseCollisions(of: new, except: new.id)
          }
        },
        { (appointment: inout Appointment) throws(AppError) in
          let old = appointment
          try change(&appointment)
          // Slots belong to the time and to those who take part; an appointment that is off fills none.
          if old.takesOtherTime(than: appointment) || appointment.isOff {
            appointment.slot = try transaction.slotsFilled(by: appointment)
          }
        }
      ).receipt
    }
    FailPoint.writeCommitted.pass()
    return receipt
  }
}

extension Appointment {
  /// Whether it takes the time of others, or another time.
  fileprivate func takesOtherTime(than other: Appointment) -> Bool {
    interval != other.interval || participant != other.participant
  }

  /// Whether it was called off, or should never have been recorded.
  fileprivate var isOff: Bool { status == .known(.cancelled) || status == .known(.enteredInError) }
}

extension StoreTransaction {
  /// An appointment with the names of those who take part.
  func scheduled(_ appointment: Appointment, _ record: ResourceRecord) throws(AppError) -> ScheduledAppointment {
    ScheduledAppointment(
      appointment: appointment, patient: try model(appointment.patient?.id),
      practitioner: try model(appointment.practitioner?.id), location: try model(appointment.location?.id),
      isPending: record.pending > 0)
  }

  /// The longest appointment that is looked for behind the start of a span: a day, in milliseconds.
  private static let longestAppointment: Int64 = 86_400_000

  /// The rows of the appointments that touch a span, by start.
  func appointmentRows(matching query: AppointmentQuery) throws(AppError) -> [Int64] {
    let from = query.span.lowerBound.milliseconds
    let to = query.span.upperBound.milliseconds
    var conditions = ["start < ?", "start >= ?", "finish > ?"]
    var values: [SQLValue] = [.integer(to), .integer(from - Self.longestAppointment), .integer(from)]
    for (column, key) in [
      ("patient", query.patient?.key), ("practitioner", query.practitioner?.key), ("location", query.location?.key),
    ] {
      guard let key else { continue }
      conditions.append("\(column) = ?")
      values.append(.text(try resource(key)?.key.id ?? key.id))
    }
    return try all(
      "SELECT resource FROM appointment WHERE \(conditions.joined(separator: " AND ")) ORDER BY start, resource", values
    ) { row throws(SQLiteError) in row.integer(0) }
  }

  /// Refuses an appointment that would take time that is taken.
  ///
  /// - Throws: `collision`, naming what it collides with.
  func refuseCollisions(of appointment: Appointment, except own: Appointment.ID?) throws(AppError) {
    guard appointment.occupiesTime, let interval = appointment.interval else { return }
    let ownKey = try own.map { id throws(AppError) in try resource(id.key)?.key ?? id.key }
    for row in try appointmentRows(matching: AppointmentQuery(span: interval)) {
      guard let record = try resource(rowID: row), record.key != ownKey, let view = record.view else { continue }
      var warnings: [String] = []
      guard let other = Appointment.decode(view, warnings: &warnings), other.occupiesTime,
        let taken = other.interval, let shared = appointment.collisions(with: other).min()
      else { continue }
      let subject = try subjectLine(of: shared)
      // On the clock on which the new one is written.
      let (from, to) = (
        taken.lowerBound.withOffset(seconds: interval.lowerBound.offsetSeconds).written,
        taken.upperBound.withOffset(seconds: interval.lowerBound.offsetSeconds).written
      )
      throw AppError(
        .collision,
        "\(subject) already has an appointment on \(from.day), \(from.timeText)–\(to.timeText) (\(record.key))",
        hint: "choose another time, or add --overbook")
    }
  }

  /// What a record is, in a person's words.
  func subjectLine(of key: ResourceKey) throws(AppError) -> String {
    switch key.type {
    case Patient.resourceType: try model(Patient.ID(key.id)).map(\Patient.subjectLine) ?? key.description
    case Practitioner.resourceType: try model(Practitioner.ID(key.id)).map(\Practitioner.subjectLine) ?? key.description
    case Location.resourceType: try model(Location.ID(key.id)).map(\Location.subjectLine) ?? key.description
    case Appointment.resourceType: try model(Appointment.ID(key.id)).map(\Appointment.subjectLine) ?? key.description
    case ClinicalObservation.resourceType:
      try model(ClinicalObservation.ID(key.id)).map(\ClinicalObservation.subjectLine) ?? key.description
    default: try chartSubjectLine(of: key) ?? key.description
    }
  }
}
