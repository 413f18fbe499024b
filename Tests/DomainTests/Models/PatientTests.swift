import Domain
import Testing

@Suite("How a patient is told apart")
struct PatientTests {
  @Test(
    "A name is shown from the parts that exist",
    arguments: [
      (HumanName(family: "Ferrow", given: ["Lio"]), "Ferrow, Lio", "Lio Ferrow"),
      (
        HumanName(family: "Ferrow", given: ["Lio", "Ann"], prefix: ["Dr."], suffix: ["Jr."]), "Ferrow, Lio Ann",
        "Dr. Lio Ann Ferrow Jr."
      ),
      (HumanName(text: "Foundling, ward 3"), "Foundling, ward 3", "Foundling, ward 3"),
      (HumanName(family: "Solo"), "Solo", "Solo"), (HumanName(given: ["Bo"]), "Bo", "Bo"),
      (HumanName(use: .known(.official)), nil, nil), (HumanName(text: " ", family: "", given: [" "]), nil, nil),
      (HumanName(prefix: ["Dr."]), nil, nil),
      (HumanName(text: "Bo of Parke", given: ["Bo"]), "Bo of Parke", "Bo of Parke"),
    ])
  func showsNames(name: HumanName, list: String?, spoken: String?) {
    #expect([name.displayText, name.spokenText] == [list, spoken])
  }

  @Test("The official name comes first, a former or empty one never before another")
  func prefersNames() {
    let old = HumanName(use: .known(.maiden), family: "Old")
    let usual = HumanName(use: .known(.usual), family: "Usual")
    let official = HumanName(use: .known(.official), family: "Official")
    let empty = HumanName(use: .known(.official))
    let plain = HumanName(use: .unknown("stage"), family: "Plain")
    let shown = [[old, usual, official], [empty, old, usual], [old], [old, plain], []].map { $0.preferred?.family }
    #expect(shown == ["Official", "Usual", "Old", "Plain", nil])
  }

  @Test(
    "Without a name a patient is shown by identifier, else by id",
    arguments: [
      (Patient(id: "p-09a", identifier: [Identifier(system: "urn:test:mrn", value: "MRN-0909")]), "MRN-0909"),
      (
        Patient(id: "p-09b", identifier: [Identifier(value: "MRN-0910")], name: [HumanName(use: .known(.official))]),
        "MRN-0910"
      ),
      (Patient(id: "p-09c", name: [HumanName(text: "Foundling, ward 3")]), "Foundling, ward 3"),
      (Patient(id: "p-09d", name: [HumanName(family: "Solo")]), "Solo"),
      (
        Patient(
          id: "p-1",
          identifier: [
            Identifier(use: .known(.old), value: "1"), Identifier(type: CodeableConcept(text: "MRN"), value: "22"),
          ]), "MRN 22"
      ),
      (Patient(id: "p-2", identifier: [Identifier(system: "urn:test:mrn")]), "p-2"), (Patient(id: ""), "Patient"),
    ])
  func neverNameless(patient: Patient, name: String) {
    #expect(patient.displayName == name)
  }

  @Test("A birth date that is withheld gives its reason and no age")
  func withheldBirthDate() throws {
    let patient = Patient(id: "p-03", birthDate: .absent(.known(.masked)))
    #expect(patient.birthDateText == "birth date not given (masked)")
    #expect(patient.age(on: try #require(CalendarDay("2026-11-02"))) == nil)
  }

  @Test("A replaced record names its survivor and is no longer current")
  func replacedRecord() {
    let merged = Patient(
      id: "p-57a", active: false,
      link: [Patient.Link(other: Reference(reference: "Patient/p-57b"), type: .known(.replacedBy))])
    let survivor = Patient(
      id: "p-57b", link: [Patient.Link(other: Reference(reference: "Patient/p-57a"), type: .known(.replaces))])
    #expect([merged.replacedBy, survivor.replacedBy] == ["p-57b", nil])
    #expect([merged.isCurrent, survivor.isCurrent] == [false, true])
  }

  @Test("The phone to show is in use, preferred by rank, then mobile")
  func prefersPhone() {
    let old = ContactPoint(system: .known(.phone), value: "1", use: .known(.old), rank: 1)
    let home = ContactPoint(system: .known(.phone), value: "+00 555 0103", use: .known(.home))
    let mobile = ContactPoint(system: .known(.phone), value: "2", use: .known(.mobile))
    let ranked = ContactPoint(system: .known(.phone), value: "3", rank: 2)
    let mail = ContactPoint(system: .known(.email), value: "a@b")
    let shown = [[old, home], [home, mobile], [mobile, ranked, old], [mail], [old]].map {
      $0.preferredPhone?.displayText
    }
    #expect(shown == ["+00 555 0103 (home)", "2 (mobile)", "3", nil, "1 (old)"])
  }

  @Test(
    "Two registrations are compared with a score and its reasons",
    arguments: [
      (person("A", "Ferrow", "Lio", "2012-02-19"), person("B", "FERROW", "lio", "2012-02-19"), 65, "likely"),
      (person("A", "Ferrow", "Lio", "2012-02-19"), person("B", "Ferrow", "Lio", "2012"), 45, "possible"),
      (person("A", "Ferrow", "Lio", "2012-02-19"), person("B", "Ferrow", "Una", "1951"), 0, "unlikely"),
      (person("A", "Ferrow", "Lio", "2012-02-19"), person("A", "Quist", "Lio", "2012-02-19"), 100, "likely"),
      (Patient(id: "x"), Patient(id: "y"), 0, "unlikely"),
    ])
  func comparesRegistrations(left: Patient, right: Patient, score: Int, likelihood: String) {
    let match = RegistrationMatch(left, right)
    #expect(match.score == score && "\(match.likelihood)" == likelihood, "\(match.reasons)")
    #expect(RegistrationMatch(right, left) == match)
  }

  private static func person(_ number: String, _ family: String, _ given: String, _ birthDate: String) -> Patient {
    Patient(
      id: Patient.ID(given), identifier: [Identifier(system: "urn:test:mrn", value: number)],
      name: [HumanName(family: family, given: [given])], birthDate: Recorded(PartialDate(birthDate)))
  }
}
