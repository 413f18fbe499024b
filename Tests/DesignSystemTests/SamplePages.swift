import DesignSystem

/// Pages that use every block, with the text that real records bring.
enum SamplePages {
  static let patients = Page(
    title: "Patients named \"ana\"",
    blocks: [
      .paragraph("as of 09:12, refreshing, 1 unsent edit", role: .muted),
      .spacer,
      .table(
        Table(
          columns: [
            Table.Column("name", priority: .high), Table.Column("born"), Table.Column("age", alignment: .trailing),
            Table.Column("identifier"), Table.Column("address", priority: .low),
          ],
          rows: [
            row("p-1", "Pérez Gómez, Ana María", "1980-05-17", "45", "MRN-0001", "12 High Street, Springfield"),
            row("p-2", "山田 花子", "1975", "50–51", "MRN-0002", "東京都千代田区丸の内一丁目", [.pending]),
            row("p-3", "e\u{301}a\u{308}\u{323} O'Hara", "2026-01", "0", "MRN-0003", "", [.conflict, .stale]),
            row("p-4", "An\u{0}a\u{1B}[31m \u{202E}evil\u{202C}", "1990-01-01", "36", "MRN\t4\r\nX", "\u{9B}2J\u{7F}"),
          ])),
      .notice(
        Notice(
          .warning, "one entry could not be understood and is not listed; the server sent it without a name",
          next: "patients show Patient/p-9")),
    ])

  static let patient = Page(
    title: "Pérez Gómez, Ana María",
    blocks: [
      .badges([.pending, .masked]),
      .fields([
        Field("born", "1980-05-17"), Field("gender", ""), Field("identifier", "MRN-0001", badges: [.pending]),
        Field(
          "note", "first line\r\nsecond line that is much longer than the others, so that it has to be wrapped twice"),
        Field("a label that is far too wide for its column", "below it", role: .danger),
      ]),
      .heading("pulse"),
      .plot(
        Plot(
          title: "pulse", unit: "/min",
          points: [
            .init("2026-03-01 09:00", value: 72, text: "72"), .init("2026-03-02 09:00", value: 60, text: "60"),
            .init("2026-03-03 09:00", value: 90.5, text: "90.50", badges: [.pending]),
            .init("2026-03-04 09:00", value: .nan, text: "not done"),
          ])),
      .heading("what to do"),
      .list(["call her", "ask about the allergy that the other hospital has reported"], ordered: true),
      .list(["an item"]),
      .heading(level: 2, "to type"),
      .commandLines(["vitals add pulse 72 --patient #1"]),
      .notice(Notice(.success, "kept here, not yet sent", next: "sync")),
      .notice(Notice(.danger, "the server refused the edit")),
      .notice(Notice(.info, "nothing else")),
      .table(Table(columns: [Table.Column("day")], rows: [], empty: "no appointments")),
    ])

  private static func row(
    _ id: String, _ name: String, _ born: String, _ age: String, _ identifier: String, _ address: String,
    _ badges: [Badge] = []
  ) -> Table.Row {
    let role: TextRole = badges.contains(.conflict) ? .danger : .plain
    return Table.Row(
      [
        Table.Cell(name, role: role, badges: badges), Table.Cell(born), Table.Cell(age), Table.Cell(identifier),
        Table.Cell(address),
      ],
      target: RowTarget(kind: "Patient", id: id))
  }
}
