import DesignSystem
import Testing

@Suite("Row numbers mean what was printed")
struct ReferenceTests {
  @Test(
    "which words are row numbers",
    arguments: [
      ("#1", 1), ("12", 12), ("999", 999), ("#1234", 1234), ("1000", nil), ("#", nil), ("#x", nil), ("-1", nil),
      ("１", nil), ("", nil), ("3a", nil), ("Patient/3", nil),
    ] as [(String, Int?)])
  func rowNumbers(word: String, number: Int?) {
    #expect(RecordReference.rowNumber(in: word) == number)
  }

  @Test("a listing replaces the numbers, a page without rows leaves them")
  func binding() throws {
    var rows = RowBindings()
    rows.bind(page(["a", nil, "b"]))
    #expect(try rows.target(of: 2).id == "b")
    rows.bind(Page(title: "one patient"))
    #expect(try rows.target(of: 1).id == "a")
    rows.bind(page(["c"]))
    #expect(try rows.target(of: 1).id == "c")
    #expect(throws: RowError.outOfRange(2, count: 1)) { try rows.target(of: 2) }
    #expect(throws: RowError.outOfRange(0, count: 1)) { try rows.target(of: 0) }
  }

  private func page(_ ids: [String?]) -> Page {
    let rows = ids.map { id in Table.Row(["x"], target: id.map { RowTarget(kind: "Patient", id: $0) }) }
    return Page(blocks: [.table(Table(columns: [Table.Column("name")], rows: rows))])
  }
}
