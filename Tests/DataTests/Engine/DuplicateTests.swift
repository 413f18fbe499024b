@testable import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Duplicates: who is probably known is looked at before another record of them is made")
struct DuplicateTests {
  static func draft(
    _ family: String = "Pérez", _ given: String = "Ana", birth: String? = "1980-05-17", phone: String? = nil,
    mrn: String? = nil
  ) -> Patient {
    Patient(
      id: "", identifier: mrn.map { [Identifier(system: "urn:mrn", value: $0)] } ?? [],
      name: [HumanName(family: family, given: [given])],
      telecom: phone.map { [ContactPoint(system: .known(.phone), value: $0)] } ?? [],
      birthDate: birth.flatMap(PartialDate.init).map { .value($0) } ?? .notRecorded)
  }

  private static func known(_ clinic: TestClinic, _ id: String = "p-9") {
    clinic.put([
      "resourceType": "Patient", "id": .string(id), "name": [["family": "PEREZ", "given": ["Ana", "María"]]],
      "birthDate": "1980-05-17", "identifier": [["system": "urn:mrn", "value": "MRN 7"]],
      "telecom": [["system": "phone", "value": "+00 555 0103"]],
    ])
  }

  @Test(
    "the whole store is looked through for who may be meant: by number, by name and birth date, by phone",
    arguments: [
      (draft(), ["p-9"]), (draft("Perez", "Ana", birth: "1980-05"), ["p-9"]),
      (draft("Otra", "Eva", birth: nil, mrn: "MRN 7"), ["p-9"]),
      (draft("Pérez", "Luis"), []), (draft("Otra", "Ana", phone: "+005550103"), ["p-9"]),
      (draft("Pérez", "Ana", birth: nil, phone: "+005550103"), ["p-9"]),
      (draft("Quist", "Bo", birth: "1990-01-01"), []), (draft("Pérez", "Ana", birth: "1991-01-01"), []),
    ] as [(Patient, [Patient.ID])])
  func candidates(draft: Patient, found: [Patient.ID]) async throws {
    let clinic = try await TestClinic.open()
    Self.known(clinic)
    for number in 0..<450 { clinic.serverPatient("p-x\(number)", family: "Pérez") }
    try await clinic.sync()
    #expect(try await clinic.data.patients.candidates(for: draft).map(\.patient.id) == found)
    await clinic.remove()
  }

  /// A registration of someone whom only the server knows, after a sync without a pull.
  private static func heldBack(_ kind: ServerKind) async throws -> (TestClinic, Patient.ID) {
    let clinic = try await TestClinic.open(profile: kind.profile)
    Self.known(clinic)
    let id = Patient.ID(try await clinic.data.patients.register(Self.draft(phone: "555-7")).key.id)
    #expect(try await clinic.sync(pulls: false).outcome == .needsReview)
    return (clinic, id)
  }

  @Test(
    "a registration of someone whom the server knows is not sent, and waits with the candidates",
    arguments: ServerKind.allCases)
  func held(kind: ServerKind) async throws {
    let (clinic, id) = try await Self.heldBack(kind)
    #expect(clinic.model.resources("Patient").count == 1)
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .likelyDuplicate && item.key == id.key)
    #expect(item.issues.map(\.elements) == [["Patient/p-9"]])
    #expect(item.issues.first?.text.contains("1980-05-17") == true)
    await clinic.remove()
  }

  @Test(
    "a person may say that it is someone else: then it is sent, and not looked at again", arguments: ServerKind.allCases
  )
  func sentAnyway(kind: ServerKind) async throws {
    let (clinic, _) = try await Self.heldBack(kind)
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: false)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    await clinic.remove()
  }

  @Test("a discarded registration is gone, and the server has one record")
  func discarded() async throws {
    let (clinic, id) = try await Self.heldBack(.standard)
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .discard, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 1)
    #expect(await clinic.patient(id) == nil)
    await clinic.remove()
  }

  @Test(
    "a registration is joined to the known patient with everything that hangs on it, and its id goes on",
    arguments: ServerKind.allCases)
  func merged(kind: ServerKind) async throws {
    let (clinic, id) = try await Self.heldBack(kind)
    try await clinic.book(id)
    _ = try await clinic.data.conditions.add(
      Condition(id: "", code: CodeableConcept(text: "Asthma"), subject: Reference(id.key)))
    try await clinic.setPhone("555-8", of: id)
    let merge = try await clinic.data.patients.merge(id, into: "p-9")
    #expect(merge.known.id == "p-9" && merge.moved.count == 2)
    #expect(await clinic.review().isEmpty)
    #expect(await clinic.outbox().map(\.key.type) == ["Appointment", "Condition"])
    // Readers see it under the known patient at once, by either id.
    #expect(await clinic.data.conditions.entries(of: "p-9", policy: .localOnly).first()?.value?.count == 1)
    #expect(await clinic.patient(id)?.id == "p-9")
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 1)
    #expect(clinic.model.resources("Condition").first?["subject"]?["reference"] == "Patient/p-9")
    #expect(
      clinic.model.resources("Appointment").first?["participant"]?[0]?["actor"]?["reference"] == "Patient/p-9")
    await clinic.remove()
  }

  @Test("what is at the server, or may be, is not joined; nor a record to itself")
  func notMerged() async throws {
    let clinic = try await TestClinic.open()
    Self.known(clinic)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    await #expect { try await clinic.data.patients.merge("p-1", into: "p-9") } throws: {
      ($0 as? AppError)?.code == .notAllowed
    }
    await #expect { try await clinic.data.patients.merge("p-9", into: "p-9") } throws: {
      ($0 as? AppError)?.code == .invalidInput
    }
    let id = try await clinic.register(family: "Quist")
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    await #expect { try await clinic.data.patients.merge(id, into: "p-9") } throws: {
      ($0 as? AppError)?.code == .notAllowed
    }
    #expect(await clinic.patient(id) != nil)
    await clinic.remove()
  }

  @Test(
    "without a network nothing is compared and nothing is lost; a server without such a search gets the registration")
  func notCompared() async throws {
    let clinic = try await TestClinic.open()
    Self.known(clinic)
    _ = try await clinic.data.patients.register(Self.draft())
    clinic.transport.plan(.unreachable, path: "birthdate=", times: 1)
    _ = try await clinic.sync(pulls: false)
    #expect(await clinic.outbox().map(\.state) == [.pending])
    clinic.model.add(try MockFault.list(["path": "birthdate=", "times": 0, "status": 400]))
    #expect(try await clinic.sync(pulls: false).outcome == .complete)
    #expect(clinic.model.resources("Patient").count == 2)
    await clinic.remove()
  }
}
