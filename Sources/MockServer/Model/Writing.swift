import JSON

extension MockState {
  /// create, also conditional (hl7.org/fhir/R4/http.html#create, #ccreate).
  mutating func create(_ type: String, _ call: Call) throws(Refusal) -> Answer {
    let document = try BodyCheck.resource(call.document(), type: type, profile)
    if profile.honoursIfNoneExist, let condition = call.headers["if-none-exist"] {
      if let found = try match(type, QueryItem.parse(condition.drop { $0 == "?" }), call) {
        guard let version = current(found) else { throw missing(found) }
        return written(version, at: found, status: 200, hasLocation: true, call)
      }
    }
    return add(document, at: MockKey(type, call.assignedId ?? freshId(type)), call)
  }

  private mutating func add(_ document: JSONValue, at key: MockKey, _ call: Call) -> Answer {
    let resource = profile.addsIdentifier ? numbered(document, key) : document
    let version = write(resource, at: key, method: call.method, for: call)
    return written(version, at: key, status: 201, hasLocation: true, call)
  }

  /// The resource with an identifier of the server's own, where its type has identifiers as a list.
  private func numbered(_ document: JSONValue, _ key: MockKey) -> JSONValue {
    guard SearchTable.parameter("identifier", of: key.type) != nil, key.type != "Bundle",
      document["identifier"] == nil || document["identifier"]?.array != nil
    else { return document }
    let own: JSONValue = ["system": "urn:mock:number", "value": .string("N\(Digits.pad(mark + 1, 6))")]
    var numbered = document
    numbered["identifier"] = .array((document["identifier"]?.array ?? []) + [own])
    return numbered
  }

  /// update, or update as create (hl7.org/fhir/R4/http.html#update, #upsert).
  mutating func update(_ key: MockKey, _ call: Call) throws(Refusal) -> Answer {
    guard ResourceType.isId(key.id) else { throw Refusal(400, "value", "this is no valid id") }
    let document = try BodyCheck.resource(call.document(), type: key.type, profile)
    guard let id = document["id"]?.string else { throw Refusal(400, "invalid", "the body of an update needs its id") }
    guard id == key.id else { throw Refusal(400, "invalid", "the body's id is not the URL's") }
    let known = newest(key)
    try checkMatch(known, call)
    guard let known else { return try addByClient(document, at: key, call) }
    if known.resource == nil {
      guard profile.clientIds == .allowed || !profile.remembersDeletes else {
        throw Refusal(410, "deleted", "\(key.path) was deleted")
      }
      guard profile.clientIds == .allowed else { return try addByClient(document, at: key, call) }
      return written(write(document, at: key, method: "PUT", for: call), at: key, status: 201, hasLocation: true, call)
    }
    if profile.ignoresEmptyUpdates, known.resource.map({ Self.content($0) }) == Self.content(document) {
      return written(known, at: key, status: 200, hasLocation: false, call)
    }
    return written(write(document, at: key, method: "PUT", for: call), at: key, status: 200, hasLocation: false, call)
  }

