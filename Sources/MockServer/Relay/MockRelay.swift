internal import Foundation
internal import Glibc
internal import Synchronization

/// A TCP proxy for HTTP/1.1 that breaks connections as it is told: in front of the mock server or of any other on the same machine.
///
/// It reads a request whole, looks for a rule, and passes request and answer on unchanged otherwise. It listens on 127.0.0.1 only and works on
/// threads of its own.
public final class MockRelay: Sendable {
  /// What happens to an exchange that a rule catches.
  public enum Effect: Sendable, Equatable {
    /// The server gets that many bytes of the request, then both connections are closed.
    case cutRequest(afterBytes: Int)
    /// The client's connection is reset; the server sees nothing of the request.
    case resetRequest
    /// The server takes the request and answers; the client's connection is closed without a byte.
    case swallowAnswer
    /// As `swallowAnswer`, but the connection is reset.
    case resetAnswer
    /// The client gets that many bytes of the answer, then its connection is closed.
    case truncateAnswer(atByte: Int)
    /// The client gets the answer in pieces of so many bytes, with a pause before each.
    case drip(bytes: Int, everyMilliseconds: Int)
    /// The client gets the answer after so long, although the server gave it at once.
    case holdAnswer(milliseconds: Int)
  }

  /// Which requests are caught, and what happens to them.
  public struct Rule: Sendable, Equatable, ScriptedRule {
    /// The method it catches; nil for any.
    public var method: String?
    /// A regular expression that must match somewhere in path and query; nil for any.
    public var path: String?
    /// How many matching requests pass unharmed before.
    public var skip: Int
    /// How many matching requests it catches; nil for all.
    public var times: Int?
    /// What happens.
    public var effect: Effect

    /// A rule; unless told otherwise it is used once.
    public init(method: String? = nil, path: String? = nil, skip: Int = 0, times: Int? = 1, effect: Effect) {
      self.method = method
      self.path = path
      self.skip = skip
      self.times = times
      self.effect = effect
    }
  }

  /// One request that came to the relay.
  public struct Exchange: Sendable, Equatable {
    /// The method.
    public var method: String
    /// Path and query.
    public var target: String
    /// What was done to it; nil if it passed.
    public var effect: Effect?
    /// The server's status, if the server answered; the client may not have seen it.
    public var status: Int?

    /// A request with what became of it.
    public init(method: String, target: String, effect: Effect? = nil, status: Int? = nil) {
      self.method = method
      self.target = target
      self.effect = effect
      self.status = status
    }
  }

  private struct State {
    /// Keeps the port while nothing listens on it: a port that is free for a moment may be given to another connection.
    var holder: Int32
    var listener: Int32 = -1
    var isStopped = false
    /// Open sockets. Each is closed by the thread that serves it, after it was taken out of here.
    var sockets: Set<Int32> = []
    var script = Script<Rule>()
    var exchanges: [Exchange] = []
    /// How many exchanges came before the first one that is kept.
    var forgotten = 0
  }

  /// How many exchanges are kept.
  private static let memory = 10_000

  /// The port that is listened on; it stays the same while the relay is down.
  public let port: UInt16
  /// The server's base URL with the relay's port in place of the server's.
  public let baseURL: String
  private let serverPort: UInt16
  private let state: Mutex<State>

  private init(serverPort: UInt16, path: Substring, holder: Int32, socket: Int32, port: UInt16) {
    self.serverPort = serverPort
    self.port = port
    baseURL = "http://127.0.0.1:\(port)\(path)"
    state = Mutex(State(holder: holder, listener: socket))
  }

  /// Starts a relay in front of a server on this machine.
  /// - Parameters:
  ///   - url: the server's base URL, with its port: `http://127.0.0.1:8090/fhir`.
  ///   - port: 0 takes a free one.
  /// - Throws: `MockServerError` if the URL has no port or the relay's port cannot be had.
  public static func start(to url: String, port: UInt16 = 0) async throws(MockServerError) -> MockRelay {
    try open(to: url, port: port)
  }

