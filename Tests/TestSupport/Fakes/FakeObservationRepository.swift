public import Domain
import Synchronization

/// Observations in memory.
public final class FakeObservationRepository: ObservationRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case read(ClinicalObservation.ID, ReadPolicy)
    case list(ObservationQuery, ReadPolicy)
    case record
    case edit(ClinicalObservation.ID)
  }

  private struct State {
    var answers: [ClinicalObservation.ID: Snapshot<RecordedObservation>] = [:]
    var list: Snapshot<[RecordedObservation]> = Snapshot(value: [], freshness: .missing)
    var failure: AppError?
    var entry: OutboxNumber = 0
    var recorded: [ClinicalObservation] = []
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the observations' repository", expecting: calls)
  }

  /// Puts an observation in.
  public func add(_ recorded: RecordedObservation, freshness: Freshness = .missing) {
    state.withLock { $0.answers[recorded.id] = Snapshot(value: recorded, freshness: freshness) }
  }

  /// Sets what lists give.
  public func list(_ answer: Snapshot<[RecordedObservation]>) {
    state.withLock { $0.list = answer }
  }

  /// Makes every write fail.
  public func fail(with error: AppError) {
    state.withLock { $0.failure = error }
  }

  /// Whatever was recorded.
  public var recorded: [ClinicalObservation] { state.withLock { $0.recorded } }

  /// An observation as now stored.
  public func stored(_ id: ClinicalObservation.ID) -> ClinicalObservation? {
    state.withLock { $0.answers[id]?.value?.observation }
  }

  public func observation(_ id: ClinicalObservation.ID, policy: ReadPolicy) -> Snapshots<RecordedObservation> {
    book.take(.read(id, policy))
    return Snapshots([state.withLock { $0.answers[id] ?? Snapshot(value: nil, freshness: .missing) }])
  }

  public func observations(
    matching query: ObservationQuery, policy: ReadPolicy
  ) -> Snapshots<[RecordedObservation]> {
    book.take(.list(query, policy))
    return Snapshots([state.withLock { $0.list }])
  }

  public func record(_ observations: [ClinicalObservation]) async throws(AppError) -> [WriteReceipt] {
    book.take(.record)
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return state.withLock { state in
      observations.map { observation in
        state.entry += 1
        var stored = observation
        stored.id = ClinicalObservation.ID("new-\(state.entry)")
        state.recorded.append(stored)
        return WriteReceipt(key: stored.key, entries: [state.entry])
      }
    }
  }

  public func edit(
    _ id: ClinicalObservation.ID, _ change: @escaping @Sendable (inout ClinicalObservation) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    book.take(.edit(id))
    if let failure = state.withLock({ $0.failure }) { throw failure }
    guard var observation = stored(id) else { throw AppError(.notFound, "\(id.key) is not known here") }
    try change(&observation)
    let after = observation
    return state.withLock { state in
      state.entry += 1
      state.answers[id]?.value?.observation = after
      return WriteReceipt(key: id.key, entries: [state.entry])
    }
  }
}
