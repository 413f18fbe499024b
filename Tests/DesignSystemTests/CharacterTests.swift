import DesignSystem
import Testing

@Suite("Characters as a terminal shows them")
struct CharacterTests {
  @Test(
    "display width",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("山田", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍⚕️", 2), ("🇪🇸", 2), ("❤️", 2), ("❤", 1), ("😀", 2), ("—", 1), ("נִ", 1),
      ("a\u{200D}b", 2), ("\u{20000}", 2), ("〿", 1), ("…", 1),
    ] as [(String, Int)])
  func width(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(
    "what a terminal would act on is shown",
    arguments: [
      ("plain — ünï", "plain — ünï"), ("before\u{0}after", "before␀after"), ("\u{1B}[2J", "␛[2J"), ("\u{7F}", "␡"),
      ("\u{9B}31m", "⟨U+009B⟩31m"), ("\u{202E}x\u{2066}\u{200F}", "⟨U+202E⟩x⟨U+2066⟩⟨U+200F⟩"), ("a\tb", "a b"),
      ("a\r\nb\nc\rd", "a b c d"), ("\u{FEFF}x", "⟨U+FEFF⟩x"), ("a\u{2028}b", "a b"), ("\u{301}x", "◌\u{301}x"),
      ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"), ("\u{E0041}", "⟨U+E0041⟩"), ("\u{AD}", "⟨U+00AD⟩"),
      ("a\r\r\nb", "a  b"),
    ] as [(String, String)])
  func visible(text: String, shown: String) {
    #expect(VisibleText.flat(text) == shown)
  }

  @Test("line feeds divide lines, a lone carriage return is shown")
  func lines() {
    #expect(VisibleText.lines("a\r\nb\n\nc\rd\te\r") == ["a", "b", "", "c␍d e␍"])
  }
}
