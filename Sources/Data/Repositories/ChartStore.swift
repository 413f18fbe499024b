import Domain
import JSON

/// ``ChartRepository`` over the store, for any kind of chart record.
struct ChartStore<Entry: ChartEntry & StoredModel>: ChartRepository {
  let context: StoreContext

  func entry(_ id: Entry.ID, policy: ReadPolicy) -> Snapshots<Charted<Entry>> {
    context.charted(id, policy: policy)
  }

  func entries(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Entry>]> {
    context.charted(of: patient, policy: policy)
  }

  func add(_ entry: Entry) async throws(AppError) -> WriteReceipt {
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipt = try await context.store.write { transaction throws(AppError) in
      try transaction.requireSubject(of: entry)
      return try context.create(entry, verb: "record", in: transaction, action)
    }
    FailPoint.writeCommitted.pass()
    return receipt
  }

  func edit(
    _ id: Entry.ID, _ change: @escaping @Sendable (inout Entry) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    try await context.edit(id, change)
  }
}

extension StoreContext {
  /// One record of a chart, as a live read.
  func charted<Entry: ChartEntry & StoredModel>(_ id: Entry.ID, policy: ReadPolicy) -> Snapshots<Charted<Entry>> {
    one(id, policy: policy, types: [Patient.resourceType]) { (entry: Entry, record, transaction) throws(AppError) in
      Charted(entry, patient: try transaction.model(entry.patientID), isPending: record.pending > 0)
    }
  }

  /// One patient's records of a kind, newest first, as a live read.
  func charted<Entry: ChartEntry & StoredModel>(
    of patient: Patient.ID, policy: ReadPolicy
  ) -> Snapshots<[Charted<Entry>]> {
    list(Entry.resourceType, of: patient, types: [Patient.resourceType], policy: policy) {
      transaction, notes throws(AppError) -> [Charted<Entry>] in
      try transaction.charted(try transaction.chartRows(of: patient, type: Entry.resourceType), &notes)
    }
  }
}

extension StoreTransaction {
  /// The rows of a patient's records of a type, newest first; those of former records of the patient among them.
  func chartRows(of patient: Patient.ID, type: String) throws(AppError) -> [Int64] {
    var rows: [(date: Int64, row: Int64)] = []
    for id in try recordIDs(ofPerson: patient) {
      rows += try all(
        "SELECT date, resource FROM chart WHERE patient = ? AND type = ? ORDER BY date DESC, resource",
        [.text(id), .text(type)]
      ) { row throws(SQLiteError) in (row.integer(0), row.integer(1)) }
    }
    return rows.sorted { ($1.date, $0.row) < ($0.date, $1.row) }.map(\.row)
  }

  /// The models of rows, in their order.
  func charted<Entry: ChartEntry & StoredModel>(
    _ rows: [Int64], _ notes: inout ListNotes
  ) throws(AppError) -> [Charted<Entry>] {
    var found: [Charted<Entry>] = []
    for row in rows {
      guard let record = try resource(rowID: row), let view = record.view,
        let entry = Entry.decode(view, warnings: &notes.warnings)
      else { continue }
      notes.count(record)
      found.append(Charted(entry, patient: try model(entry.patientID), isPending: record.pending > 0))
    }
    return found
  }

  /// The id of a patient's record, and those of the records that say they were merged into it.
  func recordIDs(ofPerson patient: Patient.ID) throws(AppError) -> [String] {
    let own = try resource(patient.key)?.key.id ?? patient.rawValue
    let former = try all(
      """
      SELECT r.id FROM patient p JOIN resource r ON r.rowid = p.resource
      WHERE p.replaced_by = ? AND p.replaced_by IS NOT NULL
      """, [.text(own)]
    ) { row throws(SQLiteError) in row.text(0) }
    return [own] + former.filter { $0 != own }.sorted()
  }

  /// Refuses what is about nobody, or about someone who is gone.
  ///
  /// - Throws: `invalidInput`, `notFound`, `deleted`.
  func requireSubject(of entry: some ChartEntry) throws(AppError) {
    guard let patient = entry.patientID else {
      throw AppError(
        .invalidInput, "a record of a chart needs a patient", hint: "give --patient REF", field: "subject")
    }
    _ = try visibleResource(patient.key)
  }
}
