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

  /// The patients known here who may be the person of a registration, most likely first. Looks at the whole store.
  func candidates(for registration: Patient) async throws(AppError) -> [PatientCandidate]

  /// Joins a registration that was never sent to a patient who is known: what was written about the one is then about the
  /// other, and the registration is given up. Its id goes on meaning the other.
  ///
  /// - Returns: how many unsent writes now are about the patient who is known.
  /// - Throws: `notFound`; `deleted`; `notAllowed` for one that is at the server, or may be; `invalidInput` when both are one;
  ///   store errors.
  func merge(_ registration: Patient.ID, into known: Patient.ID) async throws(AppError) -> PatientMerge

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
  /// Whether the server is asked for whom the store does not hold, where the read may ask it.
  public var asksServer: Bool

  /// Creates a query.
  public init(text: String, limit: Int = 50, asksServer: Bool = false) {
    self.text = text
    self.limit = limit
    self.asksServer = asksServer
  }
}

/// A patient found by a search.
public struct PatientMatch: Hashable, Sendable, Identifiable {
  /// The patient.
  public var patient: Patient
  /// True while edits of this patient wait to be sent.
  public var isPending: Bool
  /// By what the patient was found, beside the name that is shown.
  public var reasons: [Reason]

  /// By what a patient was found.
  public enum Reason: Hashable, Sendable {
    /// A name that is no longer in use.
    case formerName(String)
    /// Another name in use.
    case otherName(String)
    /// The date of birth.
    case birthDate(PartialDate)
    /// An identifier.
    case identifier(String)
    /// A phone number or an e-mail address.
    case contact(String)
    /// The server found the patient, by what is not known here.
    case server
  }

  /// Creates a match.
  public init(patient: Patient, isPending: Bool, reasons: [Reason] = []) {
    self.patient = patient
    self.isPending = isPending
    self.reasons = reasons
  }

  /// The patient's id.
  public var id: Patient.ID { patient.id }
}

/// Someone known who may be the person of a registration.
public struct PatientCandidate: Hashable, Sendable {
  /// Who is known.
  public var patient: Patient
  /// How likely it is one person, and why.
  public var match: RegistrationMatch

  /// Creates a candidate.
  public init(patient: Patient, match: RegistrationMatch) {
    self.patient = patient
    self.match = match
  }
}

/// What became of a registration that was joined to a patient who is known.
public struct PatientMerge: Hashable, Sendable {
  /// The registration as it was.
  public var registration: Patient
  /// Who is known.
  public var known: Patient
  /// The unsent writes that now are about the patient who is known.
  public var moved: [OutboxNumber]

  /// Creates a description.
  public init(registration: Patient, known: Patient, moved: [OutboxNumber]) {
    self.registration = registration
    self.known = known
    self.moved = moved
  }
}
