import JSON
import MockServer
import Testing

private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15
  }
}

private func mutate(_ text: String, _ dice: inout Dice) -> String {
  var bytes = Array(text.utf8)
  let alphabet = Array("/?&=%+:|,.-_$\"\\{}[]0123456789TZWzéA\u{1}".utf8)
  for _ in 0..<Int.random(in: 0...3, using: &dice) where !bytes.isEmpty {
    let place = Int.random(in: 0..<bytes.count, using: &dice)
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &dice)]
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &dice)], at: place)
    default: bytes.insert(contentsOf: repeatElement(0x39, count: 24), at: place)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

@Test(
  "no request makes the model fail: every answer has a status, and errors an OperationOutcome",
  arguments: [1, 2, 3] as [UInt64])
func fuzz(seed: UInt64) {
  var dice = Dice(state: seed)
  let targets = [
    "/fhir/Patient/a", "/fhir/Patient?_lastUpdated=ge2026-11-30T08:00:00.5+01:00&_count=2&_sort=-birthdate", "/fhir",
    "/fhir/_history?_since=2026-11-30",
    "/fhir/Patient/a/_history/1", "/fhir/Appointment?patient.family=x&_include=Appointment:patient", "/$mock/clock",
    "/$mock/faults",
    "/fhir/Patient?identifier=urn:x|1,2&name:contains=a", "/fhir?_page=00", "/fhir/Patient/_search", "/fhir/metadata",
  ]
  let bodies = [
    patient("a").text(), "", #"{"advance":1e11}"#, #"[{"status":503,"times":1,"path":"x"}]"#,
    #"{"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":"urn:uuid:1","resource":{"resourceType":"Patient","id":"a","link":[{"other":{"reference":"urn:uuid:1"}}]},"request":{"method":"PUT","url":"Patient/a","ifMatch":"W/\"1\""}},{"request":{"method":"GET","url":"Patient?name=a"}}]}"#,
  ]
  let methods = ["GET", "PUT", "POST", "DELETE", "HEAD", "PATCH", "OPTIONS"]
  let headers = [
    "If-Match": "W/\"1\"", "If-None-Exist": "identifier=urn:x|1", "Prefer": "return=minimal", "Host": "127.0.0.1:1",
  ]
  let model = MockModel.standing(MockProfile.presets[Int(seed) % MockProfile.presets.count])
  var wrong: [String] = []
  var kinds: Set<Int> = []
  for _ in 0..<1000 {
    let target = mutate(targets[Int.random(in: 0..<targets.count, using: &dice)], &dice)
    let body = mutate(bodies[Int.random(in: 0..<bodies.count, using: &dice)], &dice)
    let method = methods[Int.random(in: 0..<methods.count, using: &dice)]
    let header = headers.sorted { $0.key < $1.key }[Int.random(in: 0..<headers.count, using: &dice)]
    let request = MockRequest(
      method, target, headers: [header.key: mutate(header.value, &dice)], body: Array(body.utf8))
    let response = model.handle(request)
    kinds.insert(response.status)
    let isFine = response.status < 400 || method == "HEAD" || response.body.isEmpty || outcomeCode(response) != nil
    if !(200..<600).contains(response.status) || !isFine { wrong.append("\(method) \(target)") }
  }
  #expect(wrong.isEmpty && kinds.count > 5)
}
