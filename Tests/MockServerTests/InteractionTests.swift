import JSON
import MockServer
import Testing

/// One request of a story and the status it must get.
private struct Step: Sendable, CustomTestStringConvertible {
  var method: String
  var target: String
  var headers: [String: String]
  var body: JSONValue?
  var status: Int

  init(_ status: Int, _ method: String, _ target: String, _ headers: [String: String] = [:], _ body: JSONValue? = nil) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.status = status
  }

  var testDescription: String { "\(method) \(target)" }
}

private func statuses(_ steps: [Step], _ profile: MockProfile = .standard) -> [Int] {
  let model = MockModel.standing(profile)
  return steps.map { model.send($0.method, $0.target, $0.headers, $0.body).status }
}

private let mrn: JSONValue = ["resourceType": "Patient", "identifier": [["system": "urn:x", "value": "1"]]]

@Suite struct InteractionTests {
  private static let stories: [[Step]] = [
    // The life of a resource with a client's id.
    [
      Step(404, "GET", "/Patient/a"), Step(201, "PUT", "/Patient/a", [:], patient("a")), Step(200, "GET", "/Patient/a"),
      Step(304, "GET", "/Patient/a", ["If-None-Match": "W/\"1\""]),
      Step(200, "GET", "/Patient/a", ["If-None-Match": "W/\"2\""]),
      Step(200, "PUT", "/Patient/a", ["If-Match": "W/\"1\""], patient("a", "B")),
      Step(412, "PUT", "/Patient/a", ["If-Match": "W/\"1\""], patient("a", "C")),
      Step(412, "PUT", "/Patient/a", ["If-Match": "\"2\""], patient("a", "C")),
      Step(400, "PUT", "/Patient/a", ["If-Match": "2"], patient("a", "C")),
      Step(412, "DELETE", "/Patient/a", ["If-Match": "W/\"1\""]), Step(200, "GET", "/Patient/a/_history/1"),
      Step(204, "DELETE", "/Patient/a", ["If-Match": "W/\"2\""]), Step(410, "GET", "/Patient/a"),
      Step(410, "GET", "/Patient/a/_history/3"), Step(404, "GET", "/Patient/a/_history/9"),
      Step(204, "DELETE", "/Patient/a"),
      Step(412, "PUT", "/Patient/a", ["If-Match": "W/\"3\""], patient("a")),
      Step(201, "PUT", "/Patient/a", [:], patient("a")),
      Step(200, "HEAD", "/Patient/a"), Step(412, "PUT", "/Patient/never", ["If-Match": "W/\"1\""], patient("never")),
    ],
    // Conditional writes.
    [
      Step(201, "POST", "/Patient", ["If-None-Exist": "identifier=urn:x|1"], mrn),
      Step(200, "POST", "/Patient", ["If-None-Exist": "identifier=urn%3Ax%7C1"], mrn),
      Step(201, "POST", "/Patient", [:], mrn),
      Step(412, "POST", "/Patient", ["If-None-Exist": "identifier=urn:x|1"], mrn),
      Step(412, "PUT", "/Patient?identifier=urn:x|1", [:], mrn),
      Step(201, "PUT", "/Patient?identifier=urn:x|2", [:], mrn),
      Step(400, "POST", "/Patient", ["If-None-Exist": "nonsense=1"], mrn),
      Step(412, "DELETE", "/Patient?identifier=urn:x|1"), Step(204, "DELETE", "/Patient?identifier=urn:x|3"),
    ],
    // What is refused.
    [
      Step(404, "GET", "/Nothing/1"), Step(400, "PUT", "/Patient/a", [:], patient("b")),
      Step(400, "PUT", "/Patient/a", [:], mrn),
      Step(400, "PUT", "/Patient/a_b", [:], patient("a_b")), Step(400, "POST", "/Observation", [:], mrn),
      Step(400, "POST", "/Patient", [:], ["resourceType": "Patient", "name": []]),
      Step(400, "POST", "/Patient", [:], ["resourceType": "Patient", "active": .null]),
      Step(422, "POST", "/Observation", [:], ["resourceType": "Observation", "status": "final"]),
      Step(422, "POST", "/Patient", [:], ["resourceType": "Patient", "gender": "F"]),
      Step(422, "POST", "/Patient", [:], ["resourceType": "Patient", "birthDate": "1980-02-30"]),
      Step(400, "POST", "/Patient"),
      Step(415, "POST", "/Patient", ["Content-Type": "text/plain"], mrn),
      Step(406, "GET", "/Patient", ["Accept": "text/html"]),
      Step(405, "PATCH", "/Patient/a"), Step(405, "DELETE", "/Patient"), Step(400, "GET", "/Patient?_count=x"),
      Step(400, "GET", "/Patient?birthdate=soon"), Step(200, "GET", "/Patient?shoe-size=7"),
      Step(400, "GET", "/Patient?shoe-size=7", ["Prefer": "handling=strict"]), Step(400, "GET", ""),
      Step(400, "POST", "", [:], mrn),
      Step(404, "GET", "/Patient/a/_history"), Step(404, "GET", "/$everything"),
    ],
  ]

