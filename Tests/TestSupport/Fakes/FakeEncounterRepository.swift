public import Domain
import Synchronization

/// Visits in memory.
public final class FakeEncounterRepository: EncounterRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case read(Encounter.ID, ReadPolicy)
    case list(Patient.ID, ReadPolicy)
    case open(ReadPolicy)
    case start
    case edit(Encounter.ID)
  }

  private struct State {
    var visits: [Charted<Encounter>] = []
    var freshness = Freshness.missing
    var entry: OutboxNumber = 0
    var started: [Encounter] = []
    var open: Snapshots<[Charted<Encounter>]>?
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the visits' repository", expecting: calls)
  }

  /// Puts a visit in.
  public func put(_ visit: Charted<Encounter>, freshness: Freshness = .missing) {
    state.withLock { state in
      state.visits.append(visit)
      state.freshness = freshness
    }
  }

  /// Gives these answers to who asks for open visits, in place of what was put in.
  public func answerOpen(_ answers: Snapshots<[Charted<Encounter>]>) { state.withLock { $0.open = answers } }

  /// Whatever was started.
  public var started: [Encounter] { state.withLock { $0.started } }

  /// A visit as now stored.
  public func stored(_ id: Encounter.ID) -> Encounter? { state.withLock { $0.visits.first { $0.id == id }?.entry } }

  public func encounter(_ id: Encounter.ID, policy: ReadPolicy) -> Snapshots<Charted<Encounter>> {
    book.take(.read(id, policy))
    return Snapshots([
      state.withLock { state in Snapshot(value: state.visits.first { $0.id == id }, freshness: state.freshness) }
    ])
  }

  public func encounters(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]> {
    book.take(.list(patient, policy))
    return Snapshots([
      state.withLock { state in
        Snapshot(value: state.visits.filter { $0.entry.patientID == patient }, freshness: state.freshness)
      }
    ])
  }

  public func openEncounters(policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]> {
    book.take(.open(policy))
    if let answers = state.withLock({ $0.open }) { return answers }
    return Snapshots([
      state.withLock { state in Snapshot(value: state.visits.filter(\.entry.isOpen), freshness: state.freshness) }
    ])
  }

  public func start(_ encounter: Encounter) async throws(AppError) -> [WriteReceipt] {
    book.take(.start)
    return state.withLock { state in
      state.started.append(encounter)
      state.entry += 1
      var receipts = [
        WriteReceipt(key: ResourceKey(type: "Encounter", id: "new-\(state.entry)"), entries: [state.entry])
      ]
      for appointment in encounter.appointment.compactMap(\.id) {
        state.entry += 1
        receipts.append(WriteReceipt(key: appointment.key, entries: [state.entry]))
      }
      return receipts
    }
  }

  public func edit(
    _ id: Encounter.ID, _ change: @escaping @Sendable (inout Encounter) throws(AppError) -> Void
  ) async throws(AppError) -> [WriteReceipt] {
    book.take(.edit(id))
    guard var visit = stored(id) else { throw AppError(.notFound, "\(id.key) is not known here") }
    try change(&visit)
    let after = visit
    return state.withLock { state in
      state.entry += 1
      if let index = state.visits.firstIndex(where: { $0.id == id }) { state.visits[index].entry = after }
      return [WriteReceipt(key: id.key, entries: [state.entry])]
    }
  }
}
