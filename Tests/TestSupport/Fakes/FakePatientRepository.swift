public import Domain
import Synchronization

/// Patients in memory.
public final class FakePatientRepository: PatientRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case read(Patient.ID, ReadPolicy)
    case search(PatientQuery, ReadPolicy)
    case recent(Int)
    case candidates
    case merge(Patient.ID, Patient.ID)
    case register
    case edit(Patient.ID)
    case markOpened(Patient.ID)
  }

  private struct State {
    var answers: [Patient.ID: [Snapshot<Patient>]] = [:]
    var silent: Set<Patient.ID> = []
    var matches: [Snapshot<[PatientMatch]>] = []
    var recent: Snapshot<[Patient]> = Snapshot(value: [], freshness: .missing)
    var failure: AppError?
    var entry: OutboxNumber = 0
    var registered: [Patient] = []
    var candidates: [PatientCandidate] = []
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the patients' repository", expecting: calls)
  }

  /// Puts a patient in, whose reads give these answers one after the other.
  public func answer(_ id: Patient.ID, _ answers: Snapshot<Patient>...) {
    state.withLock { $0.answers[id] = answers }
  }

  /// Puts a patient in.
  public func add(_ patient: Patient) {
    answer(patient.id, Snapshot(value: patient, freshness: .missing))
  }

  /// Makes the reads of a patient wait for ever, as a server does that never answers.
  public func keepSilent(about id: Patient.ID) {
    state.withLock { _ = $0.silent.insert(id) }
  }

  /// Sets what searches find.
  public func find(_ answers: Snapshot<[PatientMatch]>...) {
    state.withLock { $0.matches = answers }
  }

  /// Sets who was opened last.
  public func setRecent(_ answer: Snapshot<[Patient]>) {
    state.withLock { $0.recent = answer }
  }

  /// Sets who may be the person of a registration.
  public func resemble(_ candidates: PatientCandidate...) {
    state.withLock { $0.candidates = candidates }
  }

  /// Makes every write fail.
  public func fail(with error: AppError) {
    state.withLock { $0.failure = error }
  }

  /// Whoever was registered.
  public var registered: [Patient] { state.withLock { $0.registered } }

  /// A patient as now stored.
  public func stored(_ id: Patient.ID) -> Patient? { state.withLock { $0.answers[id]?.last?.value } }

  public func patient(_ id: Patient.ID, policy: ReadPolicy) -> Snapshots<Patient> {
    book.take(.read(id, policy))
    if state.withLock({ $0.silent.contains(id) }) { return Snapshots { AsyncStream { _ in } } }
    return Snapshots(state.withLock { $0.answers[id] ?? [Snapshot(value: nil, freshness: .missing)] })
  }

  public func patients(matching query: PatientQuery, policy: ReadPolicy) -> Snapshots<[PatientMatch]> {
    book.take(.search(query, policy))
    return Snapshots(state.withLock { $0.matches })
  }

  public func recentPatients(limit: Int) -> Snapshots<[Patient]> {
    book.take(.recent(limit))
    return Snapshots([state.withLock { $0.recent }])
  }

  public func candidates(for registration: Patient) async throws(AppError) -> [PatientCandidate] {
    book.take(.candidates)
    return state.withLock { $0.candidates }
  }

  public func merge(_ registration: Patient.ID, into known: Patient.ID) async throws(AppError) -> PatientMerge {
    book.take(.merge(registration, known))
    if let failure = state.withLock({ $0.failure }) { throw failure }
    guard let source = stored(registration), let target = stored(known) else {
      throw AppError(.notFound, "\(registration.key) is not known here")
    }
    return PatientMerge(registration: source, known: target, moved: [7])
  }

  public func register(_ patient: Patient) async throws(AppError) -> WriteReceipt {
    book.take(.register)
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return state.withLock { state in
      state.entry += 1
      var stored = patient
      stored.id = Patient.ID("new-\(state.entry)")
      state.registered.append(stored)
      state.answers[stored.id] = [Snapshot(value: stored, freshness: .missing, pendingWrites: 1)]
      return WriteReceipt(key: stored.key, entries: [state.entry])
    }
  }

  public func edit(
    _ id: Patient.ID, _ change: @escaping @Sendable (inout Patient) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    book.take(.edit(id))
    if let failure = state.withLock({ $0.failure }) { throw failure }
    guard var patient = stored(id) else { throw AppError(.notFound, "\(id.key) is not known here") }
    let before = patient
    try change(&patient)
    let after = patient
    return state.withLock { state in
      guard after != before else { return WriteReceipt(key: id.key, entries: []) }
      state.entry += 1
      state.answers[id] = [Snapshot(value: after, freshness: .missing, pendingWrites: 1)]
      return WriteReceipt(key: id.key, entries: [state.entry])
    }
  }

  public func markOpened(_ id: Patient.ID) async throws(AppError) {
    book.take(.markOpened(id))
  }
}
