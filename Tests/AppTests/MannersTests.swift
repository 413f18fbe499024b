import Domain
import TestSupport
import Testing

@testable import App

@Suite("Terminal manners")
struct MannersTests {
  @Test(
    "colour is for terminals that show it and people who want it, for results as for errors",
    arguments: [
      (["NO_COLOR": "", "TERM": "xterm"], [], true, true), (["NO_COLOR": "1", "TERM": "xterm"], [], true, false),
      (["NO_COLOR": "", "TERM": "dumb"], [], true, false),
      (["NO_COLOR": "", "TERM": "xterm"], ["--plain"], true, false),
      (["NO_COLOR": "", "TERM": "xterm"], ["--json"], true, false),
      (["NO_COLOR": "", "TERM": "xterm"], [], false, false),
    ] as [([String: String], [String], Bool, Bool)])
  func colour(environment: [String: String], options: [String], isTerminal: Bool, isStyled: Bool) async {
    for line in [["patients", "show", "p-1"], ["patients", "shw"]] {
      let result = await run(line + options, isTerminal: isTerminal, environment: environment)
      #expect((result.output + result.errors).contains("\u{1B}[") == isStyled, "\(line)")
    }
  }

  @Test(
    "what moves is drawn for whoever wants it; everyone else gets lines that stay",
    arguments: [
      (["TERM": "xterm"], OutputStyle(), true, true),
      (["TERM": "xterm", "CLINIC_REDUCED_MOTION": "1"], OutputStyle(), true, false),
      (["TERM": "xterm"], OutputStyle(isPlain: true), true, false), (["TERM": "dumb"], OutputStyle(), true, false),
      (["TERM": "xterm", "CLINIC_SCREEN_READER": "1"], OutputStyle(), true, false),
      (["TERM": "xterm"], OutputStyle(), false, false),
    ] as [([String: String], OutputStyle, Bool, Bool)])
  func motion(environment: [String: String], style: OutputStyle, isTerminal: Bool, moves: Bool) async throws {
    let errors = MemorySink()
    let output = MemorySink()
    let printer = Printer(
      streams: FrontStreams(
        input: MemoryLines(), output: output, errors: errors, inputIsTerminal: isTerminal,
        outputIsTerminal: isTerminal, errorsAreTerminal: isTerminal, columns: { 80 }),
      environment: Environment(environment), interruption: Interruption())
    for second in 0...10 {
      printer.progress(
        .pulling(type: "Patient", received: second * 50, ofAbout: 1_000), at: Instant(secondsSince1970: Int64(second)),
        style: style)
    }
    try await printer.note("done", style: style)
    #expect(errors.text.contains("\r\u{1B}[K") == moves && output.text.isEmpty, "\(errors.text)")
    #expect(errors.text.contains("#") == moves)
    let lines = errors.text.split(separator: "\n").count
    #expect(moves ? lines == 1 : lines > 2, "\(errors.text)")
  }

  @Test("text that is read aloud has labels in place of a grid")
  func aloud() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.setRecent(Snapshot(value: [FakeClinic.ana], freshness: .missing))
    let seen = await run(["patients", "recent"], clinic: clinic, isTerminal: true)
    let heard = await run(
      ["patients", "recent"], clinic: clinic, isTerminal: true, environment: ["CLINIC_SCREEN_READER": "1"])
    #expect(seen.output.contains("Pérez, Ana") && heard.output.contains("name: Pérez, Ana"), "\(heard.output)")
    let drawn = heard.output.unicodeScalars.filter { (0x2500...0x259F).contains($0.value) }
    #expect(drawn.isEmpty && !heard.output.contains("---"), "\(heard.output)")
  }
}
