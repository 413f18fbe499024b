@testable import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Search: people are found as staff type")
struct PatientSearchTests {
  private static func clinic() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    clinic.put([
      "resourceType": "Patient", "id": "p-1", "birthDate": "1980-05-17",
      "name": [
        ["use": "official", "family": "Pérez Gómez", "given": ["Ana", "María"]],
        ["use": "maiden", "family": "Weiß"], ["use": "nickname", "given": ["Anouk"]],
        ["use": "usual", "family": "Lindqvist", "period": ["end": "2019-03"]],
      ],
      "identifier": [["system": "urn:mrn", "value": "MRN-09.09"]],
      "telecom": [["system": "phone", "value": "+00 (555) 01-03"]],
    ])
    clinic.put([
      "resourceType": "Patient", "id": "p-2", "birthDate": "1980", "name": [["family": "Anders", "given": ["Per"]]],
    ])
    try await clinic.sync()
    return clinic
  }

  private static func find(
    _ clinic: TestClinic, _ text: String, limit: Int = 50
  ) async -> [PatientMatch] {
    await clinic.data.patients.patients(matching: PatientQuery(text: text, limit: limit), policy: .localOnly)
      .first()?.value ?? []
  }

  @Test(
    "names in any order, parts, former and other names, numbers with and without separators, birth dates as typed",
    arguments: [
      ("ana perez", ["p-1"]), ("GÓMEZ an", ["p-1"]), ("go\u{301}mez", ["p-1"]), ("an", ["p-2", "p-1"]),
      ("weiss", ["p-1"]), ("anouk", ["p-1"]), ("lindq ana", ["p-1"]), ("mrn0909", ["p-1"]), ("MRN 09 09", ["p-1"]),
      ("mrn-09.09", ["p-1"]), ("5550103", ["p-1"]), ("555 01", ["p-1"]), ("1980-05-17", ["p-1"]),
      ("17.5.1980", ["p-1"]),
      ("5/17/1980", ["p-1"]), ("1980-05", ["p-1"]), ("05/1980", ["p-1"]), ("19800517", ["p-1"]),
      ("1980", ["p-2", "p-1"]),
      ("perez 17.05.1980", ["p-1"]), ("perez 18.05.1980", []), ("ana bo", []), ("name:ana", []), ("\"", []),
      ("ana OR per", []),
    ])
  func found(text: String, ids: [Patient.ID]) async throws {
    let clinic = try await Self.clinic()
    #expect(await Self.find(clinic, text).map(\.id) == ids)
    await clinic.remove()
  }

  @Test(
    "an answer tells by what it was found where the name that is shown does not",
    arguments: [
      ("ana", []), ("weiss", [.formerName("Weiß")]), ("lindqvist", [.formerName("Lindqvist")]),
      ("anouk", [.otherName("Anouk")]), ("ana 0909", [.identifier("MRN-09.09")]),
      ("5550103", [.contact("+00 (555) 01-03")]),
    ] as [(String, [PatientMatch.Reason])])
  func reasons(text: String, reasons: [PatientMatch.Reason]) async throws {
    let clinic = try await Self.clinic()
    #expect(await Self.find(clinic, text).map(\.reasons) == [reasons])
    let date = try #require(PartialDate("1980-05-17"))
    #expect(await Self.find(clinic, "17.05.1980").map(\.reasons) == [[.birthDate(date)]])
    await clinic.remove()
  }

  @Test("whole words come before beginnings, people in use before those who were replaced")
  func ranked() async throws {
    let clinic = try await TestClinic.open()
    for (id, family) in [("p-1", "Annaz"), ("p-2", "Zann"), ("p-3", "Ann"), ("p-4", "Annabel")] {
      clinic.serverPatient(id, family: family)
    }
    clinic.put([
      "resourceType": "Patient", "id": "p-0", "name": [["family": "Ann"]],
      "link": [["type": "replaced-by", "other": ["reference": "Patient/p-3"]]],
    ])
    try await clinic.sync()
    #expect(await Self.find(clinic, "ann").map(\.id) == ["p-3", "p-0", "p-4", "p-1"])
    await clinic.remove()
  }

  @Test("many matches that stand late among the names are found all the same, in order")
  func late() async throws {
    let clinic = try await TestClinic.open()
    let people = (0..<4_000).map { number -> JSONValue in
      let isLate = number % 8 == 0
      return [
        "resourceType": "Patient", "id": .string("p-\(number)"),
        "name": [["family": isLate ? "Zander" : "Aalto", "given": [.string("Kim\(number)")]]],
      ]
    }
    clinic.model.load(people)
    try await clinic.sync()
    let found = await Self.find(clinic, "kim zan")
    let names = found.map(\.patient.displayName)
    #expect(found.count == 50 && names == names.sorted() && names.allSatisfy { $0.hasPrefix("Zander") })
    await clinic.remove()
  }

  @Test(
    "asked for, the server is asked too, and whom it names is kept and marked; without it nothing is asked",
    arguments: ["smi ann", "MRN-77", "1971-02-03"])
  func remote(text: String) async throws {
    let zone = try #require(ClinicZone("Europe/London"))
    let clinic = try await TestClinic.open { $0.selection = PullSelection(locations: ["l-1"], zone: zone) }
    clinic.put([
      "resourceType": "Patient", "id": "p-far", "name": [["family": "Smith", "given": ["Ann"]]],
      "birthDate": "1971-02-03",
      "identifier": [["value": "MRN-77"]],
    ])
    try await clinic.sync()
    let repository = clinic.data.patients
    clinic.transport.forgetSent()
    let local = await repository.patients(matching: PatientQuery(text: text), policy: .localOnly).first()
    #expect(local?.value == [] && local?.mayBeIncomplete == true)
    #expect(clinic.transport.sent == [])
    let query = PatientQuery(text: text, asksServer: true)
    let found = await repository.patients(matching: query, policy: .revalidateAlways).settled()
    #expect(found?.value?.map(\.id) == ["p-far"])
    clinic.transport.isDown = true
    let offline = await repository.patients(matching: query, policy: .revalidateAlways).settled()
    guard case .failed? = offline?.revalidation else {
      Issue.record("the failure is not told")
      return
    }
    #expect(offline?.value?.map(\.id) == ["p-far"])
    await clinic.remove()
  }

  @Test("words that an older program made are made anew when the store is opened")
  func renewed() async throws {
    let clinic = try await Self.clinic()
    try await clinic.data.store.write { transaction throws(AppError) in
      try transaction.run("DELETE FROM patient_text")
      try transaction.setMeta("searchText", "0")
    }
    #expect(await Self.find(clinic, "ana").isEmpty)
    let again = try await clinic.reopened()
    #expect(await Self.find(again, "17.05.1980").map(\.id) == ["p-1"])
    await again.remove()
  }
}
