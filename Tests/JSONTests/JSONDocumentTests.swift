import JSON
import Testing

@Test(
  "a compact document comes back byte for byte",
  arguments: [
    #"{"b":1.50,"a":1.2E+2,"c":-0.0,"d":12345678901234567890.10,"e":1e-7,"f":0}"#,
    #"{"a":1,"b":2,"a":3}"#, #"["\u0000\u001f\"\\\b\f\n\r\t/é😀"]"#, #"{"z":{"y":[{"x":[]},{}]}}"#, "[null,true,false]",
  ])
func roundTrip(text: String) throws {
  #expect(try JSONValue(parsing: text).text() == text)
}

@Test func `styles lay out and sort but keep every value`() throws {
  let value = try JSONValue(parsing: #"{"b":[1,{"é":2,"e":3,"Z":4}],"a":{},"c":[]}"#)
  #expect(value.text(.sorted) == #"{"a":{},"b":[1,{"Z":4,"e":3,"é":2}],"c":[]}"#)
  #expect(
    value.text(.pretty) == """
      {
        "b": [
          1,
          {
            "é": 2,
            "e": 3,
            "Z": 4
          }
        ],
        "a": {},
        "c": []
      }
      """)
}

@Test func `numbers are compared and converted by their spelling`() {
  #expect(JSONNumber("1.50") != JSONNumber("1.5"))
  #expect(["7", "-3", "1.0", "1e2", "99999999999999999999"].map { JSONNumber($0)?.int } == [7, -3, nil, nil, nil])
  #expect(["1.50", "-1.2E+2", "1e999"].map { JSONNumber($0)?.double } == [1.5, -120, nil])
  #expect(["", "1 ", " 1", "01", "1.", "١", "--1"].map { JSONNumber($0) } == Array(repeating: nil, count: 7))
  #expect(JSONNumber(.min).text == "-9223372036854775808")
}

@Test func `setting a member keeps its place, appends, or removes`() {
  var object: JSONObject = ["a": 1, "b": 2, "a": 3, "c": 4]
  #expect(object["a"] == 1)
  object["b"] = "x"
  object["a"] = 5
  object["d"] = .null
  object["c"] = nil
  #expect(object == ["a": 5, "b": "x", "d": .null])
  var value: JSONValue = ["name": ["family": "A"]]
  value["name"]?["family"] = "B"
  value["name"]?["given"] = ["C"]
  value["missing"]?["x"] = 1
  #expect(value == ["name": ["family": "B", "given": ["C"]]])
  var text: JSONValue = "no object"
  text["a"] = 1
  #expect(text == "no object")
}

@Test func `accessors answer only for their own kind`() {
  let value: JSONValue = ["s": "t", "b": true, "i": 4, "a": [1, 2], "n": .null]
  #expect(value["s"]?.string == "t" && value["s"]?.int == nil)
  #expect(value["b"]?.bool == true && value["i"]?.int == 4)
  #expect([value["a"]?[1], value["a"]?[2], value["a"]?[-1], value[0]] == [2, nil, nil, nil])
  #expect(value["n"]?.isNull == true && value["x"] == nil)
  #expect(value.object?.map(\.key) == ["s", "b", "i", "a", "n"])
}

@Test func `canonically equivalent spellings are different texts`() {
  let composed: JSONValue = "\u{e9}"
  #expect(composed != "e\u{301}")
  #expect(JSONObject([.init(key: "\u{e9}", value: 1)])["e\u{301}"] == nil)
}
