import DesignSystem
import Testing

@Test(
  "numbers of bytes are read as people write them",
  arguments: [
    ("1048576", 1_048_576), ("500kB", 500_000), ("10MB", 10_000_000), ("1gb", 1_000_000_000), ("7B", 7), ("0", nil),
    ("-1", nil), ("1.5MB", nil), ("MB", nil), ("", nil), ("much", nil), ("99999999999999999999", nil),
    ("9999999999999GB", nil), ("١MB", nil),
  ] as [(String, Int?)])
func sizes(text: String, bytes: Int?) {
  #expect(SizeWords.bytes(text) == bytes)
}
