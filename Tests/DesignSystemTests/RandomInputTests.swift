import DesignSystem
import Testing

@Suite("Whatever is typed or stored")
struct RandomInputTests {
  /// A small generator, so that a failure repeats.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  static let pieces = [
    "patients", "search", "show", "register", "--family", "--given=", "--", "-", "-5", "#3", "#", "'", "\"", "\\", " ",
    " ",
    " ", "\t", "$1", "${2}", "$", "tomorrow", "9:30", "review", "--keep", "mine", "山", "\u{301}", "\u{0}", "\u{202E}",
    "\r\n",
    "👩‍⚕️", "\u{1B}[2J", "=", "--json", "appointments book", "e\u{301}", "1h30",
  ]

  static func text(_ random: inout Random) -> String {
    (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("every line is understood or refused with a place inside it")
  func lines() {
    var random = Random(state: 1)
    for _ in 0..<2_000 {
      let line = Self.text(&random)
      do throws(UsageError) {
        _ = try Sample.table.parse(line: line, rows: Sample.rows, parameters: ["a b", "--json"])
      } catch {
        let column = error.column ?? 1
        if !(1...(line.unicodeScalars.count + 1)).contains(column) || error.message.isEmpty {
          Issue.record("\(line.debugDescription): \(error)")
        }
      }
      _ = Sample.table.completion(for: line)
    }
  }

  @Test("every word can be quoted")
  func quoting() throws {
    var random = Random(state: 2)
    for _ in 0..<2_000 {
      let word = Self.text(&random)
      let words = try LineParser(parameters: []).words(in: "x " + LineParser.quoted(word)).map(\.text)
      if words != ["x", word] { Issue.record("\(word.debugDescription) became \(words)") }
    }
  }

  @Test("every page fits its width and acts on nothing")
  func pages() {
    var random = Random(state: 3)
    for _ in 0..<300 {
      let columns = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Table.Column(
          Self.text(&random), alignment: Bool.random(using: &random) ? .leading : .trailing,
          priority: Bool.random(using: &random) ? .low : .normal)
      }
      let rows = (0..<4).map { _ in
        Table.Row(
          columns.map { _ in Table.Cell(Self.text(&random), badges: Bool.random(using: &random) ? [.stale] : []) },
          target: RowTarget(kind: "Patient", id: "x"))
      }
      let page = Page(
        title: Self.text(&random),
        blocks: [
          .table(Table(columns: columns, rows: rows)), .paragraph(Self.text(&random)),
          .fields([Field(Self.text(&random), Self.text(&random))]), .notice(Notice(.info, Self.text(&random))),
        ])
      let width = Int.random(in: 20...100, using: &random)
      let text = TextRenderer(width: width, rowMarks: .numbers).render(page)
      let lines = text.unicodeScalars.split(separator: "\n").map(String.init)
      let wrong = lines.filter { line in
        DisplayWidth.of(line) > width || line.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
      if !wrong.isEmpty { Issue.record("width \(width): \(wrong.map(\.debugDescription))") }
    }
  }
}
