import Domain
import JSON
import Testing

@testable import Data

@Suite("Documents, models and projections")
struct ResourceRoundTripTests {
  @Test(
    "The projection of every sample record is the record's known elements, exactly as written",
    .enabled(if: SampleRecords.folder != nil, "the sample records are not on this machine"))
  func roundTripsSamples() throws {
    let types: Set<String> = [
      "Patient", "Practitioner", "Location", "Appointment", "Observation", "Encounter", "Condition",
      "AllergyIntolerance", "MedicationRequest", "Immunization", "DocumentReference",
    ]
    let documents = try SampleRecords.resources(ofTypes: types)
    var problems: [String] = []
    var seen: Set<String> = []
    for document in documents {
      let type = document["resourceType"]?.string ?? ""
      seen.insert(type)
      var warnings: [String] = []
      guard let projection = project(document, &warnings), let known = KnownElements.restrict(document, to: type) else {
        // Resources of a transaction may come without an id.
        if document["id"] != nil { problems.append("\(type): not read") }
        continue
      }
      var comparable = projection
      comparable["_birthDate"] = nil
      if comparable.text(.sorted) != known.text(.sorted) {
        problems.append("\(known.text(.sorted))\n\(comparable.text(.sorted))")
      }
      problems += warnings.map { "\(type)/\(document["id"]?.string ?? ""): \($0)" }
      if try JSONValue(parsing: projection.bytes()) != projection { problems.append("not valid: \(projection.text())") }
    }
    #expect(problems.prefix(5) == [])
    #expect(seen == types && documents.count > 100, "\(documents.count) records")
  }

  @Test(
    "An edit of one element of a sample record leaves everything else of it alone",
    .enabled(if: SampleRecords.folder != nil, "the sample records are not on this machine"))
  func editsSamples() throws {
    var problems: [String] = []
    for document in try SampleRecords.resources(ofTypes: ["Patient"]) {
      var warnings: [String] = []
      guard let before = ResourceDecoder.patient(document, warnings: &warnings) else { continue }
      var after = before
      after.gender = .known(.other)
      after.name = after.name.map { name in
        var name = name
        name.family = "Edited"
        return name
      }
      var expected = document
      expected["gender"] = "other"
      if var names = document["name"]?.array {
        for index in names.indices { names[index]["family"] = "Edited" }
        expected["name"] = .array(names)
      }
      let edited = ResourceEdit.document(document, from: before, to: after)
      if edited.text(.sorted) != expected.text(.sorted) { problems.append(edited.text()) }
    }
    #expect(problems.prefix(2) == [])
  }

  @Test("A record with every kind of element comes back as it was", arguments: everything)
  func roundTripsEverything(text: String) throws {
    let document = try JSONValue(parsing: text)
    var warnings: [String] = []
    let projection = project(document, &warnings)
    #expect(projection?.text(.sorted) == document.text(.sorted))
    #expect(warnings == [])
  }

