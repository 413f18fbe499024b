import DesignSystem
import Testing

@Suite("What was probably meant")
struct SuggestionTests {
  @Test(
    "distances count insertions, deletions, substitutions and swaps",
    arguments: [
      ("", "", 0), ("a", "", 1), ("search", "serch", 1), ("search", "saerch", 1), ("sync", "sink", 2), ("ca", "abc", 3),
      ("kitten", "sitting", 3),
    ])
  func distances(left: String, right: String, distance: Int) {
    #expect(Suggestions.distance(left, right) == distance)
    #expect(Suggestions.distance(right, left) == distance)
  }

  @Test(
    "only near misses and beginnings are suggested",
    arguments: [("snyc", "sync"), ("fam", "family"), ("xyz", nil), ("s", nil), ("FAMILI", "family")])
  func closest(word: String, expected: String?) {
    #expect(Suggestions.closest(to: word, among: ["family", "given", "sync"]) == expected)
  }
}