  @Test("interactions are answered with the status codes of the standard", arguments: stories)
  private func statusCodes(story: [Step]) {
    #expect(statuses(story) == story.map(\.status))
  }

  private static let createAndUpdate = [
    Step(0, "PUT", "/Patient/p1", [:], patient("p1")), Step(0, "PUT", "/Patient/77", [:], patient("77")),
    Step(0, "POST", "/Patient", ["If-None-Exist": "identifier=urn:x|1"], mrn),
    Step(0, "POST", "/Patient", ["If-None-Exist": "identifier=urn:x|1"], mrn),
    Step(0, "PUT", "/Patient/p1", ["If-Match": "W/\"99\""], patient("p1", "B")), Step(0, "GET", "/_history"),
    Step(0, "DELETE", "/Patient/p1"), Step(0, "GET", "/Patient/p1"), Step(0, "GET", "/metadata"),
    Step(0, "POST", "", [:], ["resourceType": "Bundle", "type": "batch"]),
  ]

  @Test(
    "profiles answer as their kind of server does",
    arguments: [
      (MockProfile.standard, [201, 201, 201, 200, 412, 200, 204, 410, 200, 200]),
      (.serverIds, [404, 404, 201, 200, 412, 404, 204, 404, 200, 200]),
      (.hapiLike, [201, 400, 201, 200, 412, 200, 204, 410, 200, 200]),
      (.noHistory, [201, 201, 201, 200, 412, 404, 204, 404, 200, 200]),
      (.poor, [201, 201, 201, 201, 200, 404, 204, 404, 404, 405]),
    ])
  func profiles(profile: MockProfile, expected: [Int]) {
    #expect(statuses(Self.createAndUpdate, profile) == expected)
  }

  @Test func `a strict server refuses elements that a type does not have, and knows choices and extensions`() {
    let steps = [
      Step(400, "POST", "/Patient", [:], ["resourceType": "Patient", "notAnElement": true]),
      Step(
        201, "POST", "/Patient", [:], ["resourceType": "Patient", "_birthDate": ["id": "x"], "multipleBirthInteger": 2]),
      Step(201, "POST", "/Basic", [:], ["resourceType": "Basic", "other": true]),
    ]
    #expect(statuses(steps, .strict) == steps.map(\.status))
  }

  @Test func `requiring If-Match refuses an update without it, and not a create`() {
    var profile = MockProfile.standard
    profile.requiresIfMatch = true
    let steps = [
      Step(201, "PUT", "/Patient/a", [:], patient("a")), Step(400, "PUT", "/Patient/a", [:], patient("a")),
      Step(200, "PUT", "/Patient/a", ["If-Match": "W/\"1\""], patient("a")), Step(400, "DELETE", "/Patient/a"),
    ]
    #expect(statuses(steps, profile) == steps.map(\.status))
  }

