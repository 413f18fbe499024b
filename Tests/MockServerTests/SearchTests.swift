import JSON
import MockServer
import Testing

@Suite struct SearchTests {
  private static func clinic() throws -> MockModel {
    let model = MockModel.standing()
    let documents = [
      #"{"resourceType":"Patient","id":"p1","identifier":[{"system":"urn:mrn","value":"7"}],"name":[{"family":"Núñez","given":["Ana","María"]}],"birthDate":"1980","telecom":[{"system":"phone","value":"555"}],"gender":"female"}"#,
      #"{"resourceType":"Patient","id":"p2","identifier":[{"value":"7"}],"name":[{"family":"Nunes","given":["Rui"]}],"birthDate":"1980-06-15","telecom":[{"system":"email","value":"555"}],"gender":"male","active":true}"#,
      #"{"resourceType":"Practitioner","id":"d1","name":[{"family":"Who"}]}"#,
      #"{"resourceType":"Appointment","id":"a1","status":"booked","start":"2026-11-30T09:00:00+01:00","participant":[{"actor":{"reference":"Patient/p1"},"status":"accepted"},{"actor":{"reference":"Practitioner/d1"},"status":"accepted"}]}"#,
      #"{"resourceType":"Appointment","id":"a2","status":"cancelled","start":"2026-12-01T23:30:00-05:00","participant":[{"actor":{"reference":"http://127.0.0.1/fhir/Patient/p2"},"status":"declined"}]}"#,
      #"{"resourceType":"Observation","id":"o1","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},"subject":{"reference":"Patient/p1/_history/1"},"effectiveDateTime":"2026-11-29"}"#,
    ]
    model.load(try documents.map { try JSONValue(parsing: $0) })
    return model
  }

  @Test(
    "searches find what their parameters mean",
    arguments: [
      ("/Patient?identifier=urn:mrn|7", ["p1"]), ("/Patient?identifier=%7C7", ["p2"]),
      ("/Patient?identifier=7", ["p1", "p2"]),
      ("/Patient?identifier=urn:mrn|", ["p1"]), ("/Patient?name=nune", ["p1", "p2"]),
      ("/Patient?family:exact=Nunes", ["p2"]),
      ("/Patient?given=mar", ["p1"]), ("/Patient?name:contains=UI", ["p2"]), ("/Patient?birthdate=1980", ["p1", "p2"]),
      ("/Patient?birthdate=1980-06-15", ["p2"]), ("/Patient?birthdate=lt1980-06", ["p1"]),
      ("/Patient?birthdate=ge1981", []),
      ("/Patient?phone=555", ["p1"]), ("/Patient?telecom=555", ["p1", "p2"]), ("/Patient?gender=male,other", ["p2"]),
      ("/Patient?gender:not=male", ["p1"]), ("/Patient?active:missing=true", ["p1"]), ("/Patient?_id=p2,p9", ["p2"]),
      ("/Patient?_sort=-_id", ["p2", "p1"]), ("/Patient?_sort=family", ["p2", "p1"]),
      ("/Appointment?patient=p1", ["a1"]),
      ("/Appointment?patient=Patient/p2", ["a2"]), ("/Appointment?patient=d1", []),
      ("/Appointment?actor=Practitioner/d1", ["a1"]),
      ("/Appointment?practitioner=d1&status=booked", ["a1"]), ("/Appointment?date=2026-11-30", ["a1"]),
      ("/Appointment?date=ge2026-11-30T08:00:00Z&date=lt2026-11-30T08:00:01Z", ["a1"]),
      ("/Appointment?date=2026-12-02", ["a2"]),
      ("/Appointment?date=gt2026-12-02T04:30:00Z", []),
      ("/Observation?code=http://loinc.org|8867-4&subject=Patient/p1", ["o1"]),
      ("/Observation?patient=p1&date=le2026-11-29", ["o1"]), ("/Observation?subject:Group=p1", []),
      ("/Appointment?_id=a1&_include=Appointment:patient&_include=Appointment:practitioner", ["a1", "p1", "d1"]),
      ("/Appointment?patient.family=nunez", ["a1"]), ("/Appointment?actor.name=who", ["a1"]),
      ("/Observation?subject:Patient.identifier=urn:mrn|7&status=final", ["o1"]), ("/Observation?patient.name=x", []),
      ("/Patient?_id=p1&_revinclude=Observation:subject", ["p1", "o1"]),
    ])
  func finds(target: String, ids: [String]) throws {
    #expect(try Self.clinic().ids(target) == ids)
  }

