import JSON

extension MockState {
  /// Answers one request from the outside: faults and the request record are applied here, once, around `process`.
  mutating func respond(to request: MockRequest, baseURL: String) -> MockResponse {
    let headers = Dictionary(
      request.headers.map { ($0.key.lowercased(), $0.value) },
      uniquingKeysWith: { first, second in "\(first), \(second)" })
    let halves = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = (halves.first ?? "").split(separator: "/").map { Percent.decode($0) }
    if path.first == "$mock" {
      return control(request.method, Array(path.dropFirst()), body: request.body).response()
    }
    let mark = self.mark
    let fault = faults.take(method: request.method, target: request.target)
    var response: MockResponse
    if let answer = fault?.answerInstead {
      response = answer
    } else {
      let base = Base(url: baseURL, host: headers["host"])
      response = respond(request, path: path, query: halves.count > 1 ? halves[1] : "", headers: headers, base: base)
    }
    if let fault { fault.change(&response) }
    if self.mark > mark { clock.tick() }
    response.headers["Date"] = response.headers["Date"] ?? Instant.http(clock.now)
    if exchanges.count >= 10_000 { exchanges.removeFirst(1000) }
    exchanges.append(
      MockExchange(
        method: request.method, target: request.target,
        headers: headers.filter { $0.key != "authorization" && $0.key != "cookie" }, bodyHash: Hex.hash(request.body),
        status: response.status))
    return response
  }

  private mutating func respond(
    _ request: MockRequest, path: [String], query: Substring, headers: [String: String], base: Base
  ) -> MockResponse {
    let items = QueryItem.parse(query)
    let pretty = items.contains { $0.name == "_pretty" && $0.value == "true" }
    let answer: Answer
    if path.starts(with: base.segments) {
      let call = Call(
        method: request.method == "HEAD" ? "GET" : request.method, target: request.target,
        segments: Array(path.dropFirst(base.segments.count)), query: items, headers: headers,
        body: .bytes(request.body),
        base: base.text)
      answer = process(call)
    } else {
      answer = Refusal(404, "not-found", "this server's base is \(base.text)").answer
    }
    return answer.response(pretty: pretty)
  }

  /// Answers one call, from the outside or from a bundle.
  mutating func process(_ call: Call) -> Answer {
    do {
      try checkAccept(call)
      var answer = try dispatch(call)
      if profile.absoluteReferences, let document = answer.document {
        answer.document = References.map(document) { MockKey(reference: $0)?.path == $0 ? "\(call.base)/\($0)" : $0 }
      }
      return answer
    } catch {
      return error.answer
    }
  }

  private func checkAccept(_ call: Call) throws(Refusal) {
    let format = call.values("_format").first ?? call.headers["accept"] ?? ""
    let types = format.lowercased().split(separator: ",")
    let isFine =
      types.isEmpty || types.contains { $0.contains("json") || $0.contains("*/*") || $0.contains("application/*") }
    guard isFine else { throw Refusal(406, "not-supported", "only application/fhir+json is offered") }
  }

  private mutating func dispatch(_ call: Call) throws(Refusal) -> Answer {
    let segments = call.segments
    switch (call.method, segments.count) {
    case ("GET", 0): return try page(call)
    case ("POST", 0): return try bundle(call)
    case ("GET", 1) where segments[0] == "metadata": return metadata(call)
    case ("GET", 1) where segments[0] == "_history": return try history(call, .system)
    default: break
    }
    guard let type = segments.first, segments.count <= 4 else { throw notOffered(call) }
    guard ResourceType.isKnown(type) else { throw Refusal(404, "not-supported", "there is no resource type \(type)") }
    switch (call.method, segments.count) {
    case ("GET", 1): return try search(type, call.query, call)
    case ("POST", 1): return try create(type, call)
    case ("PUT", 1): return try conditionalUpdate(type, call)
    case ("DELETE", 1): return try conditionalDelete(type, call)
    case ("GET", 2) where segments[1] == "_history": return try history(call, .type)
    case ("POST", 2) where segments[1] == "_search": return try search(type, call.query + form(call), call)
    case ("GET", 2): return try read(MockKey(type, segments[1]), call)
    case ("PUT", 2): return try update(MockKey(type, segments[1]), call)
    case ("DELETE", 2): return try delete(MockKey(type, segments[1]), call)
    case ("GET", 3) where segments[2] == "_history": return try history(call, .instance)
    case ("GET", 4) where segments[2] == "_history":
      return try readVersion(MockKey(type, segments[1]), segments[3], call)
    default: throw notOffered(call)
    }
  }

  private func notOffered(_ call: Call) -> Refusal {
    Refusal(405, "not-supported", "\(call.method) \(call.segments.joined(separator: "/")) is not offered")
  }

  private func form(_ call: Call) throws(Refusal) -> [QueryItem] {
    guard case .bytes(let bytes) = call.body else { return [] }
    let mediaType = (call.headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
    guard bytes.isEmpty || mediaType == "application/x-www-form-urlencoded" else {
      throw Refusal(415, "not-supported", "a search by POST takes application/x-www-form-urlencoded")
    }
    return QueryItem.parse(Substring(String(decoding: bytes, as: UTF8.self)))
  }
}

/// The server's base as a client sees it: the host it asked, since a relay may stand between.
struct Base {
  var text: String
  var segments: [String]

  init(url: String, host: String?) {
    let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = afterScheme.drop { $0 != "/" }
    segments = path.split(separator: "/").map(String.init)
    let isHost = host.map { !$0.isEmpty && $0.utf8.allSatisfy(Self.isHostByte) } ?? false
    text = if let host, isHost { "http://\(host)\(path)" } else { url }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x3A, 0x2D, 0x2E, 0x5B,
      0x5D:
      true
    default: false
    }
  }
}
