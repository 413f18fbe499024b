import JSON

/// What a history lists.
struct HistoryScope: Sendable {
  /// Path and query below the base.
  var target: String
  var count: Int?
}

extension MockState {
  /// history of an instance, a type or everything (hl7.org/fhir/R4/http.html#history).
  mutating func history(_ call: Call, _ level: MockProfile.HistoryLevel) throws(Refusal) -> Answer {
    guard profile.keepsHistory.contains(level) else {
      throw Refusal(404, "not-supported", "this history is not kept")
    }
    var since = Int64.min
    if let text = call.values("_since").first {
      guard let range = TimeRange(text) else { throw Refusal(400, "value", "_since must be an instant") }
      since = range.start
    }
    var scope = HistoryScope(target: call.segments.joined(separator: "/"))
    if let text = call.values("_count").first {
      guard let count = Int(text), count >= 0 else { throw Refusal(400, "value", "_count must be a number") }
      scope.count = count
    }
    if !call.query.isEmpty { scope.target += "?" + QueryItem.text(call.query) }
    let type = level == .system ? nil : call.segments.first
    let id = level == .instance ? call.segments[1] : nil
    if let type, let id, newest(MockKey(type, id)) == nil { throw missing(MockKey(type, id)) }
    let positions = changes.indices.reversed().filter { index in
      let change = changes[index]
      return (type == nil || change.key.type == type) && (id == nil || change.key.id == id)
        && change.version.time >= since
    }
    if scope.count == 0 {
      return Answer(
        status: 200,
        document: [
          "resourceType": "Bundle", "type": "history", "total": .number(JSONNumber(positions.count)),
          "link": [link("self", scope.target, call)],
        ])
    }
    return answer(page: Page(content: .history(scope, positions: positions)), call)
  }

  func historyEntry(_ position: Int, _ call: Call) -> JSONValue {
    let change = changes[position]
    let status =
      switch change.version.method {
      case "DELETE": "204"
      case "POST": "201"
      default: versions(change.key).first?.versionId == change.version.versionId ? "201" : "200"
      }
    var response: JSONObject = ["status": .string(status)]
    if profile.showsVersions { response["etag"] = .string(EntityTag.text(change.version.versionId)) }
    response["lastModified"] = .string(Instant.text(change.version.time))
    let url = change.version.method == "POST" ? change.key.type : change.key.path
    var entry: JSONValue = [
      "fullUrl": .string("\(call.base)/\(change.key.path)"),
      "request": ["method": .string(change.version.method), "url": .string(url)], "response": .object(response),
    ]
    if let resource = change.version.resource, case .object(var object) = entry {
      object.place("resource", resource, after: "fullUrl")
      entry = .object(object)
    }
    return entry
  }
}
