extension JSONValue {
  /// Parses one document, which must be the whole input; white space around it is allowed, a byte order mark is not.
  ///
  /// Linear in the input; never traps, whatever the bytes are.
  /// - Throws: `JSONError` with the place, if the input is not RFC 8259 JSON in valid UTF-8, a string holds half a surrogate pair, or it nests
  ///   deeper than `limits` allow.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONParser.document(buffer, limits: limits)
    }
  }

  /// Parses one document from text: see `init(parsing:limits:)` for bytes.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// Recursive descent over a contiguous buffer. Strings and numbers are found as runs and copied once.
private struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  var index = 0
  var room: Int

  static func document(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONError) -> JSONValue {
    var parser = JSONParser(
      bytes: bytes, end: bytes.count, room: max(0, min(limits.depth, JSONLimits.deepest)))
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw parser.error("a byte order mark is not allowed") }
    parser.skipSpace()
    let value = try parser.value()
    parser.skipSpace()
    if parser.index < parser.end { throw parser.error("unexpected text after the document") }
    return value
  }

  func error(_ message: String, at offset: Int? = nil) -> JSONError {
    JSONError(message, at: offset ?? index, in: bytes)
  }

  @inline(__always)
  mutating func skipSpace() {
    while index < end {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }

  mutating func value() throws(JSONError) -> JSONValue {
    guard index < end else { throw error("the document ends where a value is expected") }
    switch bytes[index] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(JSONObject(try members()))
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("a value is expected here")
    }
  }

  mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let count = word.utf8CodeUnitCount
    guard end - index >= count else { throw error("unknown word: only true, false and null are values") }
    for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] {
      throw error("unknown word: only true, false and null are values")
    }
    index += count
    return value
  }

  mutating func number() throws(JSONError) -> JSONNumber {
    guard let stop = JSONNumber.end(of: bytes, from: index) else { throw error("this is not a number of JSON") }
    if stop < end, bytes[stop] &- 0x30 < 10 { throw error("a number may not begin with a zero") }
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[index..<stop]), as: UTF8.self)
    index = stop
    return JSONNumber(checked: text)
  }

  mutating func enter() throws(JSONError) {
    guard room > 0 else { throw error("the document nests too deeply") }
    room -= 1
    index += 1
    skipSpace()
  }

  mutating func elements() throws(JSONError) -> [JSONValue] {
    try enter()
    defer { room += 1 }
    var elements: [JSONValue] = []
    if index < end, bytes[index] == UInt8(ascii: "]") {
      index += 1
      return elements
    }
    while true {
      elements.append(try value())
      skipSpace()
      guard index < end else { throw error("the document ends inside an array") }
      let byte = bytes[index]
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
        throw error("expected ',' or ']' in the array")
      }
      index += 1
      if byte == UInt8(ascii: "]") { return elements }
      skipSpace()
    }
  }

  mutating func members() throws(JSONError) -> [JSONObject.Member] {
    try enter()
    defer { room += 1 }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(4)
    if index < end, bytes[index] == UInt8(ascii: "}") {
      index += 1
      return members
    }
    while true {
      guard index < end else { throw error("the document ends inside an object") }
      guard bytes[index] == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected here") }
      let key = try string()
      skipSpace()
      guard index < end, bytes[index] == UInt8(ascii: ":") else { throw error("expected ':' after the member's name") }
      index += 1
      skipSpace()
      members.append(JSONObject.Member(key: key, value: try value()))
      skipSpace()
      guard index < end else { throw error("the document ends inside an object") }
      let byte = bytes[index]
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else {
        throw error("expected ',' or '}' in the object")
      }
      index += 1
      if byte == UInt8(ascii: "}") { return members }
      skipSpace()
    }
  }

  /// The end of the run of plain characters that starts at `index` (where a quote, a backslash or a control character stands), and whether
  /// the run is ASCII.
  @inline(__always)
  func plainRun() -> (end: Int, isASCII: Bool) {
    var stop = index
    var seen: UInt8 = 0
    while stop < end {
      let byte = bytes[stop]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      seen |= byte
      stop += 1
    }
    return (stop, seen < 0x80)
  }

  mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    let run = plainRun()
    guard run.end < end, bytes[run.end] == 0x22 else { return try escapedString(from: start) }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<run.end])
    if run.isASCII {
      index = run.end + 1
      return String(decoding: text, as: UTF8.self)
    }
    guard let string = String(validating: text, as: UTF8.self) else { throw error("the string is not valid UTF-8") }
    index = run.end + 1
    return string
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var text: [UInt8] = []
    while true {
      let stop = plainRun().end
      text.append(contentsOf: bytes[index..<stop])
      index = stop
      guard index < end else { throw error("the document ends inside a string") }
      switch bytes[index] {
      case 0x22:
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error("the string is not valid UTF-8", at: start)
        }
        index += 1
        return string
      case 0x5C: try escape(into: &text)
      default: throw error("a control character in a string must be escaped")
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard index + 1 < end else { throw error("the document ends inside a string") }
    let plain: UInt8
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[index + 1]
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      text.append(contentsOf: Array(String(try unicodeEscape()).utf8))
      return
    default: throw error("unknown escape in a string")
    }
    text.append(plain)
    index += 2
  }

  /// `\uXXXX`, or two of them that form a surrogate pair.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let start = index
    var code = try codeUnit()
    if code & 0xFC00 == 0xD800, index + 1 < end, bytes[index] == 0x5C, bytes[index + 1] == UInt8(ascii: "u") {
      let low = try codeUnit()
      guard low & 0xFC00 == 0xDC00 else { throw error("half a surrogate pair in a string", at: start) }
      code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair in a string", at: start) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    guard end - index >= 6 else { throw error("'\\u' needs four hexadecimal digits") }
    var code: UInt32 = 0
    for offset in 2..<6 {
      let byte = bytes[index + offset]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error("'\\u' needs four hexadecimal digits")
      }
      code = (code << 4) | UInt32(digit)
    }
    index += 6
    return code
  }
}
