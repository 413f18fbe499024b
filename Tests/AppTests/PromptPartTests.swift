import DesignSystem
import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("Parts of the prompt")
struct PromptPartTests {
  @Test("characters are put together as their bytes come, and what is none is seen")
  func decoder() {
    var decoder = UTF8Decoder()
    func read(_ bytes: [UInt8]) -> String {
      String(String.UnicodeScalarView(bytes.compactMap { decoder.next($0) }))
    }
    #expect(read(Array("aé€😀".utf8)) == "aé€😀")
    #expect(read([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    #expect(read([0xE2, 0x82, 0x61]) == "a")
    #expect(read([0xED, 0xA0, 0x80, 0x7A]) == "\u{FFFD}z")
  }

  @Test(
    "the tab key takes what is clear and shows what is not",
    arguments: [
      ("sh", ["show"], "show ", []),
      ("s", ["search", "show"], nil, ["search  x", "show    x"]),
      ("", ["search one", "search two"], nil, ["search one  x", "search two  x"]),
      ("r", ["register", "register-all"], "register", ["register      x", "register-all  x"]),
      ("a", ["a b"], "'a b' ", []), ("d", ["dir/"], "dir/", []), ("q", [], nil, []),
    ] as [(String, [String], String?, [String])])
  func decision(prefix: String, words: [String], insertion: String?, notes: [String]) {
    let completion = LineCompletion(
      start: 0, prefix: prefix, candidates: words.map { .init($0, summary: "x") })
    #expect(completion.insertion == insertion && completion.notes == notes)
  }

  @Test("patients are completed by name, by the number that is theirs alone, and told")
  func patients() async {
    let fake = FakePatientRepository(expecting: .recent(LineCompletion.mostNotes + 1))
    func patient(_ id: String, _ number: String?) -> Patient {
      Patient(
        id: Patient.ID(id), identifier: number.map { [Identifier(value: $0)] } ?? [],
        name: [HumanName(family: "Marlow", given: [id])])
    }
    fake.setRecent(
      Snapshot(
        value: [
          patient("a", "MRN-1"), patient("b", "MRN-2"), patient("c", "MRN-2"), patient("d", "12"), patient("e", nil),
        ],
        freshness: .missing))
    let completer = LineCompleter(
      table: ClinicTable.unbound, patients: fake, clock: .fixed(Instant(secondsSince1970: 0)), zone: .utc)
    let completion = await completer.completion(of: "patients show ")
    #expect(completion.start == 14 && completion.insertion == nil)
    #expect(
      completion.notes.map { $0.split(separator: " ")[0] } == [
        "MRN-1", "Patient/b", "Patient/c", "Patient/d", "Patient/e",
      ])
    #expect(completion.notes[0].contains("Marlow, a"))
  }

  @Test("the wording of a completion that a shell asks for")
  func shells() async {
    let result = await run(["completions", "line", "--", "patients s"])
    let specs = ClinicTable.unbound.commands.map(\.spec).filter {
      $0.path.first == "patients" && $0.path[1].hasPrefix("s")
    }
    #expect(result.output == specs.map { "\($0.path[1])\t\($0.summary)\n" }.sorted().joined() && result.status == 0)
    #expect(await run(["completions", "line", "--", "run "]).output == ":files\n")
    #expect(await run(["completions", "line"]).output.contains("patients\t"))
    let record = await run(["completions", "fish", "--json"]).output
    #expect(record.hasPrefix(##"{"format":1,"kind":"document","name":"completions fish","text":"# Completion"##))
  }
}
