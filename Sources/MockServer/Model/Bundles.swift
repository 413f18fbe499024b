import JSON

/// One entry of a batch or transaction as it was sent.
struct BundleEntry {
  var method: String
  var segments: [String]
  var query: [QueryItem]
  var target: String
  var fullUrl: String?
  var resource: JSONValue?
  var headers: [String: String] = [:]
  /// The id chosen for a create before references are rewritten.
  var assignedId: String?

  init(_ entry: JSONValue, base: String) throws(Refusal) {
    guard let method = entry["request"]?["method"]?.string, let url = entry["request"]?["url"]?.string else {
      throw Refusal(400, "required", "every entry needs request.method and request.url")
    }
    var relative = Substring(url)
    if relative.hasPrefix(base + "/") { relative = relative.dropFirst(base.count) }
    let halves = relative.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    segments = (halves.first ?? "").split(separator: "/").map { Percent.decode($0) }
    guard !segments.isEmpty else { throw Refusal(400, "value", "an entry's request.url must name a resource type") }
    query = halves.count > 1 ? QueryItem.parse(halves[1]) : []
    self.method = method
    target = url
    fullUrl = entry["fullUrl"]?.string
    resource = entry["resource"]
    let names = [("ifMatch", "if-match"), ("ifNoneMatch", "if-none-match"), ("ifNoneExist", "if-none-exist")]
    for (element, header) in names {
      if let value = entry["request"]?[element]?.string { headers[header] = value }
    }
  }

  /// The entry as a call of its own.
  func call(in outer: Call) -> Call {
    var headers = self.headers
    for name in ["prefer", "accept", "x-request-id", "x-correlation-id"] { headers[name] = outer.headers[name] }
    return Call(
      method: method, target: target, segments: segments, query: query, headers: headers,
      body: resource.map { .document($0) } ?? .bytes([]), base: outer.base, assignedId: assignedId)
  }
}

extension MockState {
  /// batch and transaction (hl7.org/fhir/R4/http.html#transaction).
  mutating func bundle(_ call: Call) throws(Refusal) -> Answer {
    guard profile.offersBatch else { throw Refusal(405, "not-supported", "this server takes no bundles") }
    let document = try call.document()
    guard document["resourceType"]?.string == "Bundle", let type = document["type"]?.string,
      type == "batch" || type == "transaction"
    else { throw Refusal(400, "invalid", "the base takes a Bundle of type batch or transaction") }
    var entries: [BundleEntry] = []
    for entry in document["entry"]?.array ?? [] { entries.append(try BundleEntry(entry, base: call.base)) }
    guard type == "transaction" else {
      let answers = entries.map { process($0.call(in: call)) }
      return response("batch-response", answers)
    }
    guard profile.realTransactions else {
      // As servers without transactions do: entry by entry, and no word about it.
      try resolve(&entries, call)
      let answers = entries.map { process($0.call(in: call)) }
      return response("transaction-response", answers)
    }
    return response("transaction-response", try transaction(entries, call))
  }

  private mutating func transaction(_ entries: [BundleEntry], _ call: Call) throws(Refusal) -> [Answer] {
    try checkIdentities(entries)
    let start = mark
    do {
      var entries = entries
      var answers = [Answer](repeating: Answer(status: 500), count: entries.count)
      try run(["DELETE"], entries, &answers, call)
      try resolve(&entries, call)
      for methods in [["POST"], ["PUT", "PATCH"], ["GET", "HEAD"]] { try run(methods, entries, &answers, call) }
      return answers
    } catch {
      cut(to: start, isTransaction: true)
      throw error
    }
  }

  private mutating func run(
    _ methods: [String], _ entries: [BundleEntry], _ answers: inout [Answer], _ call: Call
  ) throws(Refusal) {
    for (index, entry) in entries.enumerated() where methods.contains(entry.method) {
      let answer = process(entry.call(in: call))
      guard answer.status < 400 else {
        let issue = answer.document?["issue"]?[0]
        throw Refusal(
          answer.status, issue?["code"]?.string ?? "processing",
          "entry \(index): \(issue?["diagnostics"]?.string ?? "failed"); nothing was stored")
      }
      answers[index] = answer
    }
  }

