public import Domain
import Synchronization

/// A sync that does as it was told.
public final class FakeSyncRepository: SyncRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case sync(SyncOptions)
    case watch(SyncOptions)
    case requestStop
    case status
    case plan
  }

  private struct State {
    var result: Result<SyncReport, AppError> = .success(SyncReport(outcome: .complete))
    var status = SyncStatus(server: nil)
    var plan: [PlannedRequest] = []
    var steps: [SyncProgress] = []
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the sync", expecting: calls)
  }

  /// Sets how a sync ends, and what it tells on the way.
  public func end(_ result: Result<SyncReport, AppError>, after steps: [SyncProgress] = []) {
    state.withLock {
      $0.result = result
      $0.steps = steps
    }
  }

  /// Sets the state that is shown.
  public func set(_ status: SyncStatus) { state.withLock { $0.status = status } }

  /// Sets what would be sent.
  public func set(plan: [PlannedRequest]) { state.withLock { $0.plan = plan } }

  public func sync(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws(AppError) -> SyncReport {
    book.take(.sync(options))
    for step in state.withLock({ $0.steps }) { progress(step) }
    return try state.withLock { $0.result }.get()
  }

  public func watch(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void,
    told: @escaping @Sendable (SyncReport) -> Void
  ) async throws(AppError) -> SyncReport {
    book.take(.watch(options))
    let report = try state.withLock { $0.result }.get()
    told(report)
    return report
  }

  public func requestStop() -> Bool {
    book.take(.requestStop)
    return true
  }

  public func status() -> Snapshots<SyncStatus> {
    book.take(.status)
    return Snapshots([Snapshot(value: state.withLock { $0.status }, freshness: .missing)])
  }

  public func plan() async throws(AppError) -> [PlannedRequest] {
    book.take(.plan)
    return state.withLock { $0.plan }
  }
}
