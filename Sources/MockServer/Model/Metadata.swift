import JSON

extension MockState {
  /// capabilities (hl7.org/fhir/R4/http.html#capabilities), true to the profile.
  func metadata(_ call: Call) -> Answer {
    switch profile.metadata {
    case .statement: return Answer(status: 200, document: capabilities(call.base))
    case .notFound: return Refusal(404, "not-found", "metadata is not offered").answer
    case .html: return MockFault.portalPage
    case .emptySearchset:
      return Answer(status: 200, document: ["resourceType": "Bundle", "type": "searchset", "total": 0])
    }
  }

  private func capabilities(_ base: String) -> JSONValue {
    var system: [JSONValue] = []
    if profile.offersBatch { system.append(["code": "batch"]) }
    if profile.offersBatch, profile.realTransactions { system.append(["code": "transaction"]) }
    if profile.keepsHistory.contains(.system) { system.append(["code": "history-system"]) }
    var rest: JSONValue = [
      "mode": "server", "resource": .array(ResourceType.all.sorted().map { resource($0) }),
    ]
    if !system.isEmpty { rest["interaction"] = .array(system) }
    return [
      "resourceType": "CapabilityStatement", "status": "active", "date": .string(Instant.text(clock.now)),
      "kind": "instance",
      "software": ["name": "clinic-mock-server", "version": .string(MockServer.version)],
      "implementation": ["description": .string("mock, profile \(profile.name)"), "url": .string(base)],
      "fhirVersion": "4.0.1", "format": ["application/fhir+json", "json"], "rest": [rest],
    ]
  }

  private func resource(_ type: String) -> JSONValue {
    var interactions = ["read", "create", "update", "delete", "search-type"]
    if profile.keepsHistory.contains(.instance) { interactions += ["vread", "history-instance"] }
    if profile.keepsHistory.contains(.type) { interactions.append("history-type") }
    let versioning =
      !profile.showsVersions
      ? "no-version" : profile.requiresIfMatch && profile.honoursIfMatch ? "versioned-update" : "versioned"
    let base: [JSONValue] = [
      ["name": "_id", "type": "token"], ["name": "_lastUpdated", "type": "date"],
    ]
    let parameters = SearchTable.parameters(of: type).map { name, kind -> JSONValue in
      ["name": .string(name), "type": .string(kind.rawValue)]
    }
    return [
      "type": .string(type), "interaction": .array(interactions.map { ["code": .string($0)] }),
      "versioning": .string(versioning), "readHistory": .bool(profile.keepsHistory.contains(.instance)),
      "updateCreate": .bool(profile.clientIds == .allowed), "conditionalCreate": .bool(profile.honoursIfNoneExist),
      "conditionalRead": .string(profile.showsVersions ? "not-match" : "not-supported"), "conditionalUpdate": true,
      "conditionalDelete": "single", "searchParam": .array(base + parameters),
    ]
  }
}
