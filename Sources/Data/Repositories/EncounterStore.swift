import Domain
import JSON

/// ``EncounterRepository`` over the store.
struct EncounterStore: EncounterRepository {
  let context: StoreContext

  func encounter(_ id: Encounter.ID, policy: ReadPolicy) -> Snapshots<Charted<Encounter>> {
    context.charted(id, policy: policy)
  }

  func encounters(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]> {
    context.charted(of: patient, policy: policy)
  }

  func openEncounters(policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]> {
    context.list(all: Encounter.resourceType, types: [Patient.resourceType], policy: policy) {
      transaction, notes throws(AppError) -> [Charted<Encounter>] in
      let rows = try transaction.all(
        "SELECT resource FROM chart WHERE is_open = 1 ORDER BY date, resource", []
      ) { row throws(SQLiteError) in row.integer(0) }
      return try transaction.charted(rows, &notes)
    }
  }

  func start(_ encounter: Encounter) async throws(AppError) -> [WriteReceipt] {
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipts = try await context.store.write { transaction throws(AppError) in
      try transaction.requireSubject(of: encounter)
      var receipts = [try context.create(encounter, verb: "start", in: transaction, action)]
      for appointment in encounter.appointment.compactMap(\.id) {
        receipts += try transaction.lead(appointment, to: .arrived, action)
      }
      return receipts
    }
    FailPoint.writeCommitted.pass()
    return receipts
  }

  func edit(
    _ id: Encounter.ID, _ change: @escaping @Sendable (inout Encounter) throws(AppError) -> Void
  ) async throws(AppError) -> [WriteReceipt] {
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipts = try await context.store.write { transaction throws(AppError) in
      let (before, after, receipt) = try context.change(id, verb: "change", in: transaction, action, change)
      var receipts = [receipt]
      if after.status == .known(.finished), before.status != after.status {
        for appointment in after.appointment.compactMap(\.id) {
          receipts += try transaction.lead(appointment, to: .fulfilled, action)
        }
      }
      return receipts
    }
    FailPoint.writeCommitted.pass()
    return receipts
  }
}

extension StoreTransaction {
  /// Leads an appointment on with its visit, as part of the visit's action. One that is there already stays; one that is not
  /// known here or was deleted is left alone, since the visit takes place all the same.
  ///
  /// - Throws: `notAllowed` when the appointment's state machine forbids it.
  fileprivate func lead(
    _ id: Appointment.ID, to next: AppointmentStatus, _ context: WriteContext
  ) throws(AppError) -> [WriteReceipt] {
    guard let record = try resource(id.key), record.isVisible, record.state != .deleted, let view = record.view else {
      return []
    }
    var warnings: [String] = []
    guard let old = Appointment.decode(view, warnings: &warnings), let status = old.status?.known, status != next
    else { return [] }
    if next == .arrived, status == .checkedIn { return [] }
    if let refusal = status.refusal(toBecome: next) {
      // Whoever calls off or withdraws an appointment does not undo the visit that went on.
      if next == .fulfilled { return [] }
      throw AppError(.notAllowed, refusal.hasSuffix(".") ? String(refusal.dropLast()) : refusal)
    }
    var new = old
    new.status = .known(next)
    let edits = PatchDiff.edits(from: view, to: Appointment.edited(view, from: old, to: new))
    return [try update(record, edits: edits, summary: "\(next.rawValue) \(new.subjectLine)", context)]
  }
}
