/// An entity tag exactly as it was written (RFC 9110 §8.8.3), such as `W/"7"`.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
  /// The exact spelling, for `If-Match` and `If-None-Match`.
  package let text: String

  /// What a server wrote in an `ETag` field. Blanks around it do not belong to it; an empty text is no tag.
  /// Anything else is kept, well-formed or not, since it is only ever given back.
  package init?(_ text: String) {
    let trimmed = HTTPText.trimmed(text)
    guard !trimmed.isEmpty else { return nil }
    self.text = String(trimmed)
  }

  /// The tag of a FHIR version: `W/"v"` (FHIR R4, http.html, "Managing Resource Contention").
  package init(versionId: String) { text = "W/\"\(versionId)\"" }

  /// Whether it is marked as weak (`W/`). Some servers write `w/`.
  package var isWeak: Bool { text.hasPrefix("W/") || text.hasPrefix("w/") }

  /// The part between the quotation marks, which FHIR makes the resource's `versionId`; without marks, all of it.
  package var opaque: String {
    var rest = isWeak ? text.dropFirst(2) : text[...]
    guard rest.utf8.count >= 2, rest.hasPrefix("\""), rest.hasSuffix("\"") else { return String(rest) }
    rest = rest.dropFirst().dropLast()
    return String(rest)
  }

  package var description: String { text }
}
