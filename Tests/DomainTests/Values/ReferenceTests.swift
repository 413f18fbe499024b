import Domain
import Testing

@Suite("References and codes")
struct ReferenceTests {
  @Test(
    "Relative, absolute and versioned references name one resource",
    arguments: [
      ("Patient/p-19", "Patient/p-19"), ("http://127.0.0.1:8080/fhir/Patient/p-19", "Patient/p-19"),
      ("Patient/p-19/_history/3", "Patient/p-19"), ("https://h/fhir/r4/Patient/p-19/_history/2", "Patient/p-19"),
      ("http://h/Patient/p-19#part", "Patient/p-19"), ("Patient/under_score", "Patient/under_score"),
      ("#p-19", nil), ("urn:uuid:0b4ce2de-9c1c-4c1f-8a9e-6f6b8f1f7a01", nil), ("Patient?identifier=x|1", nil),
      ("Patient", nil), ("Patient/", nil), ("/Patient/1", nil), ("x/Patient/1", nil), ("http://Patient/1", nil),
      ("", nil), ("Patient/1/_history/", nil), ("Patient/a b", nil), ("patient/1", nil), ("ftp://h/Patient/1", nil),
    ])
  func readsKeys(reference: String, key: String?) {
    #expect(ResourceKey(reference: reference)?.description == key)
    let parts = ReferenceParts(reference)
    #expect(parts?.text == (key == nil ? nil : reference))
  }

  @Test("A typed reference gives an id of its own type only")
  func typedReference() {
    let patient = Reference<Patient>(id: "p-1", display: "Ferrow, Lio")
    let other = Reference<Patient>(reference: "Practitioner/d-1")
    #expect([patient.reference, patient.id?.rawValue, other.id?.rawValue] == ["Patient/p-1", "p-1", nil])
  }

  @Test("A code that is not known is kept, and equal codes are equal however they were made")
  func keepsUnknownCodes() {
    let parked = OpenCode<AppointmentStatus>(rawValue: "parked")
    #expect([parked.known?.rawValue, parked.rawValue] == [nil, "parked"])
    #expect(OpenCode<AppointmentStatus>.unknown("booked") == .known(.booked))
    #expect(Set([OpenCode<AppointmentStatus>.unknown("booked"), .known(.booked)]).count == 1)
  }
}
