import Synchronization

/// One thread, one queue, one clock: runs all jobs of a simulated world in an order that its seed decides.
///
/// Time is virtual: it moves when nothing is ready, and now and then by a millisecond while something is.
package final class SimScheduler: Sendable {
  private struct Ready {
    var job: UnownedJob
    var lane: SimLane
    var actor: SimActorExecutor?
  }

  private struct Alarm {
    var time: Int64
    var id: Int
    var ring: @Sendable () -> Void
  }

  private struct State {
    var now: Int64 = 0
    var ready: [Ready] = []
    /// Latest first: the next to ring is the last.
    var alarms: [Alarm] = []
    var nextAlarm = 0
    var random: SimRandom
    var jobs = 0
  }

  private let state: Mutex<State>

  package init(seed: UInt64) {
    state = Mutex(State(random: SimRandom(seed: seed, stream: 1)))
  }

  /// Milliseconds since the world began.
  package var now: Int64 { state.withLock { $0.now } }
  /// Jobs run so far.
  package var jobs: Int { state.withLock { $0.jobs } }

  // MARK: Time

  /// Calls `ring` at a time.
  @discardableResult
  package func at(_ time: Int64, _ ring: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextAlarm += 1
      let alarm = Alarm(time: max(time, state.now), id: state.nextAlarm, ring: ring)
      let index = state.alarms.firstIndex { ($0.time, $0.id) < (alarm.time, alarm.id) } ?? state.alarms.endIndex
      state.alarms.insert(alarm, at: index)
      return alarm.id
    }
  }

  /// Takes an alarm back.
  ///
  /// - Returns: whether it had not rung.
  @discardableResult
  package func cancel(_ id: Int) -> Bool {
    state.withLock { state in
      guard let index = state.alarms.firstIndex(where: { $0.id == id }) else { return false }
      state.alarms.remove(at: index)
      return true
    }
  }

  /// Waits in virtual time.
  package func sleep(milliseconds: Int64) async throws {
    try Task.checkCancellation()
    let once = SimOnce<Bool>()
    let id = at(now + max(0, milliseconds)) { once.finish(true) }
    let slept = await withTaskCancellationHandler {
      await once.value()
    } onCancel: {
      cancel(id)
      once.finish(false)
    }
    if !slept { throw CancellationError() }
  }

  /// Lets time pass while a job runs: it waits for something that blocks.
  package func delay(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  // MARK: Jobs

  fileprivate func enqueue(_ job: UnownedJob, lane: SimLane, actor: SimActorExecutor?) {
    state.withLock { $0.ready.append(Ready(job: job, lane: lane, actor: actor)) }
  }

  /// Runs jobs and alarms on this thread until `isDone`, or until nothing is left.
  ///
  /// - Returns: false when more jobs ran than any world needs: it goes round in circles.
  package func run(maximumJobs: Int, until isDone: () -> Bool) -> Bool {
    var left = maximumJobs
    while !isDone() {
      left -= 1
      guard left > 0 else { return false }
      if let alarm = dueAlarm() {
        alarm()
      } else if let ready = nextReady() {
        run(ready)
      } else if !moveToNextAlarm() {
        return true
      }
    }
    return true
  }

  private func run(_ ready: Ready) {
    guard ready.lane.admits(ready.job, actor: ready.actor) else { return }
    if let actor = ready.actor {
      ready.job.runSynchronously(
        isolatedTo: actor.asUnownedSerialExecutor(), taskExecutor: ready.lane.asUnownedTaskExecutor())
    } else {
      ready.job.runSynchronously(on: ready.lane.asUnownedTaskExecutor())
    }
    ready.lane.ran()
  }

  private func dueAlarm() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let alarm = state.alarms.last, alarm.time <= state.now else { return nil }
      state.alarms.removeLast()
      return alarm.ring
    }
  }

  private func nextReady() -> Ready? {
    state.withLock { state in
      guard !state.ready.isEmpty else { return nil }
      state.jobs += 1
      if state.random.chance(0.02) { state.now += 1 }
      let index = state.random.int(0...state.ready.count - 1)
      state.ready.swapAt(index, state.ready.count - 1)
      return state.ready.removeLast()
    }
  }

  private func moveToNextAlarm() -> Bool {
    state.withLock { state in
      guard let alarm = state.alarms.last else { return false }
      state.now = max(state.now, alarm.time)
      return true
    }
  }
}

/// Where the tasks of one simulated process run. A process that dies runs no further job.
package final class SimLane: TaskExecutor {
  private struct State {
    var isDead = false
    var parked: [(UnownedJob, SimActorExecutor?)] = []
    var jobsToDeath: Int?
    var whenDead: [@Sendable () -> Void] = []
  }

  package let scheduler: SimScheduler
  package let name: String
  private let state = Mutex(State())

  package init(_ scheduler: SimScheduler, name: String) {
    self.scheduler = scheduler
    self.name = name
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    scheduler.enqueue(UnownedJob(job), lane: self, actor: nil)
  }

  package var isDead: Bool { state.withLock { $0.isDead } }

  /// Calls `body` when the process dies; at once if it is dead.
  package func whenDead(_ body: @escaping @Sendable () -> Void) {
    let isDead = state.withLock { state in
      if !state.isDead { state.whenDead.append(body) }
      return state.isDead
    }
    if isDead { body() }
  }

  /// Dies after so many further jobs, or now.
  package func die(afterJobs jobs: Int = 0) {
    guard jobs == 0 else { return state.withLock { $0.jobsToDeath = jobs } }
    let bodies = state.withLock { state in
      state.isDead = true
      state.jobsToDeath = nil
      defer { state.whenDead = [] }
      return state.whenDead
    }
    for body in bodies { body() }
  }

  /// Lets what the dead process left run out, so that memory and files are given back. The world must be over by then.
  package func bury() {
    let parked = state.withLock { state in
      state.isDead = false
      // They know the world, which knows its lanes.
      state.whenDead = []
      defer { state.parked = [] }
      return state.parked
    }
    for (job, actor) in parked { scheduler.enqueue(job, lane: self, actor: actor) }
  }

  fileprivate func admits(_ job: UnownedJob, actor: SimActorExecutor?) -> Bool {
    state.withLock { state in
      if state.isDead { state.parked.append((job, actor)) }
      return !state.isDead
    }
  }

  fileprivate func ran() {
    let dies = state.withLock { state -> Bool in
      guard let left = state.jobsToDeath else { return false }
      state.jobsToDeath = left - 1
      return left <= 1
    }
    if dies { die() }
  }
}

/// The executor of one actor of a simulated process.
package final class SimActorExecutor: SerialExecutor {
  private let lane: SimLane

  package init(_ lane: SimLane) { self.lane = lane }

  package func enqueue(_ job: consuming ExecutorJob) {
    lane.scheduler.enqueue(UnownedJob(job), lane: lane, actor: self)
  }
}

/// A value that comes once, and one who waits for it.
package final class SimOnce<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case full(Value)
    case taken
  }

  private let state = Mutex(State.empty)

  package init() {}

  /// Gives the value; later ones are dropped.
  package func finish(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .empty: state = .full(value)
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .full, .taken: break
      }
      return nil
    }
    waiting?.resume(returning: value)
  }

  /// Whether the value has come.
  package var isFinished: Bool {
    state.withLock { state in
      switch state {
      case .empty, .waiting: false
      case .full, .taken: true
      }
    }
  }

  /// Waits for the value. To be called once.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> Value? in
        if case .full(let value) = state {
          state = .taken
          return value
        }
        state = .waiting(continuation)
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}
