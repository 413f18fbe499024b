import DesignSystem
import Testing

@Suite("What could come next")
struct CompletionTests {
  @Test(
    "candidates and the kind of value",
    arguments: [
      ("", "appointments patients review schedule sync"),
      ("p", "patients"),
      ("patients ", "register search show"),
      ("patients s", "search show"),
      ("patients show ", "(ref)"),
      ("patients show x ", ""),
      ("patients register --", "--birth --family --given --help --json --store --yes"),
      ("patients register --family x --given y --", "--birth --given --help --json --store --yes"),
      ("patients register --family ", "(text)"),
      ("review ", "show (integer)"),
      ("review 4 --keep ", "mine theirs (choice)"),
      ("review 4 --keep t", "theirs (choice)"),
      ("schedule to", "today tomorrow (date)"),
      ("--json sy", "sync"),
      ("--store /x s", "schedule sync"),
      ("appointments book #1 ", "today tomorrow yesterday (dateTime)"),
      ("patients search a b ", "(text)"),
      ("patients search -- --", "(text)"),
      ("patients search 'a", "(text)"),
      ("review 4 --keep 'mi", "mine (choice)"),
      ("review 4 --keep=m", "--keep=mine"),
      ("# p", ""),
      ("nonsense ", ""),
    ] as [(String, String)])
  func completion(line: String, expected: String) {
    let completion = Sample.table.completion(for: line)
    var parts = completion.candidates.map(\.word)
    if let kind = completion.kind { parts.append("(\(kind))".replacing(/\(\[.*\]\)/, with: "")) }
    #expect(parts.joined(separator: " ") == expected)
  }
}
