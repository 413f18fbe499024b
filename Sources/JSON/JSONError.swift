/// Why a text is no JSON document. It names the place, never the content.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var message: String
  /// Bytes before the place.
  public var offset: Int
  /// The line of the place, from 1.
  public var line: Int
  /// The character of the place in its line, from 1 (in code points).
  public var column: Int

  /// An error at a place.
  public init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The message with line and column.
  public var description: String { "\(message) (line \(line), column \(column))" }

  init(_ message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(message: message, offset: offset, line: line, column: column)
  }
}

/// What the parser refuses although it is well formed.
public struct JSONLimits: Sendable, Equatable {
  /// How deeply arrays and objects may nest. Values above 500 count as 500, so that no document can exhaust a thread's stack.
  public var depth: Int

  /// Limits with this depth.
  public init(depth: Int = 100) { self.depth = depth }

  /// A depth of 100.
  public static let `default` = JSONLimits()

  static let deepest = 500
}
