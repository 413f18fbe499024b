import Domain
package import JSON

/// Turns an entry into the exact request that is frozen with its claim.
package enum RequestBuilder {
  /// The system of the identifier that a create carries where the server chooses the id (RFC 4122 UUIDs as URNs).
  package static let identifierSystem = "urn:ietf:rfc:3986"

  /// The identifier's value for a local id.
  package static func identifierValue(localID: String) -> String { "urn:uuid:\(localID)" }

  /// The local id that an identifier's value was made from; `nil` for any other value.
  package static func localID(system: String?, value: String?) -> String? {
    guard system == identifierSystem, let value, value.hasPrefix("urn:uuid:") else { return nil }
    return String(value.dropFirst("urn:uuid:".count))
  }

  /// The local ids that a document carries as identifiers.
  package static func localIDs(of document: JSONValue) -> [String] {
    (document["identifier"]?.array ?? []).compactMap {
      localID(system: $0["system"]?.string, value: $0["value"]?.string)
    }
  }

  /// The attempt for an entry that is first in its resource's line.
  ///
  /// - Parameter base: the server's last known document.
  /// - Returns: `nil` when there is nothing to send, since an update has no base.
  package static func attempt(
    for entry: OutboxEntry, base: JSONValue?, etag: String?, server: ServerKnowledge, id: String
  ) -> Attempt? {
    var headers: HTTPHeaders = [
      "Accept": "application/fhir+json", "Prefer": "return=representation", "X-Request-Id": id,
    ]
    switch entry.patch {
    case .create(let document):
      headers["Content-Type"] = contentType
      let strategy = server.createStrategy(type: entry.key.type)
      if strategy == .createByPut {
        return Attempt(
          id: id, strategy: strategy, method: .put, target: entry.key.description, headers: headers,
          body: document.bytes())
      }
      headers["If-None-Exist"] = identifierQuery(localID: entry.key.id)
      return Attempt(
        id: id, strategy: strategy, method: .post, target: entry.key.type, headers: headers,
        body: identified(document, localID: entry.key.id).bytes())
    case .update(let edits):
      guard let base else { return nil }
      headers["Content-Type"] = contentType
      headers["If-Match"] = ifMatch(version: entry.baseVersion, etag: etag)
      return Attempt(
        id: id, strategy: .update, method: .put, target: entry.key.description, headers: headers,
        body: edits.apply(to: base).bytes())
    case .delete:
      headers["If-Match"] = ifMatch(version: entry.baseVersion, etag: etag)
      return Attempt(
        id: id, strategy: .delete, method: .delete, target: entry.key.description, headers: headers, body: nil)
    }
  }

  private static let contentType = "application/fhir+json; charset=utf-8"

  /// The precondition in the server's own spelling where it gave one, else made from the version (hl7.org/fhir/R4/http.html#versioning).
  private static func ifMatch(version: String?, etag: String?) -> String? {
    guard let version else { return nil }
    if let etag, ETag(etag)?.opaque == version { return etag }
    return ETag(versionId: version).text
  }

  /// The search that finds what a create made.
  package static func identifierQuery(localID: String) -> String {
    SearchQuery.encode([("identifier", "\(identifierSystem)|\(identifierValue(localID: localID))")])
  }

  /// The document as the server shall make it: with our identifier, without an id of its own.
  static func identified(_ document: JSONValue, localID: String) -> JSONValue {
    var document = document
    document["id"] = nil
    let ours: JSONValue = ["system": .string(identifierSystem), "value": .string(identifierValue(localID: localID))]
    let present = document["identifier"]?.array ?? []
    if !localIDs(of: document).contains(localID) {
      document["identifier"] = .array(present + [ours])
    }
    return document
  }
}
