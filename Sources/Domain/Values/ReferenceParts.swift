/// The parts of a literal reference, from which the exact text can be put together again.
public struct ReferenceParts: Hashable, Sendable {
  /// What stands before the type, with its final slash: empty for a relative reference.
  public var base: String
  /// The resource that is meant.
  public var key: ResourceKey
  /// What stands after the id: `/_history/3`, a fragment, or nothing.
  public var suffix: String

  /// Takes a literal reference apart; `nil` for every other kind of reference.
  public init?(_ reference: String) {
    if reference.isEmpty || reference.hasPrefix("#") || reference.hasPrefix("urn:") { return nil }
    var path = Substring(reference)
    var suffix = ""
    if let fragment = path.firstIndex(of: "#") {
      suffix = String(path[fragment...])
      path = path[..<fragment]
    }
    if path.contains("?") { return nil }
    var segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if segments.count >= 4, segments[segments.count - 2] == "_history" {
      guard let version = segments.last, !version.isEmpty else { return nil }
      suffix = "/_history/\(version)" + suffix
      segments.removeLast(2)
    }
    guard segments.count >= 2, let id = segments.last else { return nil }
    let type = segments[segments.count - 2]
    guard Self.isTypeName(type), Self.isID(id) else { return nil }
    let base = segments.count > 2 ? segments.dropLast(2).joined(separator: "/") + "/" : ""
    guard base.isEmpty || Self.isServerBase(base) else { return nil }
    self.base = base
    key = ResourceKey(type: String(type), id: String(id))
    self.suffix = suffix
  }

  /// The reference as one text.
  public var text: String { base + key.description + suffix }

  /// A scheme, `://`, and a host at least.
  private static func isServerBase(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[1].isEmpty, !parts[2].isEmpty else { return false }
    return ["http:", "https:"].contains(parts[0].lowercased())
  }

  private static func isTypeName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (65...90).contains(first) else { return false }
    return text.utf8.allSatisfy { (65...90).contains($0) || (97...122).contains($0) }
  }

  /// Wider than FHIR's own grammar, since servers exist that allow underscores and more than 64 characters.
  private static func isID(_ text: Substring) -> Bool {
    !text.isEmpty && !text.hasPrefix("_")
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == 45 || byte == 46 || byte == 95
      }
  }
}