  @Test(
    "_lastUpdated compares at the precision it is written with",
    arguments: [
      ("gt2026-11-30T08:00:01Z", ["c"]), ("ge2026-11-30T08:00:01Z", ["b", "c"]),
      ("gt2026-11-30T08:00:01.499Z", ["b", "c"]),
      ("lt2026-11-30T08:00:01.500Z", ["a"]), ("le2026-11-30T08:00:01.500Z", ["a", "b"]),
      ("ge2026-11-30T09:00:01%2B01:00", ["b", "c"]),
      ("2026-11-30", ["a", "b", "c"]), ("gt2026-11-30", []),
    ])
  func lastUpdated(value: String, ids: [String]) {
    let model = MockModel(clock: MockClock("2026-11-30T08:00:00Z", stepMilliseconds: 1500) ?? MockClock())
    for id in ["a", "b", "c"] { model.send("PUT", "/Patient/\(id)", [:], patient(id)) }
    #expect(model.ids("/Patient?_lastUpdated=\(value)&_sort=_lastUpdated") == ids)
  }

  @Test func `summaries and elements give less, and say so`() throws {
    let model = try Self.clinic()
    let count = model.send("GET", "/Patient?_summary=count").document
    #expect(count?["total"] == 2 && count?["entry"] == nil)
    let part = model.send("GET", "/Patient?_id=p1&_elements=gender").document?["entry"]?[0]?["resource"]
    #expect(part?.object?.map(\.key) == ["resourceType", "id", "meta", "gender"])
    #expect(part?["meta"]?["tag"]?[0]?["code"] == "SUBSETTED")
  }

  @Test func `a search by POST takes its parameters from the form`() throws {
    let response = try Self.clinic().handle(
      MockRequest(
        "POST", "/fhir/Patient/_search", headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array("name=n%C3%BA%C3%B1ez&_count=1".utf8)))
    let link = response.document?["link"]?[0]?["url"]
    #expect(link == "http://127.0.0.1/fhir/Patient?name=n%C3%BA%C3%B1ez&_count=1" && response.document?["total"] == 1)
  }

  @Test
  func
    `a server that sorts nothing lists what was made first, says that it did not sort, and refuses it where asked to be strict`()
  {
    var profile = MockProfile.standard
    profile.honoursSort = false
    let model = MockModel.standing(profile)
    for id in ["b", "a", "b"] { model.send("PUT", "/Patient/\(id)", [:], patient(id)) }
    let page = model.send("GET", "/Patient?_sort=_lastUpdated&_count=9").document
    #expect((page?["entry"]?.array ?? []).compactMap { $0["resource"]?["id"]?.string } == ["b", "a"])
    #expect(page?["link"]?[0]?["url"]?.string?.hasSuffix("/Patient?_count=9") == true)
    #expect(model.send("GET", "/Patient?_sort=_id", ["Prefer": "handling=strict"]).status == 400)
  }

  @Test func `pages shift under change, unless they are stable`() {
    let seen = [false, true].map { isStable in
      var profile = MockProfile.standard
      profile.stablePages = isStable
      let model = MockModel.standing(profile)
      for id in ["a", "b", "c", "d"] { model.send("PUT", "/Patient/\(id)", [:], patient(id)) }
      let first = model.send("GET", "/Patient?_count=2&_sort=_lastUpdated").document
      model.send("PUT", "/Patient/a", [:], patient("a", "B"))
      let second = model.handle(MockRequest("GET", model.nextTarget(first) ?? "")).document
      return (second?["entry"]?.array ?? []).compactMap { $0["resource"]?["id"]?.string }
    }
    #expect(seen == [["d", "a"], ["c", "d"]])
  }

  @Test func `a page link expires after its uses, and after a restore`() {
    var profile = MockProfile.standard
    profile.pagesExpireAfter = 2
    let model = MockModel.standing(profile)
    model.load([patient("a"), patient("b")])
    model.snapshot()
    let next = model.nextTarget(model.send("GET", "/Patient?_count=1").document) ?? ""
    let uses = (1...3).map { _ in model.handle(MockRequest("GET", next)).status }
    let other = model.nextTarget(model.send("GET", "/Patient?_count=1").document) ?? ""
    #expect(model.restore())
    #expect(uses + [model.handle(MockRequest("GET", other)).status] == [200, 200, 410, 410])
  }

  @Test func `search sees a write only after its lag, and reads see it at once`() {
    var profile = MockProfile.standard
    profile.searchLagSeconds = 10
    let model = MockModel.standing(profile)
    model.send("PUT", "/Patient/a", [:], patient("a", "Old"))
    model.advanceClock(seconds: 10)
    model.send("PUT", "/Patient/a", [:], patient("a", "New"))
    var seen = [model.ids("/Patient?family=new"), model.ids("/Patient?family=old")]
    model.advanceClock(seconds: 10)
    seen.append(model.ids("/Patient?family=new"))
    #expect(seen == [[], ["a"], ["a"]])
    #expect(model.resource("Patient", "a")?["name"]?[0]?["family"] == "New")
  }

  @Test func `links can be relative and pages are capped`() {
    let model = MockModel.standing(.poor)
    model.load((0..<5).map { patient("p\($0)") })
    model.profile.largestPage = 2
    let first = model.send("GET", "/Patient?_count=100").document
    #expect(first?["link"]?[0]?["url"] == "/fhir/Patient?_count=100" && first?["entry"]?.array?.count == 2)
    #expect(model.ids("/Patient?_count=100") == ["p0", "p1", "p2", "p3", "p4"])
  }
}
