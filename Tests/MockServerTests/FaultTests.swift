import JSON
import MockServer
import Testing

@Suite struct FaultTests {
  @Test func `a fault waits, strikes as often as it says, and is then gone`() {
    let model = MockModel.standing()
    model.add(.status(503, method: "GET", path: "^/fhir/Patient", skip: 1, times: 2, headers: ["Retry-After": "20"]))
    let results = ["/Patient", "/Patient", "/Location", "/Patient/x", "/Patient"].map { model.send("GET", $0) }
    #expect(results.map(\.status) == [200, 503, 200, 503, 200])
    #expect(results[1].headers["Retry-After"] == "20" && outcomeCode(results[1]) == "transient")
  }

  @Test func `an answer afterwards hides a write that happened, an answer instead prevents it`() {
    let model = MockModel.standing()
    model.add(
      MockFault(method: "PUT", effect: .answerAfterwards(status: 500, headers: [:], body: "")),
      MockFault(method: "PUT", effect: .answer(status: 500, headers: [:], body: "")))
    let results = ["a", "b"].map { model.send("PUT", "/Patient/\($0)", [:], patient($0)).status }
    #expect(results == [500, 500] && model.log.map(\.id) == ["a"])
  }

  @Test func `control endpoints script faults, move the clock and tell the truth`() {
    let model = MockModel.standing()
    func control(_ method: String, _ path: String, _ body: String = "") -> MockResponse {
      model.handle(MockRequest(method, "/$mock/\(path)", body: Array(body.utf8)))
    }
    let faults =
      #"[{"path":"page","page":"expired"},{"path":"portal","page":"portal"},{"path":"slow","delay":70},{"path":"metadata","headers":{"X-A":"b"}},{"method":"GET","status":401,"body":{"resourceType":"OperationOutcome"}}]"#
    let done = control("POST", "faults", faults).status
    let answers = ["/page", "/portal", "/slow", "/metadata", "/Patient"].map { model.send("GET", $0) }
    #expect(done == 204 && answers.map(\.status) == [410, 200, 404, 200, 401])
    #expect(answers[1].headers["Content-Type"] == "text/html; charset=utf-8" && answers[2].delayMilliseconds == 70)
    #expect(answers[3].headers["X-A"] == "b" && answers[4].document?["resourceType"] == "OperationOutcome")

    let statuses = [
      control("POST", "faults", #"{"status":99}"#).status, control("POST", "faults", #"{"path":"(","delay":1}"#).status,
      control("POST", "faults", #"{"stauts":500}"#).status, control("POST", "faults", "x").status,
      control("POST", "clock", "{}").status, control("GET", "nothing").status, control("POST", "restore").status,
      control("POST", "profile", #"{"name":"no-history"}"#).status, control("DELETE", "faults").status,
    ]
    #expect(statuses == [400, 400, 400, 400, 400, 404, 404, 204, 204])

    #expect(control("POST", "clock", #"{"set":"2027-01-01T00:00:00Z"}"#).status == 200)
    #expect(control("POST", "clock", #"{"advance":-1.5}"#).document?["now"] == "2026-12-31T23:59:58.500Z")
    #expect(control("POST", "snapshot").status == 204)
    model.send("PUT", "/Patient/a", [:], patient("a"))
    #expect(control("POST", "restore").status == 204 && model.resource("Patient", "a") == nil)
    let log = String(decoding: control("GET", "log").body, as: UTF8.self)
    #expect(log.contains(#""id":"a""#) && log.hasSuffix("}\n"))
  }

  @Test func `capabilities are true to the profile`() {
    let claims = [MockProfile.standard, .serverIds].map { profile in
      let rest = MockModel.standing(profile).send("GET", "/metadata").document?["rest"]?[0]
      let patient = rest?["resource"]?.array?.first { $0["type"] == "Patient" }
      let interactions = (rest?["interaction"]?.array ?? []).compactMap { $0["code"]?.string }
      return "\(patient?["updateCreate"]?.bool == true) \(patient?["readHistory"]?.bool == true) \(interactions)"
    }
    #expect(claims == [#"true true ["batch", "transaction", "history-system"]"#, #"false true ["batch"]"#])
  }

  @Test func `metadata can be missing, a portal, or an empty searchset`() {
    let kinds = [MockProfile.Metadata.notFound, .html, .emptySearchset].map { metadata in
      var profile = MockProfile.standard
      profile.metadata = metadata
      let response = MockModel.standing(profile).send("GET", "/metadata")
      return "\(response.status) \(response.document?["resourceType"]?.string ?? "no document")"
    }
    #expect(kinds == ["404 OperationOutcome", "200 no document", "200 Bundle"])
  }
}
