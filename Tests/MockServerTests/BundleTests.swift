import JSON
import MockServer
import Testing

private func entry(
  _ method: JSONValue, _ url: JSONValue, _ resource: JSONValue? = nil, fullUrl: JSONValue? = nil,
  _ more: JSONObject = [:]
)
  -> JSONValue
{
  let request: JSONObject = ["method": method, "url": url]
  var entry: JSONValue = ["request": .object(JSONObject(request.members + more.members))]
  entry["fullUrl"] = fullUrl
  entry["resource"] = resource
  return entry
}

private func bundle(_ type: JSONValue, _ entries: JSONValue...) -> JSONValue {
  ["resourceType": "Bundle", "type": type, "entry": .array(entries)]
}

private func statuses(_ response: MockResponse) -> [String] {
  (response.document?["entry"]?.array ?? []).map { String($0["response"]?["status"]?.string?.prefix(3) ?? "") }
}

@Suite struct BundleTests {
  private static let visit: JSONValue = [
    "resourceType": "Observation", "status": "final", "code": ["text": "pulse"], "subject": ["reference": "urn:uuid:p"],
    "text": [
      "status": "generated",
      "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"urn:uuid:p\">urn:uuid:p</a></div>",
    ],
  ]

  @Test func `a transaction creates, rewrites references and answers in order`() throws {
    let model = MockModel.standing()
    model.load([patient("old")])
    let response = model.send(
      "POST", "", [:],
      bundle(
        "transaction", entry("GET", "Patient?family=New"), entry("POST", "Observation", Self.visit),
        entry("POST", "Patient", patient("x", "New"), fullUrl: "urn:uuid:p"), entry("DELETE", "Patient/old")))
    #expect(statuses(response) == ["200", "201", "201", "204"] && response.document?["type"] == "transaction-response")
    let id = try #require(model.resources("Patient").first?["id"]?.string)
    let stored = model.resources("Observation").first
    #expect(response.document?["entry"]?[0]?["resource"]?["total"] == 1)
    #expect(stored?["subject"]?["reference"] == .string("Patient/\(id)"))
    #expect(
      stored?["text"]?["div"]
        == .string("<div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"Patient/\(id)\">urn:uuid:p</a></div>"))
    #expect(Set(model.log.map(\.time)) == ["2026-11-30T08:00:00.000Z"])
  }

  @Test(
    "a transaction that fails in one entry leaves nothing behind",
    arguments: [
      (412, entry("PUT", "Patient/a", patient("a", "C"), fullUrl: nil, ["ifMatch": "W/\"9\""])),
      (400, entry("POST", "Condition", ["resourceType": "Condition", "subject": ["reference": "urn:uuid:nobody"]])),
      (422, entry("POST", "Condition", ["resourceType": "Condition", "code": ["text": "x"]])),
      (
        412, entry("POST", "Condition", ["resourceType": "Condition", "subject": ["reference": "Patient?family=none"]])
      ),
      (404, entry("GET", "Patient/none")), (400, entry("DELETE", "Patient/b")), (400, entry("BREW", "Patient")),
      (400, ["resource": patient("z")]), (405, entry("PATCH", "Patient/a", patient("a"))),
    ] as [(Int, JSONValue)])
  func rollback(status: Int, bad: JSONValue) {
    let model = MockModel.standing()
    model.load([patient("a"), patient("b")])
    let response = model.send(
      "POST", "", [:],
      bundle(
        "transaction", entry("POST", "Patient", patient("x")), entry("PUT", "Patient/c", patient("c")),
        entry("DELETE", "Patient/b"),
        bad))
    #expect(response.status == status && response.document?["resourceType"] == "OperationOutcome")
    #expect(model.resources("Patient").map { $0["id"] } == ["a", "b"] && model.log.isEmpty)
    #expect(model.ids("/_history").count == 2)
  }

  @Test func `conditions inside a transaction hold`() {
    let model = MockModel.standing()
    let mrn: JSONValue = ["resourceType": "Patient", "identifier": [["system": "urn:x", "value": "1"]]]
    model.send("POST", "/Patient", [:], mrn)
    let response = model.send(
      "POST", "", ["Prefer": "return=minimal"],
      bundle(
        "transaction", entry("POST", "Patient", mrn, fullUrl: "urn:uuid:p", ["ifNoneExist": "identifier=urn:x|1"]),
        entry(
          "POST", "Condition", ["resourceType": "Condition", "subject": ["reference": "Patient?identifier=urn:x|1"]]),
        entry("POST", "Observation", Self.visit)))
    let id = model.resources("Patient").compactMap { $0["id"]?.string }
    let references = ["Condition", "Observation"].map { model.resources($0).first?["subject"]?["reference"]?.string }
    #expect(statuses(response) == ["200", "201", "201"] && id.count == 1)
    #expect(references == ["Patient/\(id[0])", "Patient/\(id[0])"])
    #expect(response.document?["entry"]?[2]?["resource"] == nil)
  }

  @Test func `a batch goes on after a failed entry, and so does a transaction where there are none`() {
    let entries = [
      entry("PUT", "Patient/a", patient("a", "B"), fullUrl: nil, ["ifMatch": "W/\"9\""]),
      entry("POST", "Patient", patient("x")),
      entry("GET", "Patient/none"),
    ]
    let results = [("batch", MockProfile.standard), ("transaction", .serverIds)].map { type, profile in
      let model = MockModel.standing(profile)
      model.load([patient("a")])
      return statuses(
        model.send("POST", "", [:], ["resourceType": "Bundle", "type": .string(type), "entry": .array(entries)]))
    }
    #expect(results == [["412", "201", "404"], ["412", "201", "404"]])
  }
}