  private mutating func addByClient(_ document: JSONValue, at key: MockKey, _ call: Call) throws(Refusal) -> Answer {
    if case .refused(let status) = profile.clientIds {
      let code = status == 405 ? "not-supported" : status == 404 ? "not-found" : "invalid"
      throw Refusal(status, code, "there is no \(key.path), and clients may not choose ids")
    }
    if profile.refusesNumericIds, key.id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw Refusal(400, "processing", "clients may only choose ids that are not all digits")
    }
    return add(document, at: key, call)
  }

  /// The document without what the server sets.
  private static func content(_ document: JSONValue) -> JSONValue {
    var content = document
    content["id"] = nil
    content["meta"]?["versionId"] = nil
    content["meta"]?["lastUpdated"] = nil
    if content["meta"]?.object?.isEmpty == true { content["meta"] = nil }
    return content
  }

  /// delete; also when there is nothing (hl7.org/fhir/R4/http.html#delete).
  mutating func delete(_ key: MockKey, _ call: Call) throws(Refusal) -> Answer {
    try checkMatch(newest(key), call)
    guard current(key) != nil else { return Answer(status: 204) }
    if profile.guardsReferences, let holder = firstReference(to: key) {
      throw Refusal(409, "conflict", "\(key.path) cannot be deleted: \(holder.path) refers to it")
    }
    let version = write(nil, at: key, method: "DELETE", for: call)
    return Answer(status: 204, headers: versionHeaders(version), time: version.time)
  }

  private func firstReference(to key: MockKey) -> MockKey? {
    for (type, ids) in order {
      for id in ids {
        let holder = MockKey(type, id)
        guard holder != key, let resource = current(holder)?.resource else { continue }
        if References.all(resource).contains(where: { MockKey(reference: $0) == key }) { return holder }
      }
    }
    return nil
  }

  /// conditional update (hl7.org/fhir/R4/http.html#cond-update).
  mutating func conditionalUpdate(_ type: String, _ call: Call) throws(Refusal) -> Answer {
    guard !call.query.isEmpty else { throw Refusal(405, "not-supported", "an update needs an id or a condition") }
    var document = try BodyCheck.resource(call.document(), type: type, profile)
    let bodyId = document["id"]?.string
    guard let found = try match(type, call.query, call) else {
      if let bodyId { return try update(MockKey(type, bodyId), call) }
      return add(document, at: MockKey(type, call.assignedId ?? freshId(type)), call)
    }
    guard bodyId == nil || bodyId == found.id else {
      throw Refusal(400, "invalid", "the body's id is not that of the match")
    }
    document["id"] = .string(found.id)
    var update = call
    update.body = .document(document)
    return try self.update(found, update)
  }

  /// conditional delete of a single match (hl7.org/fhir/R4/http.html#3.1.0.7.1).
  mutating func conditionalDelete(_ type: String, _ call: Call) throws(Refusal) -> Answer {
    guard !call.query.isEmpty else { throw Refusal(405, "not-supported", "a delete needs an id or a condition") }
    guard let found = try match(type, call.query, call) else { return Answer(status: 204) }
    return try delete(found, call)
  }

  /// The one resource that a condition finds, or nil; 412 if there are several.
  func match(_ type: String, _ query: [QueryItem], _ call: Call) throws(Refusal) -> MockKey? {
    var strict = call
    strict.headers["prefer"] = "handling=strict"
    let search = try Search(type: type, query: query, call: strict)
    guard search.hasFilters else { throw Refusal(412, "required", "the condition names no search parameter") }
    let found = matches(search)
    guard found.count <= 1 else {
      throw Refusal(412, "multiple-matches", "the condition finds \(found.count) resources")
    }
    return found.first
  }

  private func checkMatch(_ known: MockVersion?, _ call: Call) throws(Refusal) {
    guard profile.honoursIfMatch else { return }
    guard let header = call.headers["if-match"] else {
      guard profile.requiresIfMatch, known?.resource != nil else { return }
      throw Refusal(400, "required", "this server takes updates with If-Match only")
    }
    guard header == "*" || header.contains("\"") else {
      throw Refusal(400, "value", "If-Match must be an entity tag: W/\"version\"")
    }
    guard let known, known.resource != nil, header == "*" || EntityTag.versions(header).contains(known.versionId) else {
      throw Refusal(
        412, "conflict", "If-Match is \(header), the current version \(known?.versionId ?? "does not exist")")
    }
  }

  /// The answer to a write that succeeded, with the body that was preferred.
  private func written(_ version: MockVersion, at key: MockKey, status: Int, hasLocation: Bool, _ call: Call) -> Answer
  {
    var answer = Answer(status: status, headers: versionHeaders(version), time: version.time)
    if hasLocation {
      answer.headers["Location"] =
        "\(call.base)/\(key.path)" + (profile.showsVersions ? "/_history/\(version.versionId)" : "")
    }
    if call.prefers("return=OperationOutcome") {
      let text = status == 201 ? "created \(key.path)" : "stored \(key.path)"
      answer.document = Outcome.document("information", "informational", text)
    } else if call.prefers("return=representation") || (profile.returnsBody && !call.prefers("return=minimal")) {
      answer.document = version.resource
    }
    return answer
  }
}