  @Test("What has the wrong form becomes a warning that names the place, and the rest is read")
  func tolerates() throws {
    let document = try JSONValue(
      parsing: """
        {"resourceType":"Patient","id":"p-1","active":"yes","name":[7,{"family":["x"],"given":["Lio",null,3]}],
         "gender":"robot","birthDate":"1974-13-01","telecom":{"value":"1"},"favouriteColour":"blue",
         "link":[{"other":{"reference":"Patient/p-2"}}],"modifierExtension":[{"url":"urn:x"}],"photo":[]}
        """)
    var warnings: [String] = []
    let patient = ResourceDecoder.patient(document, warnings: &warnings)
    #expect(patient == Patient(id: "p-1", name: [HumanName(given: ["Lio"])], gender: .unknown("robot")))
    #expect(
      warnings == [
        "Patient: has an element that R4 does not define",
        "Patient.modifierExtension: changes the meaning in a way that is not understood here",
        "Patient.active: expected true or false", "Patient.name[0]: expected an object",
        "Patient.name[1].family: expected a text", "Patient.name[1].given[2]: expected a text",
        "Patient.telecom: expected a list", "Patient.birthDate: is no FHIR date",
        "Patient.link[0].type: a link without a type is left out",
      ])
  }

  @Test(
    "A document of another type or without an id is no model",
    arguments: [
      #"{"resourceType":"Patient"}"#, #"{"resourceType":"Patient","id":""}"#, #"{"resourceType":"Person","id":"1"}"#,
      #"{"id":"1"}"#, "[]", "7",
    ])
  func refusesOthers(text: String) throws {
    var warnings: [String] = []
    #expect(ResourceDecoder.patient(try JSONValue(parsing: text), warnings: &warnings) == nil)
    #expect(warnings.count == 1)
  }

  @Test("A withheld birth date keeps its reason, and giving one takes the reason away only")
  func withheldBirthDate() throws {
    let reason = #"{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"masked"}"#
    let other = #"{"url":"urn:test:source","valueString":"card"}"#
    let document = try JSONValue(
      parsing: #"{"resourceType":"Patient","id":"p-03","_birthDate":{"extension":[\#(reason),\#(other)]}}"#)
    var warnings: [String] = []
    let patient = try #require(ResourceDecoder.patient(document, warnings: &warnings))
    #expect(patient.birthDate == .absent(.known(.masked)))
    var edited = patient
    edited.telecom = [ContactPoint(system: .known(.phone), value: "1")]
    #expect(ResourceEdit.document(document, from: patient, to: edited)["_birthDate"] == document["_birthDate"])
    edited.birthDate = .value(try #require(PartialDate("1974")))
    let given = ResourceEdit.document(document, from: patient, to: edited)
    #expect(given["birthDate"] == "1974")
    #expect(given["_birthDate"] == (try JSONValue(parsing: #"{"extension":[\#(other)]}"#)))
  }

  @Test(
    "An edit goes into the right list item and leaves what is not understood",
    arguments: [
      // The second of two names without a use: its own extension stays, as does the first name.
      (
        #"{"name":[{"family":"A","id":"n1"},{"family":"B","_family":{"id":"x"},"given":["C"]}]}"#,
        #"{"name":[{"family":"A","id":"n1"},{"family":"Z","_family":{"id":"x"},"given":["C"]}]}"#
      ),
      // An item that is not understood keeps its place.
      (#"{"name":[5,{"family":"B","id":"n2"}]}"#, #"{"name":[5,{"family":"Z","id":"n2"}]}"#),
      // A list that pads its extensions with null keeps both.
      (
        #"{"name":[{"given":["C",null],"_given":[null,{"id":"g"}],"family":"B"}]}"#,
        #"{"name":[{"given":["C",null],"_given":[null,{"id":"g"}],"family":"Z"}]}"#
      ),
      // A reason why there is no family name goes when there is one.
      (
        #"{"name":[{"given":["C"],"_family":{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]}}]}"#,
        #"{"name":[{"given":["C"],"family":"Z"}]}"#
      ),
    ])
  func editsLists(before: String, after: String) throws {
    func whole(_ text: String) throws -> JSONValue {
      var document = try JSONValue(parsing: text)
      document["resourceType"] = "Patient"
      document["id"] = "p-1"
      return document
    }
    var warnings: [String] = []
    let document = try whole(before)
    let patient = try #require(ResourceDecoder.patient(document, warnings: &warnings))
    var edited = patient
    edited.name[edited.name.count - 1].family = "Z"
    #expect(
      ResourceEdit.document(document, from: patient, to: edited).text(.sorted) == (try whole(after)).text(.sorted))
  }

  @Test("List items can be added, removed and put in another order without losing what they hold")
  func editsWholeLists() throws {
    let document = try JSONValue(
      parsing: """
        {"resourceType":"Patient","id":"p-1","telecom":[{"id":"a","system":"phone","value":"1"},
         {"id":"b","system":"email","value":"2"},{"id":"c","system":"phone","use":"work","value":"3"}]}
        """)
    var warnings: [String] = []
    let patient = try #require(ResourceDecoder.patient(document, warnings: &warnings))
    var edited = patient
    edited.telecom = [patient.telecom[2], patient.telecom[0], ContactPoint(value: "4")]
    edited.telecom[1].value = "9"
    #expect(
      ResourceEdit.document(document, from: patient, to: edited)["telecom"]
        == (try JSONValue(
          parsing: """
            [{"id":"c","system":"phone","use":"work","value":"3"},{"id":"a","system":"phone","value":"9"},{"value":"4"}]
            """)))
  }

  @Test("A result in another form takes the place of the old one, known or not")
  func displacesChoices() throws {
    let document = try JSONValue(
      parsing: #"{"resourceType":"Observation","id":"o-1","code":{"text":"x"},"valueRatio":{"numerator":{"value":1}}}"#)
    var warnings: [String] = []
    let observation = try #require(ResourceDecoder.observation(document, warnings: &warnings))
    var edited = observation
    edited.value = .string("two")
    #expect([observation.value, edited.value] == [.other("valueRatio"), .string("two")])
    let expected = #"{"resourceType":"Observation","id":"o-1","code":{"text":"x"},"valueString":"two"}"#
    #expect(ResourceEdit.document(document, from: observation, to: edited).text() == expected)
  }

  private func project(_ document: JSONValue, _ warnings: inout [String]) -> JSONValue? {
    switch document["resourceType"]?.string {
    case "Patient": ResourceDecoder.patient(document, warnings: &warnings).map { ResourceProjection.encode($0) }
    case "Practitioner":
      ResourceDecoder.practitioner(document, warnings: &warnings).map { ResourceProjection.encode($0) }
    case "Location": ResourceDecoder.location(document, warnings: &warnings).map { ResourceProjection.encode($0) }
    case "Appointment":
      ResourceDecoder.appointment(document, warnings: &warnings).map { ResourceProjection.encode($0) }
    case "Observation":
      ResourceDecoder.observation(document, warnings: &warnings).map { ResourceProjection.encode($0) }
    case "Encounter": Encounter.decode(document, warnings: &warnings)?.projection
    case "Condition": Condition.decode(document, warnings: &warnings)?.projection
    case "AllergyIntolerance": AllergyIntolerance.decode(document, warnings: &warnings)?.projection
    case "MedicationRequest": MedicationRequest.decode(document, warnings: &warnings)?.projection
    case "Immunization": Immunization.decode(document, warnings: &warnings)?.projection
    case "DocumentReference": DocumentReference.decode(document, warnings: &warnings)?.projection
    default: nil
    }
  }

  private static let everything = [
    #"{"resourceType":"Patient","id":"p-1","identifier":[{"use":"usual","type":{"coding":[{"system":"s","version":"1","code":"MR","display":"d","userSelected":true}],"text":"MRN"},"system":"urn:mrn","value":"7","period":{"start":"2001","end":"2002-05"}}],"active":false,"name":[{"use":"stage","text":"t","family":"f\u0000g","given":["a","b"],"prefix":["c"],"suffix":["d"],"period":{"start":"2001-01-01T00:00:00.10+05:30"}}],"telecom":[{"system":"phone","value":"1","use":"mobile","rank":2,"period":{"end":"2030"}}],"gender":"female","birthDate":"1951","deceasedDateTime":"2020-02","address":[{"use":"home","type":"both","text":"t","line":["1","2"],"city":"c","district":"d","state":"s","postalCode":"p","country":"x","period":{"start":"2001"}}],"link":[{"other":{"reference":"Patient/p-2","type":"Patient","display":"d"},"type":"seealso"}]}"#,
    #"{"resourceType":"Appointment","id":"a","status":"parked","cancelationReason":{"text":"r"},"serviceType":[{"text":"s"}],"reasonCode":[{"text":"r"}],"description":"d","start":"2027-03-15T09:30:00-04:00","end":"2027-03-15T13:50:00.000Z","minutesDuration":20,"comment":"c","participant":[{"type":[{"text":"t"}],"actor":{"reference":"http://h/Patient/1/_history/2"},"status":"accepted"},{"actor":{"identifier":{"value":"9"}},"status":"declined"}]}"#,
    #"{"resourceType":"Observation","id":"o","status":"final","category":[{"text":"c"}],"code":{"text":"Body weight"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/e"},"effectiveInstant":"2026-11-01T09:10:00+01:00","issued":"2026-11-01T09:10:00.123456789123Z","performer":[{"display":"d"}],"valueQuantity":{"value":72.50,"comparator":"<","unit":"kg","system":"http://unitsofmeasure.org","code":"kg"},"dataAbsentReason":{"text":"x"},"interpretation":[{"text":"H"}],"note":[{"authorString":"a","time":"2026","text":"before\u0000after"},{"authorReference":{"reference":"Practitioner/d"},"text":"n"}],"referenceRange":[{"low":{"value":50.0},"high":{"value":9.0E+1},"type":{"text":"t"},"text":"r"}],"component":[{"code":{"text":"c"},"valueInteger":-3,"interpretation":[{"text":"i"}],"referenceRange":[{"text":"r"}]},{"code":{"text":"d"},"dataAbsentReason":{"text":"e"}},{"code":{"text":"e"},"valueTime":"10:00:00"},{"code":{"text":"f"},"valuePeriod":{"start":"2001"}},{"code":{"text":"g"},"valueBoolean":false},{"code":{"text":"h"},"valueDateTime":"2001-02"},{"code":{"text":"i"},"valueString":"s"},{"code":{"text":"j"},"valueCodeableConcept":{"text":"k"}}]}"#,
    #"{"resourceType":"Location","id":"l","identifier":[{"value":"1"}],"status":"suspended","name":"n","alias":["a"],"description":"d","type":[{"text":"t"}],"telecom":[{"value":"1"}],"address":{"city":"c"},"partOf":{"reference":"Location/m"}}"#,
    #"{"resourceType":"Practitioner","id":"d","identifier":[{"value":"1"}],"active":true,"name":[{"family":"Q"}],"telecom":[{"value":"1"}],"address":[{"city":"c"}],"gender":"other","birthDate":"1970-01-01"}"#,
    #"{"resourceType":"Patient","id":"p-2","_birthDate":{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"secret"}]},"deceasedBoolean":true}"#,
    #"{"resourceType":"Encounter","id":"e","identifier":[{"value":"1"}],"status":"onleave","statusHistory":[{"status":"arrived","period":{"start":"2026-11-01T09:10:00+01:00","end":"2026-11-01"}}],"class":{"system":"s","code":"AMB","display":"d"},"type":[{"text":"t"}],"subject":{"reference":"Patient/p"},"participant":[{"type":[{"text":"t"}],"period":{"start":"2001"},"individual":{"reference":"Practitioner/d"}}],"appointment":[{"reference":"Appointment/a"}],"period":{"start":"2026-11-01T09:10:00+01:00"},"reasonCode":[{"text":"r"}],"location":[{"location":{"reference":"Location/l"},"period":{"end":"2002"}}]}"#,
    #"{"resourceType":"Condition","id":"c","clinicalStatus":{"text":"a"},"verificationStatus":{"text":"v"},"category":[{"text":"k"}],"severity":{"text":"s"},"code":{"text":"Asthma"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/e"},"onsetAge":{"value":5,"unit":"a"},"abatementPeriod":{"start":"2001","end":"2002"},"recordedDate":"2001-05","recorder":{"display":"d"},"asserter":{"display":"e"},"note":[{"text":"n"}]}"#,
    #"{"resourceType":"AllergyIntolerance","id":"a","clinicalStatus":{"text":"a"},"verificationStatus":{"text":"v"},"type":"allergy","category":["food","other"],"criticality":"unable-to-assess","code":{"text":"Peanut"},"patient":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/e"},"onsetString":"as a child","recordedDate":"2001","recorder":{"display":"d"},"asserter":{"display":"e"},"lastOccurrence":"2010-02","note":[{"text":"n"}],"reaction":[{"substance":{"text":"s"},"manifestation":[{"text":"hives"}],"description":"d","onset":"2001","severity":"severe"}]}"#,
    #"{"resourceType":"MedicationRequest","id":"m","identifier":[{"value":"1"}],"status":"on-hold","statusReason":{"text":"r"},"intent":"order","medicationReference":{"reference":"Medication/m1"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/e"},"authoredOn":"2026-11-01","requester":{"reference":"Practitioner/d"},"recorder":{"display":"r"},"reasonCode":[{"text":"x"}],"note":[{"text":"n"}],"dosageInstruction":[{"text":"1-0-1","patientInstruction":"with water"}]}"#,
    #"{"resourceType":"Immunization","id":"i","status":"not-done","statusReason":{"text":"r"},"vaccineCode":{"text":"v"},"patient":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/e"},"occurrenceString":"as a child","recorded":"2001","primarySource":false,"lotNumber":"L1","performer":[{"function":{"text":"f"},"actor":{"reference":"Practitioner/d"}}],"note":[{"text":"n"}]}"#,
    #"{"resourceType":"DocumentReference","id":"d","identifier":[{"value":"1"}],"status":"current","docStatus":"final","type":{"text":"t"},"category":[{"text":"c"}],"subject":{"reference":"Patient/p"},"date":"2026-11-01T09:10:00.5Z","author":[{"reference":"Practitioner/d"}],"authenticator":{"display":"d"},"relatesTo":[{"code":"appends","target":{"reference":"DocumentReference/e"}}],"description":"d","content":[{"attachment":{"contentType":"text/plain","language":"en","data":"aGk=","url":"Binary/1","title":"t","creation":"2026"}}],"context":{"encounter":[{"reference":"Encounter/e"}]}}"#,
  ]
}
