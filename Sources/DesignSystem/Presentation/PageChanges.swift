/// What became different between two looks at one place, in words.
public struct PageChanges: Sendable, Equatable {
  /// A phrase for each change: fields in the order of the page, then rows.
  public let phrases: [String]

  /// Compares two pages of one place. States such as "pending" are no change of what the place shows.
  public init(from old: Page, to new: Page) {
    phrases = Self.fields(old, new) + Self.rows(old, new)
  }

  private static func fields(_ old: Page, _ new: Page) -> [String] {
    let before = Dictionary(numbered(old), uniquingKeysWith: { first, _ in first })
    let after = numbered(new)
    let gone = numbered(old).filter { field in !after.contains { $0.0 == field.0 } }
    let changed: [String] = after.compactMap { label, value in
      guard before[label] != value else { return nil }
      return change(label.text, from: before[label] ?? "", to: value)
    }
    return changed + gone.filter { !$0.1.isEmpty }.map { change($0.0.text, from: $0.1, to: "") }
  }

  /// A label, and which of several with that text it is.
  private struct Label: Hashable {
    var text: String
    var number: Int
  }

  private static func numbered(_ page: Page) -> [(Label, String)] {
    var count: [String: Int] = [:]
    return page.blocks.flatMap { block in
      guard case .fields(let fields) = block else { return [Field]() }
      return fields
    }.map { field in
      count[field.label, default: 0] += 1
      return (Label(text: field.label, number: count[field.label] ?? 1), field.value)
    }
  }

  private static func change(_ label: String, from old: String, to new: String) -> String {
    let label = VisibleText.flat(label)
    let was = old.isEmpty ? TextRenderer.nothing : VisibleText.flat(old)
    let isNow = new.isEmpty ? TextRenderer.nothing : VisibleText.flat(new)
    return "\(label): \(was), now \(isNow)"
  }

  private static func rows(_ old: Page, _ new: Page) -> [String] {
    let before = targets(old)
    let after = targets(new)
    let known = Dictionary(before.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
    let appeared = after.compactMap { row -> String? in
      guard let earlier = known[row.target] else { return "new: \(row.text)" }
      guard earlier.cells != row.cells else { return nil }
      let changes = zip(row.titles, zip(earlier.cells, row.cells)).filter { $1.0 != $1.1 }
        .map { change($0, from: $1.0, to: $1.1) }
      return "\(earlier.text): \(changes.joined(separator: "; "))"
    }
    let left = before.filter { row in !after.contains { $0.target == row.target } }
    return appeared + left.map { "no longer here: \($0.text)" }
  }

  private struct Row {
    var target: RowTarget
    var titles: [String]
    var cells: [String]
    var text: String { cells.filter { !$0.isEmpty }.joined(separator: " · ") }
  }

  private static func targets(_ page: Page) -> [Row] {
    page.blocks.flatMap { block in
      guard case .table(let table) = block else { return [Row]() }
      return table.rows.compactMap { row in
        row.target.map {
          Row(
            target: $0, titles: table.columns.map(\.title), cells: row.cells.map { VisibleText.flat($0.text) })
        }
      }
    }
  }
}
