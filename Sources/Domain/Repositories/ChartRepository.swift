/// One kind of record of patients' charts: problems, allergies, medications, vaccinations or notes.
public protocol ChartRepository<Entry>: Sendable {
  /// The kind of record.
  associatedtype Entry: ChartEntry

  /// One record.
  func entry(_ id: Entry.ID, policy: ReadPolicy) -> Snapshots<Charted<Entry>>

  /// One patient's records, newest first, withdrawn ones among them. Those of records that were merged into the patient's
  /// come along: they name the former record as their patient.
  func entries(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Entry>]>

  /// Records one. Its id is ignored: the receipt names the new one.
  ///
  /// - Throws: `invalidInput` without a patient, `notFound` for one who is unknown, `deleted`; store errors.
  func add(_ entry: Entry) async throws(AppError) -> WriteReceipt

  /// Changes one: `change` gets the current local view, inside the write's transaction.
  ///
  /// - Throws: `notFound`, `deleted`; what `change` throws; store errors. Nothing is written then.
  func edit(
    _ id: Entry.ID, _ change: @escaping @Sendable (inout Entry) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt
}

/// A record of a chart, and whether the server has it.
public struct Charted<Entry: ChartEntry>: Hashable, Sendable, Identifiable {
  /// The record.
  public var entry: Entry
  /// Whose it is, when known locally.
  public var patient: Patient?
  /// True while edits of it wait to be sent.
  public var isPending: Bool

  /// Creates an entry.
  public init(_ entry: Entry, patient: Patient? = nil, isPending: Bool = false) {
    self.entry = entry
    self.patient = patient
    self.isPending = isPending
  }

  /// The record's id.
  public var id: Entry.ID { entry.id }
}
