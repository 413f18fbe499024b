public import Domain
import Synchronization

/// Appointments in memory.
public final class FakeAppointmentRepository: AppointmentRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case read(Appointment.ID, ReadPolicy)
    case list(AppointmentQuery, ReadPolicy)
    case book(allowingOverlap: Bool)
    case edit(Appointment.ID, allowingOverlap: Bool)
  }

  private struct State {
    var answers: [Appointment.ID: Snapshot<ScheduledAppointment>] = [:]
    var list: Snapshot<[ScheduledAppointment]> = Snapshot(value: [], freshness: .missing)
    var failure: AppError?
    var entry: OutboxNumber = 0
    var booked: [Appointment] = []
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let state = Mutex(State())

  public init(expecting calls: Call...) {
    book = CallBook("the appointments' repository", expecting: calls)
  }

  /// Puts an appointment in.
  public func add(_ scheduled: ScheduledAppointment, freshness: Freshness = .missing) {
    state.withLock { $0.answers[scheduled.id] = Snapshot(value: scheduled, freshness: freshness) }
  }

  /// Sets what lists give.
  public func list(_ answer: Snapshot<[ScheduledAppointment]>) {
    state.withLock { $0.list = answer }
  }

  /// Makes every write fail.
  public func fail(with error: AppError) {
    state.withLock { $0.failure = error }
  }

  /// Whatever was booked.
  public var booked: [Appointment] { state.withLock { $0.booked } }

  /// An appointment as now stored.
  public func stored(_ id: Appointment.ID) -> Appointment? { state.withLock { $0.answers[id]?.value?.appointment } }

  public func appointment(_ id: Appointment.ID, policy: ReadPolicy) -> Snapshots<ScheduledAppointment> {
    book.take(.read(id, policy))
    return Snapshots([state.withLock { $0.answers[id] ?? Snapshot(value: nil, freshness: .missing) }])
  }

  public func appointments(
    matching query: AppointmentQuery, policy: ReadPolicy
  ) -> Snapshots<[ScheduledAppointment]> {
    book.take(.list(query, policy))
    return Snapshots([state.withLock { $0.list }])
  }

  public func book(_ appointment: Appointment, allowingOverlap: Bool) async throws(AppError) -> WriteReceipt {
    book.take(.book(allowingOverlap: allowingOverlap))
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return state.withLock { state in
      state.entry += 1
      var stored = appointment
      stored.id = Appointment.ID("new-\(state.entry)")
      state.booked.append(stored)
      return WriteReceipt(key: stored.key, entries: [state.entry])
    }
  }

  public func edit(
    _ id: Appointment.ID, allowingOverlap: Bool,
    _ change: @escaping @Sendable (inout Appointment) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    book.take(.edit(id, allowingOverlap: allowingOverlap))
    if let failure = state.withLock({ $0.failure }) { throw failure }
    guard var appointment = stored(id) else { throw AppError(.notFound, "\(id.key) is not known here") }
    try change(&appointment)
    let after = appointment
    return state.withLock { state in
      state.entry += 1
      state.answers[id]?.value?.appointment = after
      state.answers[id]?.value?.isPending = true
      return WriteReceipt(key: id.key, entries: [state.entry])
    }
  }
}
