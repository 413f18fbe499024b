import Domain
import Foundation
import Synchronization
import Testing

@testable import App

@Suite("Long answers")
struct PagerTests {
  /// A pager that notes what it was given.
  private final class Noted: Sendable {
    let commands = Mutex<[String]>([])
    let works: Bool
    init(works: Bool = true) { self.works = works }
  }

  private func help(
    _ pager: Noted, rows: Int = 20, arguments: [String] = ["help"], environment: [String: String] = [:],
    isTerminal: Bool = true
  ) async -> (used: [String], output: String) {
    let output = MemorySink()
    var streams = FrontStreams(
      input: MemoryLines(), output: output, errors: MemorySink(), inputIsTerminal: isTerminal,
      outputIsTerminal: isTerminal, errorsAreTerminal: isTerminal, columns: { 80 })
    streams.rows = { rows }
    streams.page = { _, command in
      pager.commands.withLock { $0.append(command) }
      return pager.works
    }
    var variables = ["HOME": "/nowhere", "TERM": "xterm"]
    variables.merge(environment) { $1 }
    let repositories = FakeClinic().repositories
    _ = await ClinicCommand.run(
      arguments: arguments, environment: variables, streams: streams, clock: .fixed(Instant(secondsSince1970: 0)),
      open: { _ throws(AppError) in repositories })
    return (pager.commands.withLock { $0 }, output.text)
  }

  @Test(
    "go through the pager that was chosen, and through none where nobody turns pages",
    arguments: [
      ([:], ["less -R"]), (["PAGER": "more"], ["more"]), (["PAGER": "more", "CLINIC_PAGER": "most -x"], ["most -x"]),
      (["CLINIC_PAGER": "cat"], []), (["TERM": "dumb"], []), (["CLINIC_SCREEN_READER": "1"], []),
    ] as [([String: String], [String])])
  func chosen(environment: [String: String], used: [String]) async {
    let result = await help(Noted(), environment: environment)
    #expect(result.used == used && result.output.isEmpty == !used.isEmpty)
  }

  @Test("never in a pipe, for programs, in plain text, or where the screen is high enough")
  func never() async {
    #expect(await help(Noted(), isTerminal: false).used == [])
    #expect(await help(Noted(), arguments: ["help", "--json"]).used == [])
    #expect(await help(Noted(), arguments: ["help", "--plain"]).used == [])
    #expect(await help(Noted(), rows: 2000).used == [])
  }

  @Test("are written as they are where the pager cannot run")
  func missing() async {
    let result = await help(Noted(works: false))
    #expect(result.used.count == 1 && result.output.contains("patients register"))
  }

  @Test("are read by the program that is named, and its absence is noticed")
  func runs() async throws {
    // As the program does when it starts: whoever leaves a pager early must not end it.
    signal(SIGPIPE, SIG_IGN)
    try await withFile("") { path in
      let isShown = await Pager.show("one\ntwo\n", by: "cat > \(path)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(isShown && text == "one\ntwo\n")
    }
    #expect(await Pager.show(String(repeating: "x\n", count: 200_000), by: "exit 0"))
    #expect(await !Pager.show("x", by: "no-such-pager 2>&1"))
  }
}
