package import Data
package import MockServer
import Synchronization

/// The mock server's model behind the transport protocol, with the troubles of a network in between. No sockets.
package final class ModelTransport: HTTPTransport {
  /// What the network does with a request.
  package enum Trouble: Sendable, Hashable {
    /// The server has it and answers, and the answer is lost.
    case loseAnswer
    /// Nothing leaves.
    case unreachable
    /// The request is lost on the way; the sender does not know.
    case loseRequest
    /// It is held up on the way and arrives after the next request of its method; nobody hears the answer.
    case late
    /// The server has it, the answer is lost, and the network is gone from then on.
    case blackout
  }

  private struct Plan {
    var trouble: Trouble
    var method: String?
    var path: String?
    var left: Int
  }

  private struct State {
    var plans: [Plan] = []
    var isDown = false
    var isBodiless = false
    var heldUp: [HTTPRequest] = []
    var sent: [String] = []
    var whenAnswered: [@Sendable (String) -> Void] = []
  }

  package let model: MockModel
  private let state = Mutex(State())

  private let world: VirtualWorld?

  /// - Parameter world: gives the server its time; `nil` leaves the model its own clock.
  package init(_ model: MockModel, world: VirtualWorld? = nil) {
    self.model = model
    self.world = world
  }

  /// Plans trouble for the next requests that fit.
  package func plan(_ trouble: Trouble, method: String? = nil, path: String? = nil, times: Int = 1) {
    state.withLock { $0.plans.append(Plan(trouble: trouble, method: method, path: path, left: times)) }
  }

  /// Forgets planned trouble, and brings the network back.
  package func calm() {
    state.withLock { state in
      state.plans = []
      state.isDown = false
    }
  }

  /// Takes the network away, or brings it back.
  package var isDown: Bool {
    get { state.withLock { $0.isDown } }
    set { state.withLock { $0.isDown = newValue } }
  }

  /// Whether successful answers to writes lose their bodies on the way, as from a server that gives none.
  package var bodiless: Bool {
    get { state.withLock { $0.isBodiless } }
    set { state.withLock { $0.isBodiless = newValue } }
  }

  /// All requests that reached the server, as `METHOD target`.
  package var sent: [String] { state.withLock { $0.sent } }

  /// Forgets the requests so far.
  package func forgetSent() { state.withLock { $0.sent = [] } }

  /// Calls `body` with `METHOD target` after the server has handled a request and before its answer arrives.
  package func whenAnswered(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.whenAnswered.append(body) }
  }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", sentNothing: true) }
    let target = String(request.url.dropFirst(Self.origin.count))
    switch trouble(for: request.method.name, target) {
    case .unreachable?: throw TransportError(.couldNotConnect, "connection refused", sentNothing: true)
    case .loseRequest?: throw TransportError(.timedOut, "no answer in time", sentNothing: false)
    case .late?:
      state.withLock { $0.heldUp.append(request) }
      throw TransportError(.timedOut, "no answer in time", sentNothing: false)
    case .blackout?:
      _ = handle(request, target)
      isDown = true
      throw TransportError(.timedOut, "no answer in time", sentNothing: false)
    case .loseAnswer?:
      _ = handle(request, target)
      throw TransportError(.timedOut, "no answer in time", sentNothing: false)
    case nil:
      let response = handle(request, target)
      var headers = HTTPHeaders()
      for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { headers.append(name, value) }
      let isEmpty = bodiless && request.method != .get && response.status < 300
      return HTTPResponse(
        status: response.status, headers: headers, body: isEmpty ? [] : response.body, effectiveURL: request.url)
    }
  }

  /// The origin under which the model is reached.
  package static let origin = "http://127.0.0.1"
  /// The base URL of the model.
  package static let base = origin + "/fhir"

  private func handle(_ request: HTTPRequest, _ target: String) -> MockResponse {
    var headers: [String: String] = [:]
    for field in request.headers.fields { headers[field.name] = field.value }
    let line = "\(request.method.name) \(target)"
    if let world { model.clock = MockClock(milliseconds: world.now, stepMilliseconds: 0) }
    let listeners = state.withLock { state in
      state.sent.append(line)
      return state.whenAnswered
    }
    let response = model.handle(
      MockRequest(request.method.name, target, headers: headers, body: request.body ?? []))
    for listener in listeners { listener(line) }
    let late = state.withLock { state in
      defer { state.heldUp.removeAll { $0.method == request.method } }
      return state.heldUp.filter { $0.method == request.method }
    }
    for one in late { _ = handle(one, String(one.url.dropFirst(Self.origin.count))) }
    return response
  }

  private func trouble(for method: String, _ target: String) -> Trouble? {
    state.withLock { state in
      if state.isDown { return .unreachable }
      for index in state.plans.indices {
        let plan = state.plans[index]
        guard plan.left > 0, plan.method == nil || plan.method == method,
          plan.path.map(target.contains) ?? true
        else { continue }
        state.plans[index].left -= 1
        return plan.trouble
      }
      return nil
    }
  }
}
