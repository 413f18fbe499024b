import Domain
import JSON

/// Several attempts as one FHIR transaction, and its answer taken apart (hl7.org/fhir/R4/http.html#transaction).
enum TransactionBundle {
  /// One entry's part.
  struct Part: Sendable {
    var entry: OutboxEntry
    var attempt: Attempt
  }

  /// The Bundle. What is created under a server's id is referred to by a `urn:uuid`, which the server replaces.
  ///
  /// That urn is made from the attempt and is never the one in our identifier: a server replaces it wherever it finds it.
  static func make(_ parts: [Part], base: String, ownBase: String?) throws(JSONError) -> JSONValue {
    let posted = parts.filter { $0.attempt.strategy == .createByPost }
    var entries: [JSONValue] = []
    for part in parts {
      var request: JSONObject = [
        "method": .string(part.attempt.method.name), "url": .string(part.attempt.target),
      ]
      if let match = part.attempt.headers["If-Match"] { request["ifMatch"] = .string(match) }
      if let search = part.attempt.headers["If-None-Exist"] { request["ifNoneExist"] = .string(search) }
      var entry: JSONObject = ["fullUrl": .string(fullURL(part, base: base))]
      if let body = part.attempt.body {
        var resource = try JSONValue(parsing: body)
        for target in posted { resource = pointing(resource, to: target, ownBase: ownBase) }
        entry["resource"] = resource
      }
      entry["request"] = .object(request)
      entries.append(.object(entry))
    }
    return ["resourceType": "Bundle", "type": "transaction", "entry": .array(entries)]
  }

  /// The answers to the parts, in their order; `nil` when the document does not answer for each of them.
  static func answers(_ document: JSONValue, count: Int) -> [FHIRAnswer]? {
    guard document["resourceType"]?.string == "Bundle", let entries = document["entry"]?.array, entries.count == count
    else { return nil }
    var answers: [FHIRAnswer] = []
    for entry in entries {
      guard let response = entry["response"], let status = Int(response["status"]?.string?.prefix(3) ?? "") else {
        return nil
      }
      answers.append(
        FHIRAnswer(
          status: status, etag: response["etag"]?.string, location: response["location"]?.string,
          document: entry["resource"] ?? response["outcome"]))
    }
    return answers
  }

  private static func fullURL(_ part: Part, base: String) -> String {
    part.attempt.strategy == .createByPost ? "urn:uuid:\(part.attempt.id)" : "\(base)/\(part.entry.key)"
  }

  private static func pointing(_ document: JSONValue, to target: Part, ownBase: String?) -> JSONValue {
    FHIRReference.rewriting(document) { text in
      FHIRReference.key(of: text, ownBase: ownBase) == target.entry.key ? "urn:uuid:\(target.attempt.id)" : nil
    }.document
  }
}

extension FHIRAnswer {
  /// One entry of the answer to a transaction.
  init(status: Int, etag: String?, location: String?, document: JSONValue?) {
    self.status = status
    self.etag = etag.flatMap(ETag.init)
    self.location = location
    self.document = document?["resourceType"]?.string != nil ? document : nil
    isEmpty = document == nil
    contentType = "application/fhir+json"
    excerpt = ""
  }

  /// Whether the answer speaks of the request as a success.
  var isSuccess: Bool { (200...299).contains(status) }
}
