/// One client's connection through the relay, on a thread of its own.
final class RelayConnection {
  private let client: Int32
  private let relay: MockRelay
  private var requests: MessageReader
  private var server: Int32?
  private var answers: MessageReader?

  init(client: Int32, relay: MockRelay) {
    self.client = client
    self.relay = relay
    requests = MessageReader(socket: client)
  }

  /// Serves requests until one side ends.
  func run() {
    while exchange() {}
    if let server { relay.close(server) }
    relay.close(client)
  }

  /// One request and its answer. False if the connection is to end.
  private func exchange() -> Bool {
    guard var request = requests.head() else { return false }
    if request.headers["expect"]?.lowercased() == "100-continue" {
      guard Socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: client) else { return false }
    }
    let isComplete = requests.body(of: &request, untilClose: false)
    let method = String(request.startLine[0])
    let (effect, number) = relay.begin(method: method, target: String(request.startLine[1]))
    switch effect {
    case .resetRequest:
      Socket.resetOnClose(client)
      return false
    case .cutRequest(let count):
      if let server = connection() { _ = Socket.send(request.bytes.prefix(max(0, count)), to: server) }
      return false
    default: break
    }
    guard let server = connection(), Socket.send(request.bytes, to: server), isComplete else { return false }
    guard let answer = answer(to: method) else { return false }
    relay.note(status: Int(answer.startLine[1]), for: number)
    return deliver(answer, effect) && !answer.closes && !request.closes
  }

  /// The connection to the server, opened anew if the server has closed it.
  private func connection() -> Int32? {
    if let server, !Socket.isClosed(server) { return server }
    if let server { relay.close(server) }
    server = relay.connect()
    answers = server.map { MessageReader(socket: $0) }
    return server
  }

  /// The final answer of the server, interim ones dropped.
  private func answer(to method: String) -> MessageReader.Message? {
    while true {
      guard var answer = answers?.head(), let status = Int(answer.startLine[1]) else { return nil }
      if (100..<200).contains(status), status != 101 { continue }
      if method == "HEAD" || status == 204 || status == 304 { return answer }
      let hasEnd = answer.headers["content-length"] != nil || answer.headers["transfer-encoding"] != nil
      guard answers?.body(of: &answer, untilClose: !hasEnd) == true else {
        _ = Socket.send(answer.bytes, to: client)
        return nil
      }
      if !hasEnd { answer.headers["connection"] = "close" }
      return answer
    }
  }

  private func deliver(_ answer: MessageReader.Message, _ effect: MockRelay.Effect?) -> Bool {
    switch effect {
    case .swallowAnswer: return false
    case .resetAnswer:
      Socket.resetOnClose(client)
      return false
    case .truncateAnswer(let count):
      _ = Socket.send(answer.bytes.prefix(max(0, count)), to: client)
      return false
    case .drip(let size, let pause):
      var rest = answer.bytes[...]
      while !rest.isEmpty {
        Socket.pause(client, milliseconds: pause)
        guard Socket.send(rest.prefix(max(1, size)), to: client) else { return false }
        rest = rest.dropFirst(max(1, size))
      }
      return true
    case .holdAnswer(let milliseconds):
      Socket.pause(client, milliseconds: milliseconds)
      return Socket.send(answer.bytes, to: client)
    case .cutRequest, .resetRequest, nil: return Socket.send(answer.bytes, to: client)
    }
  }
}
