/// What a server says about where a resource lies (FHIR R4, http.html, "create").
package enum FHIRLocation {
  /// The type, id and version named by a `Location`, `Content-Location`, `fullUrl` or reference.
  ///
  /// Absolute or relative, with or without `/_history/v`; a query and a fragment are left out. The base is not looked at.
  /// - Returns: nil if it does not end in a resource type and an id.
  package static func parse(_ location: String) -> (type: String, id: String, version: String?)? {
    guard let reference = URLReference(String(HTTPText.trimmed(location))) else { return nil }
    var segments = reference.path.split(separator: "/").map(String.init)
    var version: String?
    if let mark = segments.lastIndex(of: "_history") {
      if mark + 1 < segments.count {
        guard mark + 2 == segments.count, isId(segments[mark + 1]) else { return nil }
        version = segments[mark + 1]
      }
      segments.removeSubrange(mark...)
    }
    guard segments.count >= 2, let id = segments.popLast(), let type = segments.popLast(), isType(type), isId(id)
    else { return nil }
    return (type, id, version)
  }

  private static func isType(_ text: String) -> Bool {
    guard let first = text.utf8.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else { return false }
    return text.utf8.allSatisfy(ASCII.isLetter)
  }

  /// FHIR allows letters, digits, `-` and `.` up to 64; servers in the field also give `_` and longer ones. What would
  /// mean another path when put into an address is none.
  private static func isId(_ text: String) -> Bool {
    text != "." && text != ".." && text.utf8.count <= 256
      && text.utf8.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
          || byte == UInt8(ascii: "_")
      }
  }
}
