import DesignSystem
import Testing

@Suite("Lines are split as a shell would")
struct LineParserTests {
  @Test(
    "words",
    arguments: [
      ("", []),
      ("   \t ", []),
      ("# a comment", []),
      ("#3 is a comment at the start of a line", []),
      ("patients search ana", ["patients", "search", "ana"]),
      ("  a\tb\r", ["a", "b"]),
      ("show #3", ["show", "#3"]),
      ("show #3x", ["show"]),
      ("show a#3 # why", ["show", "a#3"]),
      ("a 'b c' d", ["a", "b c", "d"]),
      ("'it'\\''s'", ["it's"]),
      ("a\"b c\"d", ["ab cd"]),
      (#""a\"b\\c\nd\te\qf""#, ["a\"b\\c\nd\te\\qf"]),
      (#"'a\nb'"#, [#"a\nb"#]),
      (##"a\ b \#c"##, ["a b", "#c"]),
      ("'' \"\"", ["", ""]),
      ("\"e\u{301}\" 'x\u{0}y'", ["e\u{301}", "x\u{0}y"]),
      ("\"\u{301}a\"", ["\u{301}a"]),
      ("cost $1", ["cost", "$1"]),
    ] as [(String, [String])])
  func words(line: String, expected: [String]) throws {
    #expect(try LineParser().words(in: line).map(\.text) == expected)
  }

  @Test(
    "a line that ends too early is refused with its column",
    arguments: [("a 'b", 3), ("a \"b\\\"", 3), ("a\\", 2)])
  func unfinished(line: String, column: Int) {
    let error = #expect(throws: UsageError.self) { try LineParser().words(in: line) }
    #expect(error?.column == column)
  }

  @Test("a script's arguments stay whole, outside single quotes only")
  func parameters() throws {
    let parser = LineParser(parameters: ["de la Cruz", "--x"])
    let words = try parser.words(in: #"$1 "n: ${2}!" '$1' \$1 $ $x"#)
    #expect(words.map(\.text) == ["de la Cruz", "n: --x!", "$1", "$1", "$", "$x"])
    #expect(throws: UsageError.self) { try parser.words(in: "pay $5.00") }
  }

  @Test("columns tell where words begin")
  func columns() throws {
    #expect(try LineParser().words(in: " a  'b' c").map(\.column) == [2, 5, 9])
  }

  @Test(
    "a quoted word reads back as itself, at the prompt and in a script",
    arguments: [
      ("plain", "plain"), ("Pérez", "Pérez"), ("#3", "#3"), ("#x", "'#x'"), ("", "''"), ("de la", "'de la'"),
      ("O'Hara", "\"O'Hara\""), ("$1", "'$1'"), ("a\"'$\\\n\t", #""a\"'\$\\\n\t""#), ("a\u{1B}", "'a\u{1B}'"),
    ] as [(String, String)])
  func quoting(word: String, quoted: String) throws {
    #expect(LineParser.quoted(word) == quoted)
    for parser in [LineParser(), LineParser(parameters: [])] {
      #expect(try parser.words(in: "x " + quoted).map(\.text) == ["x", word])
    }
  }
}
