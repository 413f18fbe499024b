package import Domain
package import JSON

/// Finds and rewrites the references in a document: every text called `reference` inside any object, contained resources
/// and extensions included (hl7.org/fhir/R4/references.html).
package enum FHIRReference {
  /// What kind of reference a text is.
  package enum Kind: Hashable, Sendable {
    /// Names a resource by type and id: relative, absolute or versioned.
    case literal(ResourceKey)
    /// Names a resource inside the same document, by its id without `#`; the empty id is the container.
    case contained(String)
    /// Names an entry of the same Bundle by its `fullUrl`.
    case urn
    /// Names a resource by a search, inside a transaction only.
    case conditional
    /// None of these.
    case other
  }

  /// Says what kind of reference a text is.
  package static func kind(of text: String) -> Kind {
    if text.hasPrefix("#") { return .contained(String(text.dropFirst())) }
    if text.hasPrefix("urn:") { return .urn }
    if let key = ResourceKey(reference: text) { return .literal(key) }
    return text.contains("?") ? .conditional : .other
  }

  /// The key that a text names on one server: `nil` for absolute references to another base.
  package static func key(of text: String, ownBase: String?) -> ResourceKey? {
    guard let parts = ReferenceParts(text), isOwn(parts.base, ownBase) else { return nil }
    return parts.key
  }

  /// All reference texts of a document, in document order, duplicates included. Linear in its size.
  package static func texts(in document: JSONValue) -> [String] {
    var found: [String] = []
    collect(document, &found)
    return found
  }

  /// The keys that a document names on its own server, each once, in document order.
  package static func keys(in document: JSONValue, ownBase: String?) -> [ResourceKey] {
    var seen: Set<ResourceKey> = []
    return texts(in: document).compactMap { key(of: $0, ownBase: ownBase) }.filter { seen.insert($0).inserted }
  }

  /// Rewrites references to one resource into references to another: relative ones and those to the own base. Base,
  /// version and fragment stay as written, and so does everything else.
  ///
  /// - Returns: the document, and how many references were rewritten.
  package static func rewriting(
    _ document: JSONValue, from old: ResourceKey, to new: ResourceKey, ownBase: String?
  ) -> (document: JSONValue, count: Int) {
    rewriting(document) { text in
      guard var parts = ReferenceParts(text), parts.key == old, isOwn(parts.base, ownBase) else { return nil }
      parts.key = new
      return parts.text
    }
  }

  /// Replaces reference texts, such as the `urn:uuid:` of a Bundle's entry; `nil` leaves one as it is.
  package static func rewriting(
    _ document: JSONValue, _ replacement: (String) -> String?
  ) -> (document: JSONValue, count: Int) {
    var count = 0
    let result = rewrite(document, replacement, &count)
    return (count == 0 ? document : result, count)
  }

  private static func collect(_ value: JSONValue, _ found: inout [String]) {
    if let items = value.array {
      for item in items { collect(item, &found) }
    } else if let object = value.object {
      for member in object {
        if member.key == "reference", let text = member.value.string {
          found.append(text)
        } else {
          collect(member.value, &found)
        }
      }
    }
  }

  private static func rewrite(
    _ value: JSONValue, _ replacement: (String) -> String?, _ count: inout Int
  ) -> JSONValue {
    if let items = value.array {
      return .array(items.map { rewrite($0, replacement, &count) })
    }
    guard let object = value.object else { return value }
    return .object(
      JSONObject(
        object.map { member in
          guard member.key == "reference", let text = member.value.string else {
            return JSONObject.Member(key: member.key, value: rewrite(member.value, replacement, &count))
          }
          guard let new = replacement(text) else { return member }
          count += 1
          return JSONObject.Member(key: member.key, value: .string(new))
        }))
  }

  /// A relative reference is always own. Scheme and host compare without regard to case (RFC 3986, section 6.2.2.1).
  private static func isOwn(_ base: String, _ ownBase: String?) -> Bool {
    if base.isEmpty { return true }
    guard let ownBase else { return false }
    return normalized(base) == normalized(ownBase)
  }

  private static func normalized(_ base: String) -> String {
    var parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.prefix(3) { parts[index] = parts[index].lowercased() }
    var text = parts.joined(separator: "/")
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
