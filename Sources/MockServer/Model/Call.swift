import JSON

/// A request taken apart.
struct Call {
  var method: String
  /// As sent.
  var target: String
  /// Path segments below the base, decoded.
  var segments: [String]
  var query: [QueryItem]
  /// By lower-case name.
  var headers: [String: String]
  var body: Body
  /// The absolute base of links, without a final slash.
  var base: String
  /// The id that a transaction has already chosen for this create.
  var assignedId: String?

  enum Body {
    case bytes([UInt8])
    case document(JSONValue)
  }

  var bodyHash: String {
    switch body {
    case .bytes(let bytes): Hex.hash(bytes)
    case .document(let document): Hex.hash(document.bytes())
    }
  }

  /// The values of one query parameter.
  func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

  /// A value of the `Prefer` header.
  func prefers(_ preference: String) -> Bool {
    (headers["prefer"] ?? "").split(whereSeparator: { ",; ".contains($0) }).contains { $0 == preference }
  }

  /// The body as a JSON document.
  func document() throws(Refusal) -> JSONValue {
    switch body {
    case .document(let document): return document
    case .bytes(let bytes):
      let mediaType = (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
      guard mediaType.isEmpty || mediaType.hasSuffix("json") else {
        throw Refusal(415, "not-supported", "the body must be application/fhir+json, not \(mediaType)")
      }
      do {
        return try JSONValue(parsing: bytes, limits: JSONLimits(depth: 200))
      } catch {
        throw Refusal(400, "structure", "the body is no JSON document: \(error.description)")
      }
    }
  }
}

/// One `name=value` of a query, decoded.
struct QueryItem: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The items of a query or a form body.
  static func parse(_ text: Substring) -> [QueryItem] {
    text.split(separator: "&").map { item in
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return QueryItem(
        Percent.decode(halves[0], plusIsSpace: true),
        halves.count > 1 ? Percent.decode(halves[1], plusIsSpace: true) : "")
    }
  }

  /// The items as a query.
  static func text(_ items: [QueryItem]) -> String {
    items.map { "\(Percent.encode($0.name))=\(Percent.encode($0.value))" }.joined(separator: "&")
  }
}

enum Percent {
  static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
        let low = rest.dropFirst().first.flatMap(digit)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39, 0x2D, 0x2E, 0x5F,
        0x7E,
        UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + Hex.text(UInt64(byte)).suffix(2).uppercased()
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// `W/"…"` as a version.
enum EntityTag {
  static func text(_ versionId: String) -> String { "W/\"\(versionId)\"" }

  /// The weak tags of an `If-Match` or `If-None-Match` list.
  static func versions(_ header: String) -> [String] {
    header.split(separator: ",").compactMap { part in
      let tag = part.drop { $0 == " " }
      guard tag.hasPrefix("W/\"") else { return nil }
      return String(tag.dropFirst(3).prefix { $0 != "\"" })
    }
  }
}
