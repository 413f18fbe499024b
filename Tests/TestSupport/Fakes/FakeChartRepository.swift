public import Domain
import Synchronization

/// Records of one kind of patients' charts, in memory.
public final class FakeChartRepository<Entry: ChartEntry>: ChartRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case read(Entry.ID, ReadPolicy)
    case list(Patient.ID, ReadPolicy)
    case add
    case edit(Entry.ID)
  }

  private struct State {
    var entries: [Charted<Entry>] = []
    /// For whom records are listed that name someone else.
    var others: [Entry.ID: Patient.ID] = [:]
    var freshness = Freshness.missing
    var mayBeIncomplete = false
    var entry: OutboxNumber = 0
    var added: [Entry] = []
    var answers: Snapshots<[Charted<Entry>]>?
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the repository of \(Entry.resourceType)", expecting: calls)
  }

  /// Puts a record in.
  ///
  /// - Parameter patient: In whose list it is, when that is another than it names: a former record's.
  public func put(
    _ entry: Charted<Entry>, listedFor patient: Patient.ID? = nil, freshness: Freshness = .missing,
    mayBeIncomplete: Bool = false
  ) {
    state.withLock { state in
      state.others[entry.id] = patient
      state.entries.append(entry)
      state.freshness = freshness
      state.mayBeIncomplete = mayBeIncomplete
    }
  }

  /// Gives these answers to who lists, in place of what was put in.
  public func answer(_ answers: Snapshots<[Charted<Entry>]>) { state.withLock { $0.answers = answers } }

  /// Whatever was added.
  public var added: [Entry] { state.withLock { $0.added } }

  /// A record as now stored.
  public func stored(_ id: Entry.ID) -> Entry? { state.withLock { $0.entries.first { $0.id == id }?.entry } }

  public func entry(_ id: Entry.ID, policy: ReadPolicy) -> Snapshots<Charted<Entry>> {
    book.take(.read(id, policy))
    return Snapshots([
      state.withLock { state in
        Snapshot(value: state.entries.first { $0.id == id }, freshness: state.freshness)
      }
    ])
  }

  public func entries(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Entry>]> {
    book.take(.list(patient, policy))
    if let answers = state.withLock({ $0.answers }) { return answers }
    return Snapshots([
      state.withLock { state in
        Snapshot(
          value: state.entries.filter { (state.others[$0.id] ?? $0.entry.patientID) == patient },
          freshness: state.freshness,
          mayBeIncomplete: state.mayBeIncomplete)
      }
    ])
  }

  public func add(_ entry: Entry) async throws(AppError) -> WriteReceipt {
    book.take(.add)
    return state.withLock { state in
      state.entry += 1
      state.added.append(entry)
      return WriteReceipt(key: ResourceKey(type: Entry.resourceType, id: "new-\(state.entry)"), entries: [state.entry])
    }
  }

  public func edit(
    _ id: Entry.ID, _ change: @escaping @Sendable (inout Entry) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    book.take(.edit(id))
    guard var entry = stored(id) else { throw AppError(.notFound, "\(id.key) is not known here") }
    try change(&entry)
    let after = entry
    return state.withLock { state in
      state.entry += 1
      if let index = state.entries.firstIndex(where: { $0.id == id }) { state.entries[index].entry = after }
      return WriteReceipt(key: id.key, entries: [state.entry])
    }
  }
}
