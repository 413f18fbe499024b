public import Domain
import JSON

/// Turns a page into lines for programs: one JSON object a line with sorted members, in the format that
/// `Docs/Formats.md` describes and promises. Pure: the same page gives the same bytes.
public struct JSONRenderer: Sendable, Equatable {
  /// The number of the format. It changes only if a member is removed or changes its meaning.
  public static let format = 1

  /// Creates a renderer.
  public init() {}

  /// The page's records, then its warnings, each line with its line feed. Empty if it has neither.
  public func render(_ page: Page) -> String {
    let warnings = page.warnings.map { Record("warning", ["message": .string($0)]) }
    return (page.records + warnings).map(render).joined()
  }

  /// One record as a line.
  public func render(_ record: Record) -> String {
    var members = Self.members(of: record.fields)
    members["format"] = .number(JSONNumber(Self.format))
    members["kind"] = .string(record.kind)
    return Self.escapeHidden(Self.object(members).text(.sorted)) + "\n"
  }

  /// An error as a line of the same stream.
  /// - Parameters:
  ///   - exit: The exit status that it leads to.
  ///   - line: Where in a script, from 1.
  public func render(_ error: AppError, exit: Int, line: Int? = nil) -> String {
    render(
      errorRecord(
        code: error.code.rawValue, message: error.message, hint: error.hint, field: error.field, exit: exit, line: line,
        column: nil))
  }

  /// A line that was not understood, as a line of the same stream; its code is `usage`.
  public func render(_ error: UsageError, exit: Int, line: Int? = nil) -> String {
    render(
      errorRecord(
        code: "usage", message: error.message, hint: error.hint, field: nil, exit: exit, line: line,
        column: error.column))
  }

  private func errorRecord(
    code: String, message: String, hint: String?, field: String?, exit: Int, line: Int?, column: Int?
  ) -> Record {
    Record(
      "error",
      [
        "code": .string(code), "message": .string(message), "hint": .optional(hint), "field": .optional(field),
        "exit": .integer(exit), "line": line.map(RecordValue.integer) ?? .null,
        "column": column.map(RecordValue.integer) ?? .null,
      ])
  }

  private static func members(of fields: [Record.Field]) -> [String: JSONValue] {
    Dictionary(fields.map { ($0.name, value($0.value)) }) { _, last in last }
  }

  private static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value) }))
  }

  private static func value(_ value: RecordValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let number): .number(JSONNumber(number))
    case .decimal(let text): JSONNumber(text).map(JSONValue.number) ?? .string(text)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(Self.value))
    case .object(let fields): object(members(of: fields))
    }
  }

  /// Writes as escapes what a terminal would act on. Such characters stand in strings only, so the document stays the
  /// same.
  private static func escapeHidden(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard VisibleText.isHidden(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? .init() {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }
}
