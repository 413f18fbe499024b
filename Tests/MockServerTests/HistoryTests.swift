import JSON
import MockServer
import Testing

@Suite struct HistoryTests {
  private static func story() -> MockModel {
    let model = MockModel.standing()
    model.send("PUT", "/Patient/a", [:], patient("a"))
    model.send("PUT", "/Patient/b", [:], patient("b"))
    model.send("PUT", "/Patient/a", [:], patient("a", "B"))
    model.send("DELETE", "/Patient/b")
    model.send("PUT", "/Location/l", [:], ["resourceType": "Location", "id": "l"])
    return model
  }

  private static func lines(_ bundle: JSONValue?) -> [String] {
    (bundle?["entry"]?.array ?? []).map { entry in
      let parts = [
        entry["request"]?["method"], entry["request"]?["url"], entry["response"]?["status"], entry["response"]?["etag"],
        entry["resource"]?["meta"]?["versionId"],
      ]
      return parts.map { $0?.string ?? "-" }.joined(separator: " ")
    }
  }

  private static let all = [
    "PUT Location/l 201 W/\"1\" 1", "DELETE Patient/b 204 W/\"2\" -", "PUT Patient/a 200 W/\"2\" 2",
    "PUT Patient/b 201 W/\"1\" 1",
    "PUT Patient/a 201 W/\"1\" 1",
  ]

  @Test(
    "history is newest first, with deletions, from `_since` on",
    arguments: [
      ("/_history", all), ("/Patient/_history", Array(all[1...])), ("/Patient/a/_history", [all[2], all[4]]),
      ("/_history?_since=2026-11-30T08:00:03Z", Array(all[...1])),
      ("/_history?_since=2026-11-30T03:00:03-05:00", Array(all[...1])),
      ("/Patient/_history?_since=2027-01-01T00:00:00Z", []),
    ])
  func histories(target: String, expected: [String]) {
    #expect(Self.lines(Self.story().send("GET", target).document) == expected)
  }

  @Test func `history pages keep their moment and lose nothing`() {
    let model = Self.story()
    var bundle = model.send("GET", "/_history?_count=2").document
    var lines = Self.lines(bundle)
    while let next = model.nextTarget(bundle) {
      model.send("POST", "/Patient", [:], patient("x"))
      bundle = model.handle(MockRequest("GET", next)).document
      lines += Self.lines(bundle)
    }
    #expect(lines == Self.all)
  }

  @Test func `a server restored from a backup goes on from there, and the log remembers`() {
    let model = Self.story()
    model.snapshot("monday")
    model.send("PUT", "/Patient/a", [:], patient("a", "Lost"))
    model.send("PUT", "/Patient/c", [:], patient("c"))
    #expect(model.restore("monday") && !model.restore("tuesday"))
    #expect(Self.lines(model.send("GET", "/_history").document) == Self.all)
    #expect(model.send("PUT", "/Patient/a", [:], patient("a", "Again")).headers["ETag"] == "W/\"3\"")
    #expect(model.log.map(\.sequence) == Array(1...8))
  }
}
