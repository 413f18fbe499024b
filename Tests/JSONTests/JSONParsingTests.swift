import JSON
import Testing

private func parse(_ text: String, depth: Int = 100) -> JSONValue? {
  try? JSONValue(parsing: text, limits: JSONLimits(depth: depth))
}

@Test(
  "valid documents give their value",
  arguments: [
    ("null", .null), (" true\n", true), ("\tfalse\r\n", false), ("0", 0), ("-12", -12), (#""""#, ""), ("[]", []),
    ("{}", [:]),
    ("[ 1 , [ ] , { } ]", [1, [], [:]]), (#"{"a":{"b":[null]}}"#, ["a": ["b": [.null]]]),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "A\u{e9}€"),
    (#""\uD83D\uDE00""#, "😀"),
    (#""a\u0000b""#, "a\0b"), (#""\u007f/""#, "\u{7f}/"), ("\"é\u{2028}😀\"", "é\u{2028}😀"),
    (#"{"":1,"a":2}"#, ["": 1, "a": 2]),
  ] as [(String, JSONValue)])
func valid(text: String, value: JSONValue) {
  #expect(parse(text) == value)
}

@Test(
  "what is not RFC 8259 is refused",
  arguments: [
    "", " ", "nul", "nulll", "True", "tru", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "}", "{]", #"{"a"}"#,
    #"{"a":}"#,
    #"{"a":1,}"#, #"{a:1}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, "{1:2}", "01", "-", "+1", "1.", ".5", "1e", "1e+", "-01",
    "0x1", "1.e2", "NaN",
    "Infinity", "-Infinity", "1 2", "\"", "\"a", #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\uD83D""#, #""\uDE00""#,
    #""\uD83Dx""#,
    #""\uD83D\u0041""#, #""\uDE00\uD83D""#, "\"\n\"", "\"\t\"", "\"\u{1}\"", "'a'", "\u{feff}1", "// c\n1", "1\0",
    "\u{a0}1",
  ])
func invalid(text: String) {
  #expect(parse(text) == nil)
}

@Test(
  "strings must be UTF-8",
  arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xC3]]
    as [[UInt8]])
func invalidUTF8(bytes: [UInt8]) {
  let plain = try? JSONValue(parsing: [0x22] + bytes + [0x22])
  let escaped = try? JSONValue(parsing: [0x22, 0x5C, 0x6E] + bytes + [0x22])
  #expect([plain, escaped] == [nil, nil])
}

@Test func `an error tells the place and not the content`() {
  #expect(throws: JSONError(message: "expected ',' or ']' in the array", offset: 15, line: 2, column: 5)) {
    try JSONValue(parsing: "[\"ééé\",\n  1 secret]")
  }
}

@Test func `nesting is limited`() {
  func nest(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
  let results = [
    parse(nest(100)) != nil, parse(nest(101)) != nil, parse(nest(500), depth: .max) != nil,
    parse(nest(501), depth: .max) != nil, parse(String(repeating: #"{"a":["#, count: 1_000_000)) != nil,
    parse("1", depth: 0) != nil, parse("[]", depth: -1) != nil,
  ]
  #expect(results == [true, false, true, false, false, true, false])
}

@Test func `mutated documents never crash and what is accepted survives a round trip`() throws {
  var generator = SplitMix64(state: 2024)
  let seed = Array(
    #"{"resourceType":"Patient","n":[-0.0,1.2E+2,1.50],"t":"\uD83D\uDE00 \u0000é","a":{"b":[true,false,null,{}]},"a":[]}"#
      .utf8)
  let alphabet = Array("{}[]\",:\\u0019eE+-.dDtfn \u{1}é".utf8)
  var accepted = 0
  for _ in 0..<20_000 {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)], at: place)
      default: bytes.removeSubrange(place...)
      }
      if bytes.isEmpty { bytes = seed }
    }
    guard let value = try? JSONValue(parsing: bytes) else { continue }
    accepted += 1
    guard try JSONValue(parsing: value.bytes()) == value, try JSONValue(parsing: value.bytes(.pretty)) == value else {
      Issue.record("lost something of \(String(decoding: bytes, as: UTF8.self))")
      return
    }
  }
  #expect(accepted > 1_000)
}

private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
