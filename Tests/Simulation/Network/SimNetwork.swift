package import Data
import Domain
import MockServer
import Synchronization

/// How the network treats requests now. Parts of one, each.
package struct SimWeather: Sendable, Hashable {
  package var losesRequest = 0.0
  package var losesAnswer = 0.0
  package var cutsAnswer = 0.0
  package var breaksServer = 0.0
  package var throttles = 0.0
  package var signsOut = 0.0
  package var arrivesLate = 0.0
  package var dawdles = 0.0
  package var hasPortal = false
  package var isDown = false
  /// Requests arrive, and no answer comes back.
  package var isHalfOpen = false
  /// Whose requests do not leave, by place.
  package var cutOff: Set<Int> = []
  /// Who is signed out, by subject.
  package var signedOut: Set<String> = []

  package init() {}

  static func drawn(_ random: inout SimRandom) -> SimWeather {
    var weather = SimWeather()
    guard random.chance(0.85) else { return weather }
    weather.losesRequest = random.unit() * 0.1
    weather.losesAnswer = random.unit() * 0.15
    weather.cutsAnswer = random.unit() * 0.08
    weather.breaksServer = random.unit() * 0.1
    weather.throttles = random.unit() * 0.06
    weather.signsOut = random.chance(0.3) ? 0.03 : 0
    weather.arrivesLate = random.chance(0.25) ? random.unit() * 0.1 : 0
    weather.dawdles = random.unit() * 0.1
    return weather
  }
}

