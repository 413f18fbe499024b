import JSON

extension MockState {
  /// read (hl7.org/fhir/R4/http.html#read).
  func read(_ key: MockKey, _ call: Call) throws(Refusal) -> Answer {
    guard let version = newest(key) else { throw missing(key) }
    guard version.resource != nil else {
      guard profile.remembersDeletes else { throw missing(key) }
      throw Refusal(410, "deleted", "\(key.path) was deleted", headers: versionHeaders(version))
    }
    if profile.showsVersions, let header = call.headers["if-none-match"],
      header == "*" || EntityTag.versions(header).contains(version.versionId)
    {
      return Answer(status: 304, headers: versionHeaders(version))
    }
    return Answer(
      status: 200, headers: versionHeaders(version), document: try elements(version.resource, call), time: version.time)
  }

  /// vread (hl7.org/fhir/R4/http.html#vread).
  func readVersion(_ key: MockKey, _ versionId: String, _ call: Call) throws(Refusal) -> Answer {
    guard profile.keepsHistory.contains(.instance) else {
      throw Refusal(404, "not-supported", "this server keeps no versions")
    }
    guard let version = versions(key).first(where: { $0.versionId == versionId }) else {
      throw Refusal(404, "not-found", "there is no version \(versionId) of \(key.path)")
    }
    guard let resource = version.resource else {
      throw Refusal(410, "deleted", "version \(versionId) of \(key.path) is its deletion")
    }
    return Answer(status: 200, headers: versionHeaders(version), document: resource)
  }

  private func elements(_ resource: JSONValue?, _ call: Call) throws(Refusal) -> JSONValue? {
    let names = call.values("_elements").flatMap { $0.split(separator: ",").map(String.init) }
    return names.isEmpty ? resource : resource.map { Subset.of($0, elements: names) }
  }

  func missing(_ key: MockKey) -> Refusal { Refusal(404, "not-found", "there is no \(key.path)") }

  /// `ETag` and `Last-Modified` of a version.
  func versionHeaders(_ version: MockVersion) -> [String: String] {
    var headers = ["Last-Modified": Instant.http(version.time)]
    if profile.showsVersions { headers["ETag"] = EntityTag.text(version.versionId) }
    return headers
  }
}

enum Subset {
  /// The resource with only these elements, and those that it cannot be read without, tagged SUBSETTED (hl7.org/fhir/R4/search.html#elements).
  static func of(_ resource: JSONValue, elements: [String]) -> JSONValue {
    guard case .object(let object) = resource else { return resource }
    let kept = Set(elements + ["resourceType", "id", "meta"])
    var members = object.members.filter {
      kept.contains($0.key) || ($0.key.hasPrefix("_") && kept.contains(String($0.key.dropFirst())))
    }
    let tag: JSONValue = ["system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "code": "SUBSETTED"]
    if let index = members.firstIndex(where: { $0.key == "meta" }) {
      members[index].value["tag"] = .array((members[index].value["tag"]?.array ?? []) + [tag])
    }
    return .object(JSONObject(members))
  }
}
