/// How a document is laid out when written.
public enum JSONStyle: Sendable {
  /// Without white space, members in their own order.
  case compact
  /// Without white space, members sorted by code point of their names: the same for any order of members. Duplicates keep their order.
  case sorted
  /// Two spaces of indentation, one member or element a line.
  case pretty
}

extension JSONValue {
  /// The document as UTF-8. Escapes are minimal: quote, backslash and control characters; numbers keep their spelling. Linear in its size.
  public func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
    var writer = JSONWriter(style: style)
    writer.write(self)
    return writer.output
  }

  /// The document as text: see `bytes(_:)`.
  public func text(_ style: JSONStyle = .compact) -> String { String(decoding: bytes(style), as: UTF8.self) }
}

private struct JSONWriter {
  let style: JSONStyle
  var output: [UInt8] = []
  var indentation = 0

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): write(text)
    case .array(let elements):
      list(elements, open: "[", close: "]") { writer, element in writer.write(element) }
    case .object(let object):
      list(ordered(object.members), open: "{", close: "}") { writer, member in
        writer.write(member.key)
        writer.output.append(UInt8(ascii: ":"))
        if writer.style == .pretty { writer.output.append(UInt8(ascii: " ")) }
        writer.write(member.value)
      }
    }
  }

  private func ordered(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    guard style == .sorted else { return members }
    return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private mutating func list<Item>(
    _ items: [Item], open: Unicode.Scalar, close: Unicode.Scalar, write: (inout JSONWriter, Item) -> Void
  ) {
    output.append(UInt8(ascii: open))
    if !items.isEmpty {
      indentation += 1
      var isFirst = true
      for item in items {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        newline()
        write(&self, item)
      }
      indentation -= 1
      newline()
    }
    output.append(UInt8(ascii: close))
  }

  private mutating func newline() {
    guard style == .pretty else { return }
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: indentation * 2))
  }

  private mutating func write(_ text: String) {
    output.append(0x22)
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C {
          output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
          escape(byte)
          start = index + 1
        }
        index += 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    output.append(0x22)
  }

  private mutating func escape(_ byte: UInt8) {
    output.append(0x5C)
    switch byte {
    case 0x22, 0x5C: output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      output.append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
  }
}
