import DesignSystem
import Domain
import Testing

@Suite("The table understands lines")
struct CommandTableTests {
  @Test("the sample has no contradictions and its examples parse")
  func noProblems() {
    #expect(Sample.table.problems() == [])
  }

  @Test("contradictions are found")
  func problems() {
    let bad = CommandSpec(
      path: ["a"], summary: "A.", arguments: [ArgumentSpec("x", .text, .optional), ArgumentSpec("x")],
      examples: ["a --none"])
    #expect(
      CommandTable(commands: [Command(bad) { _ in Page() }, Command(bad) { _ in Page() }]).problems().prefix(4) == [
        "a: the summary is empty or ends with a full stop", "a: the name x is used twice",
        "a: x follows an optional argument", "a: the example \"a --none\": unknown option \"--none\"",
      ])
  }

  /// What a line means, on one line.
  static func meaning(_ line: String, rows: RowBindings? = Sample.rows) -> String {
    do throws(UsageError) {
      let parsed = try Sample.table.parse(line: line, rows: rows)
      let globals = parsed.globals.names.joined(separator: ",")
      switch parsed.action {
      case .none: return "none [\(globals)]"
      case .help(let words): return "help \(words.joined(separator: " "))"
      case .run(let command, let invocation):
        let spec = command.spec
        let names = spec.arguments.map(\.name) + spec.options.map(\.name)
        let values = names.compactMap { name -> String? in
          let all = invocation.all(name)
          return all.isEmpty ? nil : "\(name)=\(all.joined(separator: "|"))"
        }
        return ([spec.name] + values + (globals.isEmpty ? [] : ["[\(globals)]"])).joined(separator: " ")
      }
    } catch {
      return [error.message, error.hint, error.column.map { "column \($0)" }].compactMap(\.self).joined(separator: "; ")
    }
  }

  @Test(
    "good lines",
    arguments: [
      ("", "none []"),
      ("--json", "none [json]"),
      ("--help", "help "),
      ("patients --help", "help patients"),
      ("patients register -h", "help patients register"),
      ("patients search de la Cruz --limit 5", "patients search text=de|la|Cruz limit=5"),
      ("--json patients search ana --store=/x", "patients search text=ana [json,store]"),
      ("patients search -- --limit --help", "patients search text=--limit|--help"),
      ("patients search -5 -", "patients search text=-5|-"),
      ("patients register --family=A=B --given x --given 'y z'", "patients register family=A=B given=x|y z"),
      ("patients register --family=--x", "patients register family=--x"),
      ("schedule", "schedule"),
      ("schedule +2w", "schedule day=+2w"),
      ("schedule -3d", "schedule day=-3d"),
      ("review", "review"),
      ("review 4 --keep mine --yes", "review number=4 keep=mine [yes]"),
      ("review show 4", "review show number=4"),
      (
        "appointments book 2 tomorrow 9:30 45 --with #3",
        "appointments book ref=2 when=tomorrow 9:30 duration=45 with=#3"
      ),
      ("appointments book x 2026-03-04T09:30", "appointments book ref=x when=2026-03-04T09:30"),
      ("appointments book x 'mon 9.30' 1h", "appointments book ref=x when=mon 9.30 duration=1h"),
    ] as [(String, String)])
  func goodLines(line: String, meaning: String) {
    #expect(Self.meaning(line) == meaning)
  }

  @Test(
    "bad lines say what is wrong, where, and what to type",
    arguments: [
      (
        "patients", "\"patients\" needs a word behind it: search, show, register; help patients; column 1"
      ),
      ("patients serch ana", "unknown command \"patients serch\"; did you mean \"patients search\"?; column 10"),
      ("patient search ana", "unknown command \"patient\"; did you mean \"patients search\"?; column 1"),
      ("register", "unknown command \"register\"; did you mean \"patients register\"?; column 1"),
      ("shcedule", "unknown command \"shcedule\"; did you mean \"schedule\"?; column 1"),
      ("sched", "unknown command \"sched\"; did you mean \"schedule\"?; column 1"),
      ("frobnicate", "unknown command \"frobnicate\"; help lists all commands; column 1"),
      ("sync --jsno", "unknown option \"--jsno\"; did you mean \"--json\"?; column 6"),
      ("sync -x", "unknown option \"-x\"; help sync; column 6"),
      ("sync --json=1", "option \"--json\" takes no value; --json; column 6"),
      ("sync now", "\"now\" is one word too many; sync; column 6"),
      ("patients register", "option \"--family\" is missing; " + registerUsage),
      ("patients register --family", "option \"--family\" needs a value; --family NAME; column 19"),
      (
        "patients register --family --given x",
        "option \"--family\" needs a value; --family NAME, or --family=--given if that is the value; column 19"
      ),
      (
        "patients register --family a --family b",
        "option \"--family\" is given twice; give it once; column 30"
      ),
      (
        "patients register --family a --birth 1980-13",
        "option \"--birth\": \"1980-13\" is no date; write it as 1980-05-17, or as 1980-05 or 1980; column 38"
      ),
      (
        "schedule 2026-02-30",
        "DAY: \"2026-02-30\" is no day; write it as 2026-03-04, today, tomorrow, yesterday, mon, +3d or +2w; column 10"
      ),
      (
        "review 4 --keep thiers",
        "option \"--keep\": \"thiers\" is none of mine, theirs; did you mean \"theirs\"?; column 17"
      ),
      ("review x", "NUMBER: \"x\" is no whole number; column 8"),
      ("review show", "NUMBER is missing; review show NUMBER"),
      (
        "patients show #4",
        "no row \"4\": the last listing has rows 1 to 3; list again and take a number from there, or give an id or an identifier; column 15"
      ),
      (
        "patients show 'x",
        "the quote ' at column 15 has no end; close it, or write an apostrophe as \\' or inside \"…\"; column 15"
      ),
    ] as [(String, String)])
  func badLines(line: String, message: String) {
    #expect(Self.meaning(line) == message)
  }

  static let registerUsage = "patients register --family NAME [--given NAME...] [--birth DATE]"

  @Test("outside a session a row number is refused, and what to write is said", arguments: ["#3", "3"])
  func rowsOutsideSession(word: String) {
    #expect(
      Self.meaning("patients show \(word)", rows: nil)
        == "row number \"3\" means something only in the session that printed it; "
        + "give an identifier, or an id with its type, such as Patient/3; column 15")
    #expect(Self.meaning("patients show Patient/3", rows: nil) == "patients show ref=Patient/3")
  }

  @Test("typed accessors give what was meant")
  func accessors() throws {
    let line = "appointments book #2 tomorrow 9:30 1h30 --with dr-7 --yes"
    guard case .run(_, let invocation) = try Sample.table.parse(line: line, rows: Sample.rows).action else {
      Issue.record("not a command")
      return
    }
    let today = try #require(CalendarDay("2026-02-28"))
    #expect(invocation.localDateTime("when", today: today)?.description == "2026-03-01T09:30:00")
    #expect(invocation.ref("ref") == .row(2, RowTarget(kind: "Patient", id: "b")))
    #expect(invocation.optionalRef("with") == .text("dr-7"))
    #expect(invocation.seconds("duration") == 5400)
    #expect(invocation.confirmed && !invocation.flag("json"))
    // What is kept to be typed again has the record in place of the row, and answers no question.
    #expect(invocation.line == "appointments book Patient/b tomorrow 9:30 1h30 --with dr-7")
  }
}
