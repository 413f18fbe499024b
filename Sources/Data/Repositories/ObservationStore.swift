import Domain
import JSON

/// ``ObservationRepository`` over the store.
struct ObservationStore: ObservationRepository {
  let context: StoreContext

  func observation(_ id: ClinicalObservation.ID, policy: ReadPolicy) -> Snapshots<RecordedObservation> {
    context.one(id, policy: policy, types: [Patient.resourceType]) {
      (observation: ClinicalObservation, record, transaction) throws(AppError) in
      RecordedObservation(
        observation: observation, patient: try transaction.model(observation.patientID),
        isPending: record.pending > 0)
    }
  }

  func observations(matching query: ObservationQuery, policy: ReadPolicy) -> Snapshots<[RecordedObservation]> {
    context.list(
      ClinicalObservation.resourceType, of: query.patient, types: [Patient.resourceType], policy: policy
    ) { transaction, notes throws(AppError) -> [RecordedObservation] in
      let rows = try transaction.observationRows(matching: query)
      var found: [RecordedObservation] = []
      for row in rows {
        guard let record = try transaction.resource(rowID: row), let view = record.view,
          let observation = ClinicalObservation.decode(view, warnings: &notes.warnings)
        else { continue }
        notes.count(record)
        found.append(
          RecordedObservation(
            observation: observation, patient: try transaction.model(observation.patientID),
            isPending: record.pending > 0))
      }
      return found
    }
  }

  func record(_ observations: [ClinicalObservation]) async throws(AppError) -> [WriteReceipt] {
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipts = try await context.store.write { transaction throws(AppError) in
      var receipts: [WriteReceipt] = []
      for observation in observations {
        guard let subject = observation.patientID else {
          throw AppError(.invalidInput, "an observation needs a patient", hint: "give --patient REF", field: "subject")
        }
        _ = try transaction.visibleResource(subject.key)
        receipts.append(try context.create(observation, verb: "record", in: transaction, action))
      }
      return receipts
    }
    FailPoint.writeCommitted.pass()
    return receipts
  }

  func edit(
    _ id: ClinicalObservation.ID, _ change: @escaping @Sendable (inout ClinicalObservation) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    try await context.edit(id, change)
  }
}

extension StoreTransaction {
  /// The rows of a patient's observations, newest first; those of former records of the patient among them.
  fileprivate func observationRows(matching query: ObservationQuery) throws(AppError) -> [Int64] {
    var rows: [(effective: Int64, row: Int64)] = []
    for id in try recordIDs(ofPerson: query.patient) {
      rows += try all(
        """
        SELECT effective, resource FROM observation WHERE patient = ? AND code = ?
        ORDER BY effective DESC, resource LIMIT ?
        """, [.text(id), .text(query.code ?? ""), SQLValue(query.limit)]
      ) { row throws(SQLiteError) in (row.integer(0), row.integer(1)) }
    }
    return rows.sorted { ($1.effective, $0.row) < ($0.effective, $1.row) }.prefix(query.limit).map(\.row)
  }
}
