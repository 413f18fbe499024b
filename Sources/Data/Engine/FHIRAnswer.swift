import Foundation
package import JSON

/// What came back for a request, read as far as it can be.
package struct FHIRAnswer: Hashable, Sendable {
  package var status: Int
  package var etag: ETag?
  package var location: String?
  package var retryAfter: Duration?
  /// The server's own time, in seconds since 1970.
  package var dateSeconds: Int64?
  /// The body, when it is a JSON object with a `resourceType`.
  package var document: JSONValue?
  /// Whether the body was empty.
  package var isEmpty: Bool
  /// The media type, without parameters.
  package var contentType: String
  /// The first words of a body that is not FHIR, cleaned, for a message.
  package var excerpt: String

  /// Reads an answer.
  ///
  /// - Parameter now: the local time in seconds since 1970, used for `Retry-After` only when the answer has no `Date`.
  package init(_ response: HTTPResponse, nowSeconds: Int64) {
    status = response.status
    etag = response.headers["ETag"].flatMap(ETag.init)
    location = response.headers["Location"] ?? response.headers["Content-Location"]
    retryAfter = RetryAfter.delay(headers: response.headers, now: Date(timeIntervalSince1970: TimeInterval(nowSeconds)))
    dateSeconds = response.headers["Date"].flatMap {
      HTTPDate.parse($0, now: Date(timeIntervalSince1970: TimeInterval(nowSeconds)))
    }
    .map { Int64($0.timeIntervalSince1970) }
    isEmpty = response.body.isEmpty
    let fullType = response.headers["Content-Type"] ?? ""
    contentType = ASCII.lowercased(HTTPText.trimmed(Substring(fullType.utf8.prefix { $0 != UInt8(ascii: ";") })))
    let mayBeJSON = contentType.isEmpty || contentType.contains("json")
    let parsed = mayBeJSON ? try? JSONValue(parsing: response.body) : nil
    document = parsed?["resourceType"]?.string != nil ? parsed : nil
    excerpt = document == nil ? Excerpt.clean(response.body) : ""
  }

  /// The body's resource type.
  package var resourceType: String? { document?["resourceType"]?.string }

  /// The body as an OperationOutcome.
  package var outcome: JSONValue? { resourceType == "OperationOutcome" ? document : nil }

  /// The body as the resource that was asked for.
  ///
  /// - Parameter id: the id it must have; `nil` takes any.
  package func resource(type: String, id: String?) -> JSONValue? {
    guard resourceType == type, let document, let found = document["id"]?.string else { return nil }
    return id == nil || id == found ? document : nil
  }

  /// The version that the answer names: in the document, the ETag, or the Location.
  package var version: String? {
    document?["meta"]?["versionId"]?.string ?? etag?.opaque ?? location.flatMap(FHIRLocation.parse)?.version
  }
}

/// The first words of a body that should have been FHIR.
enum Excerpt {
  static func clean(_ body: [UInt8]) -> String {
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    var inTag = false
    var words = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": inTag = true
      case ">":
        inTag = false
        words += " "
      case _ where inTag: continue
      case _ where scalar.properties.generalCategory == .control: words += " "
      default: words.unicodeScalars.append(scalar)
      }
    }
    return String(words.split(separator: " ").joined(separator: " ").prefix(80))
  }
}
