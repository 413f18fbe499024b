/// Resolves the links that servers give: `next` of a page, `Location`, `fullUrl`.
package enum LinkResolver {
  /// The absolute address of a link found at `base` (RFC 3986 §5.2), without its fragment.
  ///
  /// Percent escapes and letter case are kept byte for byte, since paging links are opaque. An absolute link stays as it
  /// is, also one with another scheme: whoever follows it compares its ``Origin`` first.
  /// - Returns: nil if `base` is not absolute or either is malformed.
  package static func resolve(_ link: String, against base: String) -> String? {
    guard let base = URLReference(base), base.scheme != nil, base.authority != nil,
      var target = URLReference(String(HTTPText.trimmed(link)))
    else { return nil }
    target.fragment = nil
    if target.scheme != nil { return target.text }
    target.scheme = base.scheme
    if target.authority != nil { return normalized(target) }
    target.authority = base.authority
    if target.path.isEmpty {
      target.path = base.path
      target.query = target.query ?? base.query
      return target.text
    }
    if !target.path.utf8.starts(with: "/".utf8) { target.path = merged(target.path, onto: base.path) }
    return normalized(target)
  }

  private static func normalized(_ reference: URLReference) -> String {
    var reference = reference
    reference.path = removingDotSegments(reference.path)
    return reference.text
  }

  /// RFC 3986 §5.2.3: everything of the base up to its last slash, then the link.
  private static func merged(_ path: Substring, onto base: Substring) -> Substring {
    guard let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" + path }
    return base[...slash] + path
  }

  /// RFC 3986 §5.2.4, for a path that begins with a slash (or is empty).
  private static func removingDotSegments(_ path: Substring) -> Substring {
    guard path.utf8.starts(with: "/".utf8) else { return path }
    let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let segment = Substring(segment)
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
