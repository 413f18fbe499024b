public import JSON

/// One write that the server really applied: the truth that a client's own account can be checked against.
public struct MockLogEntry: Sendable, Equatable {
  /// Counts applied writes from 1, also across `restore`.
  public var sequence: Int
  /// `POST`, `PUT` or `DELETE`.
  public var method: String
  /// The resource's type.
  public var type: String
  /// The resource's id.
  public var id: String
  /// The version that the write made.
  public var versionId: String
  /// The request line's target, or the entry's url inside a bundle.
  public var target: String
  /// The headers that tell one attempt from another: `If-Match`, `If-None-Exist`, `Prefer`, `X-Request-Id`, `X-Correlation-Id`.
  public var headers: [String: String]
  /// FNV-1a (64 bit, hexadecimal) of the body as sent; inside a bundle, of the entry's resource in compact form.
  public var bodyHash: String
  /// The server's time, a FHIR instant.
  public var time: String

  /// The entry as one JSON object.
  public var document: JSONValue {
    [
      "sequence": .number(JSONNumber(sequence)), "method": .string(method), "type": .string(type), "id": .string(id),
      "versionId": .string(versionId), "target": .string(target), "headers": .headers(headers),
      "bodyHash": .string(bodyHash),
      "time": .string(time),
    ]
  }
}

/// One request as it came in, with the status of its answer.
public struct MockExchange: Sendable, Equatable {
  /// The method.
  public var method: String
  /// Path and query as sent.
  public var target: String
  /// Header fields with lower-case names, without `authorization` and `cookie`.
  public var headers: [String: String]
  /// FNV-1a (64 bit, hexadecimal) of the body.
  public var bodyHash: String
  /// The status that was answered.
  public var status: Int

  /// The exchange as one JSON object.
  public var document: JSONValue {
    [
      "method": .string(method), "target": .string(target), "headers": .headers(headers), "bodyHash": .string(bodyHash),
      "status": .number(JSONNumber(status)),
    ]
  }
}

extension JSONValue {
  fileprivate static func headers(_ headers: [String: String]) -> JSONValue {
    .object(
      JSONObject(headers.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }))
  }
}
