import DesignSystem
import Foundation
import Testing

@Suite("Pages as text")
struct TextRendererTests {
  /// Compares with `Tests/Fixtures/Text/NAME.txt`. With `UPDATE_FIXTURES=1` in the environment it is written instead.
  private func expectText(_ text: String, named name: String) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/Text/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: url, encoding: .utf8)))
  }

  @Test("plain text at three widths", arguments: [20, 40, 60, 80, 120])
  func plain(width: Int) throws {
    let renderer = TextRenderer(width: width, rowMarks: .numbers)
    try expectText(
      renderer.render(SamplePages.patients) + "\n" + renderer.render(SamplePages.patient), named: "plain-\(width)")
  }

  @Test("colour by role", arguments: [60, 80, 120])
  func styled(width: Int) throws {
    let renderer = TextRenderer(width: width, styled: true, rowMarks: .numbers)
    try expectText(
      renderer.render(SamplePages.patients) + "\n" + renderer.render(SamplePages.patient), named: "styled-\(width)")
  }

  @Test("read aloud: no grid, no rules, a label before each value")
  func screenReader() throws {
    let renderer = TextRenderer(width: 80, screenReader: true, rowMarks: .numbers)
    let text = renderer.render(SamplePages.patients) + "\n" + renderer.render(SamplePages.patient)
    try expectText(text, named: "screen-reader")
    #expect(!text.contains("─") && !text.contains("│"))
  }

  @Test("outside a session rows are marked by their record")
  func ids() throws {
    try expectText(TextRenderer(width: 120, rowMarks: .ids).render(SamplePages.patients), named: "ids-120")
  }

  @Test("help of a command, of a group and of everything", arguments: ["appointments book", "review", "patients", ""])
  func help(words: String) throws {
    let page = try Sample.table.help(for: words.split(separator: " ").map(String.init))
    let name = words.isEmpty ? "all" : words.replacing(" ", with: "-")
    try expectText(TextRenderer(width: 80).render(page), named: "help-\(name)")
  }

  @Test("help topics", arguments: ["topics", "dates", "lines"])
  func topics(word: String) throws {
    try expectText(TextRenderer(width: 80).render(Sample.table.help(for: [word])), named: "help-\(word)")
  }

  @Test("help about nothing suggests what was meant")
  func unknownHelp() {
    #expect(throws: UsageError("no help about \"shedule\"", hint: "did you mean \"help schedule\"?")) {
      try Sample.table.help(for: ["shedule"])
    }
  }

  @Test("no line is wider than the terminal, but for command lines", arguments: 20...130)
  func width(width: Int) {
    let tooWide = [SamplePages.patients, SamplePages.patient].flatMap { page in
      TextRenderer(width: width, rowMarks: .numbers).render(page).split(separator: "\n")
        .filter { DisplayWidth.of($0) > width && !$0.contains("vitals add") }
    }
    #expect(tooWide == [])
  }

  @Test("colour changes nothing but colour, and nothing stored acts on the terminal", arguments: [20, 60, 80, 120])
  func onlyColour(width: Int) {
    let page = SamplePages.patients
    let plain = TextRenderer(width: width).render(page)
    let styled = TextRenderer(width: width, styled: true).render(page)
    #expect(styled.replacing(/\u{1B}\[[0-9;]+m/, with: "") == plain)
    let acting = plain.unicodeScalars.filter { scalar in
      scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
    }
    #expect(acting.isEmpty)
  }

  @Test("warnings are apart from the result")
  func warnings() {
    let page = Page(title: "x", warnings: ["an entry\nwas left out"])
    let renderer = TextRenderer()
    #expect(renderer.render(page) == "x\n")
    #expect(renderer.warnings(of: page) == "Warning: an entry was left out\n")
  }
}