  @Test func `a document is kept as sent but for id, version and time`() {
    let model = MockModel.standing()
    let sent =
      #"{"resourceType":"Patient","id":"a","meta":{"tag":[{"code":"t"}],"versionId":"77"},"_birthDate":{"id":"x"},"x":[1.50,1.2E+2,-0.0],"n":"a\u0000b"}"#
    let response = model.handle(
      MockRequest("PUT", "/fhir/Patient/a", headers: ["content-type": "application/json"], body: Array(sent.utf8)))
    let kept =
      #"{"resourceType":"Patient","id":"a","meta":{"versionId":"1","lastUpdated":"2026-11-30T08:00:00.000Z","tag":[{"code":"t"}]},"_birthDate":{"id":"x"},"x":[1.50,1.2E+2,-0.0],"n":"a\u0000b"}"#
    #expect(String(decoding: response.body, as: UTF8.self) == kept)
    #expect(
      response.headers == [
        "ETag": "W/\"1\"", "Last-Modified": "Mon, 30 Nov 2026 08:00:00 GMT", "Date": "Mon, 30 Nov 2026 08:00:01 GMT",
        "Location": "http://127.0.0.1/fhir/Patient/a/_history/1",
        "Content-Type": "application/fhir+json; charset=utf-8",
      ])
    #expect(model.send("GET", "/Patient/a").body == response.body)
  }

  @Test func `preferences decide the body of a write`() {
    let model = MockModel.standing()
    let kinds = ["return=minimal", "return=representation", "return=OperationOutcome"].map {
      model.send("PUT", "/Patient/a", ["Prefer": $0], patient("a")).document?["resourceType"]?.string
    }
    #expect(kinds == [nil, "Patient", "OperationOutcome"])
  }

  @Test func `a create ignores the client's id, and may get an identifier from the server`() {
    var profile = MockProfile.standard
    profile.addsIdentifier = true
    let model = MockModel.standing(profile)
    let created = model.send("POST", "/Patient", [:], patient("mine")).document
    #expect(created?["id"] != "mine" && created?["id"] != nil)
    #expect(created?["identifier"]?[0]?["system"] == "urn:mock:number")
  }

  @Test func `an update that changes nothing keeps its version where the server does so`() {
    let tags = [MockProfile.standard, .hapiLike].map { profile in
      let model = MockModel.standing(profile)
      model.send("PUT", "/Patient/a", [:], patient("a"))
      return model.send("PUT", "/Patient/a", [:], patient("a")).headers["ETag"]
    }
    #expect(tags == ["W/\"2\"", "W/\"1\""])
  }

  @Test func `a guarded server refuses to delete what is referred to`() {
    let model = MockModel.standing(.hapiLike)
    model.load([patient("a"), ["resourceType": "Condition", "id": "c", "subject": ["reference": "Patient/a"]]])
    let results = ["/Patient/a", "/Condition/c", "/Patient/a"].map { model.send("DELETE", $0).status }
    #expect(results == [409, 204, 204])
  }

  @Test func `absolute references are the server's when it answers so`() {
    var profile = MockProfile.standard
    profile.absoluteReferences = true
    let model = MockModel.standing(profile)
    model.load([["resourceType": "Condition", "id": "c", "subject": ["reference": "Patient/a"]]])
    let read = model.send("GET", "/Condition/c", ["Host": "127.0.0.1:99"]).document
    #expect(read?["subject"]?["reference"] == "http://127.0.0.1:99/fhir/Patient/a")
  }

  @Test func `the truth log tells what was applied and nothing else`() {
    let model = MockModel.standing()
    model.send("PUT", "/Patient/a", ["X-Request-Id": "r1", "Authorization": "secret"], patient("a"))
    model.send("PUT", "/Patient/a", ["If-Match": "W/\"9\""], patient("a"))
    model.send("DELETE", "/Patient/a")
    model.send("DELETE", "/Patient/a")
    let told = model.log.map {
      "\($0.sequence) \($0.method) \($0.type)/\($0.id) \($0.versionId) \($0.time) \($0.headers)"
    }
    #expect(
      told == [
        #"1 PUT Patient/a 1 2026-11-30T08:00:00.000Z ["x-request-id": "r1"]"#,
        "2 DELETE Patient/a 2 2026-11-30T08:00:01.000Z [:]",
      ])
    #expect(model.exchanges.map(\.status) == [201, 412, 204, 204])
  }
}
