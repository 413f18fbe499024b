/// The patients of this clinic: read from the local store, revalidated behind it, written through the outbox.
public protocol PatientRepository: Sendable {
  /// One patient. A patient who is not known locally is asked for at the server, if `policy` allows it.
  func patient(_ id: Patient.ID, policy: ReadPolicy) -> Snapshots<Patient>

  /// The patients who match what was typed, best match first. Nothing in the text is an operator.
  func patients(matching query: PatientQuery, policy: ReadPolicy) -> Snapshots<[PatientMatch]>

  /// The patients last opened, registered or edited at this store, newest first.
  func recentPatients(limit: Int) -> Snapshots<[Patient]>

  /// Registers a patient. The id in `patient` is ignored: the receipt names the new one.
  ///
  /// - Throws: `invalidInput` for a patient without any name or identifier; store errors.
  func register(_ patient: Patient) async throws(AppError) -> WriteReceipt

  /// Changes a patient: `change` gets the current local view, inside the write's transaction, and must be quick.
  ///
  /// - Throws: `notFound`, `deleted`; what `change` throws; store errors. Nothing is written then.
  func edit(_ id: Patient.ID, _ change: @escaping @Sendable (inout Patient) throws(AppError) -> Void)
    async throws(AppError) -> WriteReceipt

  /// Notes that a patient was opened, for ``recentPatients(limit:)``.
  func markOpened(_ id: Patient.ID) async throws(AppError)
}

/// A search for patients.
public struct PatientQuery: Hashable, Sendable {
  /// What was typed: names, parts of names, identifiers, phone numbers, in any order.
  public var text: String
  /// How many matches to return at most.
  public var limit: Int

  /// Creates a query.
  public init(text: String, limit: Int = 50) {
    self.text = text
    self.limit = limit
  }
}

/// A patient found by a search.
public struct PatientMatch: Hashable, Sendable, Identifiable {
  /// The patient.
  public var patient: Patient
  /// True while edits of this patient wait to be sent.
  public var isPending: Bool

  /// Creates a match.
  public init(patient: Patient, isPending: Bool) {
    self.patient = patient
    self.isPending = isPending
  }

  /// The patient's id.
  public var id: Patient.ID { patient.id }
}