  /// One resource may be written once in a transaction.
  private func checkIdentities(_ entries: [BundleEntry]) throws(Refusal) {
    var seen: Set<String> = []
    for entry in entries {
      let isKnown = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].contains(entry.method)
      guard isKnown else { throw Refusal(400, "value", "\(entry.method) is no method of an entry") }
      let identity: String
      switch entry.method {
      case "PUT", "PATCH", "DELETE":
        identity = entry.segments.joined(separator: "/") + "?" + QueryItem.text(entry.query)
      case "POST":
        guard let condition = entry.headers["if-none-exist"] else { continue }
        identity = "\(entry.segments[0])?\(condition)"
      default: continue
      }
      guard seen.insert(identity).inserted else {
        throw Refusal(400, "invalid", "\(identity) is written twice in one transaction")
      }
    }
  }

  /// Chooses the ids of what will be created, and rewrites the references of all entries.
  private mutating func resolve(_ entries: inout [BundleEntry], _ call: Call) throws(Refusal) {
    var targets: [String: String] = [:]
    for index in entries.indices {
      let entry = entries[index]
      guard let type = entry.segments.first, entry.method == "POST" || entry.method == "PUT" else { continue }
      var key: MockKey
      if entry.method == "PUT", entry.segments.count == 2 {
        key = MockKey(type, entry.segments[1])
      } else {
        let condition =
          entry.method == "PUT" ? entry.query : QueryItem.parse((entry.headers["if-none-exist"] ?? "")[...])
        let isHonoured = entry.method == "PUT" || profile.honoursIfNoneExist
        let found = condition.isEmpty || !isHonoured ? nil : try match(type, condition, call)
        let bodyId = entry.method == "PUT" ? entry.resource?["id"]?.string : nil
        key = found ?? MockKey(type, bodyId ?? freshId(type))
        entries[index].assignedId = key.id
      }
      if let fullUrl = entry.fullUrl { targets[fullUrl] = key.path }
    }
    for index in entries.indices {
      guard let resource = entries[index].resource else { continue }
      let rewritten = References.replace(resource, targets)
      entries[index].resource = try resolveConditional(rewritten, call)
    }
  }

  /// Replaces conditional references by the one resource that each finds; a reference to an entry that is not there fails.
  private func resolveConditional(_ resource: JSONValue, _ call: Call) throws(Refusal) -> JSONValue {
    var targets: [String: String] = [:]
    for reference in References.all(resource) {
      if reference.hasPrefix("urn:uuid:") || reference.hasPrefix("urn:oid:") {
        throw Refusal(400, "not-found", "the reference \(reference) is to no entry of the bundle")
      }
      let halves = reference.split(separator: "?", maxSplits: 1)
      guard halves.count == 2, ResourceType.isKnown(halves[0]) else { continue }
      guard let found = try match(String(halves[0]), QueryItem.parse(halves[1]), call) else {
        throw Refusal(412, "not-found", "a conditional reference to \(halves[0]) finds nothing")
      }
      targets[reference] = found.path
    }
    return targets.isEmpty ? resource : References.map(resource) { targets[$0] ?? $0 }
  }

  private func response(_ type: JSONValue, _ answers: [Answer]) -> Answer {
    let entries = answers.map { answer -> JSONValue in
      var response: JSONObject = ["status": .string("\(answer.status) \(Self.phrase(answer.status))")]
      if let location = answer.headers["Location"] { response["location"] = .string(location) }
      if let tag = answer.headers["ETag"] { response["etag"] = .string(tag) }
      if let time = answer.time { response["lastModified"] = .string(Instant.text(time)) }
      var entry: JSONObject = [:]
      if answer.document?["resourceType"]?.string == "OperationOutcome" {
        response["outcome"] = answer.document
      } else if let document = answer.document {
        entry["resource"] = document
      }
      entry["response"] = .object(response)
      return .object(entry)
    }
    var bundle: JSONValue = ["resourceType": "Bundle", "type": type]
    if !entries.isEmpty { bundle["entry"] = .array(entries) }
    return Answer(status: 200, document: bundle)
  }

  private static func phrase(_ status: Int) -> String {
    let phrases = [
      200: "OK", 201: "Created", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 404: "Not Found",
      405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
      415: "Unsupported Media Type", 422: "Unprocessable Entity",
    ]
    return phrases[status] ?? "Error"
  }
}
