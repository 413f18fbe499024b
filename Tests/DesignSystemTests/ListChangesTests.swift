import DesignSystem
import Testing

@Suite("Lists: changes keyed by id")
struct ListChangesTests {
  struct Row: Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  static func rows(_ ids: [Int]) -> [Row] { ids.map { Row(id: $0) } }

  /// Makes changes one after the other, with the new content of rows from `new`.
  static func apply(_ changes: ListChanges<Int>, to old: [Row], new: [Row]) -> [Row] {
    var rows = old
    for change in changes.changes {
      switch change {
      case .removed(_, let index): rows.remove(at: index)
      case .inserted(let id, let index): rows.insert(new.first { $0.id == id } ?? Row(id: -1), at: index)
      case .moved(_, let from, let to): rows.insert(rows.remove(at: from), at: to)
      case .updated(let id, let index): rows[index] = new.first { $0.id == id } ?? Row(id: -1)
      }
    }
    return rows
  }

  @Test(
    "the differences lead from any list to any other, and touch nothing else",
    arguments: [[], [1], [1, 2, 3, 4]], [[], [1], [2], [4, 1, 5, 3], [5, 6], [3, 2, 1]])
  func all(old: [Int], new: [Int]) {
    var rows = Self.rows(old)
    let target = Self.rows(new)
    let changes = rows.update(to: target)
    #expect(rows == target)
    #expect(Self.apply(changes, to: Self.rows(old), new: target) == target)
    #expect(old != new || changes.isEmpty)
  }

  @Test("a row that shows something else is told as one change of that row")
  func updated() {
    var rows = Self.rows([1, 2, 3])
    let changes = rows.update(to: [Row(id: 1), Row(id: 2, text: "new"), Row(id: 3)])
    #expect(changes == ListChanges([.updated(2, at: 1)]))
  }
}