/// The network between the client and the server: late, lossy, cut, away, or somebody else's.
package final class SimNetwork: Sendable {
  private struct State {
    var weather: SimWeather
    var random: SimRandom
    var count = 0
    var underway = 0
  }

  let server: SimServer
  private let scheduler: SimScheduler
  private let machine: SimMachine
  private let trace: SimTrace
  private let state: Mutex<State>

  init(_ server: SimServer, machine: SimMachine, trace: SimTrace, seed: UInt64, weather: SimWeather) {
    self.server = server
    self.scheduler = machine.scheduler
    self.machine = machine
    self.trace = trace
    state = Mutex(State(weather: weather, random: SimRandom(seed: seed, stream: 3)))
  }

  package var weather: SimWeather {
    get { state.withLock { $0.weather } }
    set { state.withLock { $0.weather = newValue } }
  }

  /// Requests that are on their way to the server.
  package var underway: Int { state.withLock { $0.underway } }

  /// The transport of one process.
  package func transport(for sender: Sender) -> any HTTPTransport { Transport(network: self, sender: sender) }

  /// Who sends: a process, where it lives, and whose sign-in it has.
  package struct Sender: Sendable {
    package var process: String
    package var place: Int
    package var subject: String
    /// Whether the process has died.
    package var isDead: @Sendable () -> Bool
  }

  private struct Transport: HTTPTransport {
    let network: SimNetwork
    let sender: Sender

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      try await network.send(request, from: sender)
    }
  }

  /// How long after it left, in milliseconds, a request that was given up is reckoned with: the client waits 15 s before
  /// it asks a server's search for it, which may lag as well.
  private var longestWait: Int64 { max(0, 14_000 - Int64(server.model.profile.searchLagSeconds) * 1_000) }

  // MARK: One request

  private enum Outcome: Sendable {
    case answered(HTTPResponse)
    case failed(TransportError)
  }

  /// What will happen to a request, drawn as it leaves.
  private struct Fate {
    enum Kind: String {
      case fine, refused, connectTimeout, requestLost, answerLost, cut, empty, reset, late, portal, broken, brokenAfter,
        throttled, signedOut, locked
    }
    var kind = Kind.fine
    var there: Int64 = 0
    var back: Int64 = 0
    var status = 0
    var retryAfter: Int?
  }

  private func send(_ request: HTTPRequest, from sender: Sender) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", sentNothing: true) }
    let once = SimOnce<Outcome>()
    let (number, fate) = state.withLock { state in
      state.count += 1
      return (state.count, draw(&state, request, sender))
    }
    let target = String(request.url.dropFirst(SimServer.origin.count))
    let line = "#\(number) \(sender.process) \(request.method.name) \(target)"
    trace.note(scheduler.now, "\(line) \(fate.kind.rawValue)")
    let journey = Journey(target: target, line: line, subject: sender.subject, lastRead: server.lastRead)
    begin(request, journey, fate, once, isDead: sender.isDead)
    let outcome = await withTaskCancellationHandler {
      await once.value()
    } onCancel: {
      once.finish(.failed(TransportError(.cancelled, "cancelled", sentNothing: false)))
    }
    switch outcome {
    case .answered(let response):
      trace.note(scheduler.now, "#\(number) answered \(response.status)")
      return response
    case .failed(let error):
      trace.note(scheduler.now, "#\(number) failed \(error.kind)")
      throw error
    }
  }

  /// A request on its way.
  struct Journey: Sendable {
    var target: String
    /// For the trace.
    var line: String
    /// Whose sign-in it carries.
    var subject: String
    /// What the client had read of each resource when it left.
    var lastRead: [ResourceKey: Int] = [:]
    var isLate = false
  }

  private func draw(_ state: inout State, _ request: HTTPRequest, _ sender: Sender) -> Fate {
    let weather = state.weather
    var fate = Fate()
    let slow = state.random.chance(weather.dawdles)
    fate.there = Int64(state.random.int(1...(slow ? 20_000 : 150)))
    fate.back = Int64(state.random.int(1...(slow ? 20_000 : 150)))
    let luck = state.random.unit()
    if weather.isDown || weather.cutOff.contains(sender.place) {
      fate.kind = state.random.chance(0.7) ? .refused : .connectTimeout
      return fate
    }
    if weather.hasPortal {
      fate.kind = .portal
      fate.status = state.random.pick([200, 200, 403, 404, 511, 302]) ?? 200
      return fate
    }
    if weather.signedOut.contains(sender.subject) {
      fate.kind = .signedOut
      fate.status = 401
      return fate
    }
    if weather.isHalfOpen {
      fate.kind = .answerLost
      return fate
    }
    let isWrite = request.method != .get
    let kinds: [(Fate.Kind, Double)] = [
      (.requestLost, weather.losesRequest), (.answerLost, weather.losesAnswer), (.cut, weather.cutsAnswer),
      (.empty, weather.cutsAnswer / 2), (.reset, weather.cutsAnswer / 2), (.broken, weather.breaksServer / 2),
      (.brokenAfter, isWrite ? weather.breaksServer / 2 : 0), (.throttled, weather.throttles),
      (.signedOut, weather.signsOut), (.late, isWrite ? weather.arrivesLate : 0),
      (.locked, isWrite && request.method == .put ? weather.breaksServer / 4 : 0),
    ]
    var reached = 0.0
    for (kind, share) in kinds {
      reached += share
      if luck < reached {
        fate.kind = kind
        break
      }
    }
    switch fate.kind {
    case .broken, .brokenAfter: fate.status = state.random.pick([500, 502, 504]) ?? 500
    case .throttled:
      fate.status = state.random.pick([429, 503, 503, 408]) ?? 503
      fate.retryAfter = state.random.chance(0.6) ? state.random.int(1...60) : nil
    case .signedOut: fate.status = 401
    case .locked: fate.status = 409
    case .late: fate.there = request.timeouts.total.milliseconds + Int64(state.random.int(1...20_000))
    default: break
    }
    return fate
  }

  private func begin(
    _ request: HTTPRequest, _ journey: Journey, _ fate: Fate, _ once: SimOnce<Outcome>,
    isDead: @escaping @Sendable () -> Bool
  ) {
    let start = scheduler.now
    let limit = request.timeouts.total.milliseconds
    func fail(_ error: TransportError, after delay: Int64) {
      scheduler.at(start + delay) { once.finish(.failed(error)) }
    }
    switch fate.kind {
    case .refused:
      return fail(TransportError(.couldNotConnect, "connection refused", sentNothing: true), after: fate.there)
    case .connectTimeout:
      return fail(TransportError(.timedOutConnecting, "no connection in time", sentNothing: true), after: 10_000)
    case .portal:
      let response = HTTPResponse(
        status: fate.status, headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Array("<html><head><title>Sign in</title></head><body>Welcome to the guest network</body></html>".utf8),
        effectiveURL: request.url)
      scheduler.at(start + fate.there) { once.finish(.answered(response)) }
      return
    default: fail(TransportError(.timedOut, "no answer in time", sentNothing: false), after: limit)
    }
    guard fate.kind != .requestLost else { return }
    state.withLock { $0.underway += 1 }
    let writes = server.writes(to: journey.target)
    scheduler.at(start + fate.there) { [self] in
      state.withLock { $0.underway -= 1 }
      guard !weather.isDown else { return }
      var journey = journey
      // Whoever gave it up sooner, or died, and wrote once more was overtaken by it as well; and nobody waits for ever
      // for what may still be on its way.
      let (age, isGivenUp) = (scheduler.now - start, once.isFinished || isDead())
      journey.isLate =
        age >= limit || isGivenUp && (age >= longestWait || server.writes(to: journey.target) > writes)
      guard let response = arrive(request, journey, fate) else { return }
      let (arrived, versions) = (scheduler.now, server.age)
      scheduler.at(arrived + fate.back) { [self] in
        guard !weather.isDown else { return }
        let outcome = deliver(response, fate, request)
        if request.method == .get, case .answered(let answer) = outcome, !once.isFinished, !isDead() {
          server.noteRead(answer, age: versions)
        }
        once.finish(outcome)
      }
    }
  }

  /// The request has reached the server.
  private func arrive(_ request: HTTPRequest, _ journey: Journey, _ fate: Fate) -> HTTPResponse? {
    switch fate.kind {
    case .broken, .throttled, .signedOut, .locked: return fault(fate, request)
    case .brokenAfter:
      _ = server.handle(request, journey)
      return fault(fate, request)
    default: return server.handle(request, journey)
    }
  }

  private func fault(_ fate: Fate, _ request: HTTPRequest) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/fhir+json"]
    if let seconds = fate.retryAfter { headers["Retry-After"] = String(seconds) }
    let body = """
      {"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"transient","diagnostics":"not now"}]}
      """
    return HTTPResponse(status: fate.status, headers: headers, body: Array(body.utf8), effectiveURL: request.url)
  }

  /// The answer has reached the client, or what is left of it.
  private func deliver(_ response: HTTPResponse, _ fate: Fate, _ request: HTTPRequest) -> Outcome {
    switch fate.kind {
    case .answerLost: .failed(TransportError(.stalled, "no byte moved", sentNothing: false))
    case .cut: .failed(TransportError(.truncated, "the answer was cut", sentNothing: false))
    case .empty: .failed(TransportError(.emptyAnswer, "closed before the answer", sentNothing: false))
    case .reset: .failed(TransportError(.reset, "the connection was reset", sentNothing: false))
    default: .answered(response)
    }
  }
}