  /// As `start(to:port:)`, for a caller that is not asynchronous; it does not block.
  package static func open(to url: String, port: UInt16) throws(MockServerError) -> MockRelay {
    let afterScheme = url.hasPrefix("http://") ? url.dropFirst(7) : ""
    let host = afterScheme.prefix { $0 != "/" }
    guard let colon = host.lastIndex(of: ":"), let serverPort = UInt16(host[host.index(after: colon)...]),
      ["127.0.0.1", "localhost"].contains(host[..<colon])
    else { throw MockServerError(message: "a relay needs a base URL such as http://127.0.0.1:8090/fhir, not \(url)") }
    let cannotListen = MockServerError(message: "cannot listen on 127.0.0.1:\(port)")
    guard let (holder, bound) = Socket.reserve(port: port) else { throw cannotListen }
    guard let (socket, _) = Socket.listen(port: bound) else {
      Glibc.close(holder)
      throw cannotListen
    }
    let relay = MockRelay(
      serverPort: serverPort, path: afterScheme.dropFirst(host.count), holder: holder, socket: socket, port: bound)
    relay.accept(on: socket)
    return relay
  }

  /// Adds rules, after those that are there.
  public func add(_ rules: Rule...) { add(rules) }

  /// Adds rules, after those that are there.
  public func add(_ rules: [Rule]) { state.withLock { $0.script.add(rules) } }

  /// Removes all rules.
  public func removeRules() { state.withLock { $0.script = Script() } }

  /// What came through so far: the last 10,000.
  public var exchanges: [Exchange] { state.withLock { $0.exchanges.suffix(Self.memory) } }

  /// Whether connections are refused. Going down also cuts the connections that there are.
  public var isDown: Bool { state.withLock { $0.listener < 0 } }

  /// Refuses connections from now on, and cuts those that there are.
  public func goDown() {
    state.withLock { state in
      if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
      state.listener = -1
      for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// Takes connections again, on the same port.
  /// - Throws: `MockServerError` if the system has no socket for it.
  public func comeUp() throws(MockServerError) {
    guard isDown, !state.withLock({ $0.isStopped }) else { return }
    guard let (socket, _) = Socket.listen(port: port) else {
      throw MockServerError(message: "cannot listen on the relay's port \(port) again")
    }
    state.withLock { $0.listener = socket }
    accept(on: socket)
  }

  /// Ends the relay and every connection through it.
  public func stop() {
    state.withLock { $0.isStopped = true }
    goDown()
    state.withLock { state in
      if state.holder >= 0 { Glibc.close(state.holder) }
      state.holder = -1
    }
  }

  // MARK: Threads

  private func accept(on listener: Int32) {
    Thread.detachNewThread {
      while true {
        let client = Socket.accept(listener)
        if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard client >= 0, self.adopt(client, from: listener) else {
          if client >= 0 { Glibc.close(client) }
          if client < 0 { break }
          continue
        }
        Thread.detachNewThread { RelayConnection(client: client, relay: self).run() }
      }
      Glibc.close(listener)
    }
  }

  private func adopt(_ socket: Int32, from listener: Int32) -> Bool {
    state.withLock { state in
      guard state.listener == listener, !state.isStopped else { return false }
      state.sockets.insert(socket)
      return true
    }
  }

  /// A connection to the server, or nil.
  func connect() -> Int32? {
    guard let socket = Socket.connect(port: serverPort) else { return nil }
    let isWanted = state.withLock { state in
      guard state.listener >= 0 else { return false }
      state.sockets.insert(socket)
      return true
    }
    if !isWanted { Glibc.close(socket) }
    return isWanted ? socket : nil
  }

  func close(_ socket: Int32) {
    _ = state.withLock { $0.sockets.remove(socket) }
    Glibc.close(socket)
  }

  /// Notes a request and takes its rule. The number is for `note(status:for:)`.
  func begin(method: String, target: String) -> (effect: Effect?, number: Int) {
    state.withLock { state in
      let effect = state.script.take(method: method, target: target)?.effect
      state.exchanges.append(Exchange(method: method, target: target, effect: effect))
      if state.exchanges.count >= 2 * Self.memory {
        state.forgotten += Self.memory
        state.exchanges.removeFirst(Self.memory)
      }
      return (effect, state.forgotten + state.exchanges.count - 1)
    }
  }

  func note(status: Int?, for number: Int) {
    state.withLock { state in
      if number >= state.forgotten { state.exchanges[number - state.forgotten].status = status }
    }
  }
}
