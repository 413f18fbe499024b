/// What was measured and observed.
public protocol ObservationRepository: Sendable {
  /// One observation.
  func observation(_ id: ClinicalObservation.ID, policy: ReadPolicy) -> Snapshots<RecordedObservation>

  /// One patient's observations, newest first.
  func observations(matching query: ObservationQuery, policy: ReadPolicy) -> Snapshots<[RecordedObservation]>

  /// Records observations as one action. Their ids are ignored: the receipts name the new ones, in the same order.
  ///
  /// - Throws: `invalidInput`, `notFound` for a subject that is unknown, `deleted`; store errors. All or none are written.
  func record(_ observations: [ClinicalObservation]) async throws(AppError) -> [WriteReceipt]

  /// Changes an observation: `change` gets the current local view, inside the write's transaction.
  ///
  /// - Throws: `notFound`, `deleted`; what `change` throws; store errors.
  func edit(
    _ id: ClinicalObservation.ID, _ change: @escaping @Sendable (inout ClinicalObservation) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt
}

/// A selection of one patient's observations.
public struct ObservationQuery: Hashable, Sendable {
  /// Whose.
  public var patient: Patient.ID
  /// Only those with this code (any coding's `code`, e.g. LOINC `8867-4`).
  public var code: String?
  /// How many at most.
  public var limit: Int

  /// Creates a query.
  public init(patient: Patient.ID, code: String? = nil, limit: Int = 100) {
    self.patient = patient
    self.code = code
    self.limit = limit
  }
}

/// An observation, and whether the server has it.
public struct RecordedObservation: Hashable, Sendable, Identifiable {
  /// The observation.
  public var observation: ClinicalObservation
  /// Its subject, when known locally.
  public var patient: Patient?
  /// True while edits of it wait to be sent.
  public var isPending: Bool

  /// Creates an entry.
  public init(observation: ClinicalObservation, patient: Patient? = nil, isPending: Bool = false) {
    self.observation = observation
    self.patient = patient
    self.isPending = isPending
  }

  /// The observation's id.
  public var id: ClinicalObservation.ID { observation.id }
}
