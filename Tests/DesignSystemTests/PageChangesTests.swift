import DesignSystem
import Testing

@Suite("What became different")
struct PageChangesTests {
  private func page(_ fields: [Field], rows: [(String, [String])] = []) -> Page {
    let table = Table(
      columns: [.init("time"), .init("who")],
      rows: rows.map { row in
        Table.Row(row.1.map { Table.Cell($0) }, target: RowTarget(kind: "Appointment", id: row.0))
      })
    return Page(title: "x", blocks: [.fields(fields), .table(table)])
  }

  @Test("fields and rows are told in the page's own words, states are not")
  func changes() {
    let old = page(
      [Field("phone", "1"), Field("phone", "2"), Field("city", "Old"), Field("email", "")],
      rows: [("a", ["09:00", "Ana"]), ("b", ["10:00", "Bo"])])
    let new = page(
      [
        Field("phone", "1"), Field("phone", "3"),
        Field("email", "x\u{1B}@y", badges: [Badge("pending", role: .warning)]),
      ],
      rows: [("b", ["11:00", "Bo"]), ("c", ["12:00", "Cy"])])
    #expect(
      PageChanges(from: old, to: new).phrases == [
        "phone: 2, now 3", "email: not recorded, now x␛@y", "city: Old, now not recorded",
        "10:00 · Bo: time: 10:00, now 11:00", "new: 12:00 · Cy", "no longer here: 09:00 · Ana",
      ])
    #expect(PageChanges(from: new, to: new).phrases == [])
  }
}
