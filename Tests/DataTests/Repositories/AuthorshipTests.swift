import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Who wrote it")
struct AuthorshipTests {
  static let nora = Author(issuer: "desk", subject: "nora", practitioner: Practitioner.ID("dr-1"))
  static let omar = Author(issuer: "desk", subject: "omar", practitioner: Practitioner.ID("dr-2"))

  private func clinic() async throws -> TestClinic {
    let clinic = try await TestClinic.open { $0.author = Self.nora }
    for id in ["dr-1", "dr-2"] { clinic.put(["resourceType": "Practitioner", "id": .string(id)]) }
    try await clinic.sync()
    return clinic
  }

  private func told(_ clinic: TestClinic) -> [String] {
    clinic.model.resources("Provenance").map { document in
      let target = document["target"]?[0]?["reference"]?.string?.prefix { $0 != "/" } ?? ""
      let activity = document["activity"]?["coding"]?[0]?["code"]?.string ?? ""
      return "\(activity) \(target) by \(document["agent"]?[0]?["who"]?["reference"]?.string ?? "nobody")"
    }.sorted()
  }

  @Test("a record without an author of its own gets a Provenance; one that names its author needs none")
  func created() async throws {
    let clinic = try await clinic()
    let patient = try await clinic.register(family: "Ferrow")
    _ = try await clinic.data.allergies.add(
      AllergyIntolerance(
        id: "", code: CodeableConcept(text: "Bee sting"), patient: Reference(patient.key),
        recorder: Reference(Practitioner.ID("dr-1").key)))
    #expect(try await clinic.sync().outcome == .complete)
    #expect(told(clinic) == ["CREATE Patient by Practitioner/dr-1"])
    await clinic.remove()
  }

  @Test("edits that were never sent are one write of one author, and what is undone leaves no trace")
  func squashed() async throws {
    let clinic = try await clinic()
    let patient = try await clinic.register(family: "Ferrow", phone: "1")
    try await clinic.setPhone("2", of: patient)
    #expect(await clinic.outbox().map(\.key.type) == ["Patient", "Provenance"])
    try await clinic.sync()
    try await clinic.setPhone("3", of: patient)
    #expect(await clinic.outbox().map(\.key.type) == ["Patient", "Provenance"])
    try await clinic.setPhone("2", of: patient)
    #expect(await clinic.outbox().isEmpty)
    try await clinic.sync()
    #expect(told(clinic) == ["CREATE Patient by Practitioner/dr-1"])
    await clinic.remove()
  }

  @Test("a write that is discarded takes along that somebody wrote it, without being asked about")
  func discarded() async throws {
    let clinic = try await clinic()
    let patient = try await clinic.register(family: "Ferrow", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: patient)
    let entry = try #require(await clinic.outbox().first)
    _ = try await clinic.data.outbox.discard(entry.number, confirmed: false)
    #expect(await clinic.outbox().isEmpty)
    await clinic.remove()
  }

  @Test("a record that is discarded takes along the row of the Provenance that told of it")
  func discardedRecord() async throws {
    let clinic = try await clinic()
    _ = try await clinic.register(family: "Ferrow", phone: "1")
    let entries = await clinic.outbox()
    #expect(entries.map(\.key.type) == ["Patient", "Provenance"])
    let fallen = try await clinic.data.outbox.discard(entries[0].number, confirmed: true)
    #expect(fallen.map(\.number) == entries.map(\.number))
    #expect(try provenanceRows(clinic) == 0)
    await clinic.remove()
  }

  private func provenanceRows(_ clinic: TestClinic) throws -> Int64? {
    let connection = try Connection(path: clinic.directory + "/clinic.sqlite", mode: .readOnly)
    return try connection.first("SELECT count(*) FROM resource WHERE type = 'Provenance'") {
      row throws(SQLiteError) in row.integer(0)
    }
  }

  @Test("a server that takes no Provenance is sent none, and nothing is left waiting")
  func unwanted() async throws {
    let clinic = try await TestClinic.open(profile: ServerKind.silent.profile) { $0.author = Self.nora }
    _ = try await clinic.register(family: "Ferrow")
    let report = try await clinic.sync()
    #expect(report.outcome != .needsReview)
    #expect(await clinic.outbox().filter { $0.state == .review }.isEmpty)
    #expect(try provenanceRows(clinic) == 0)
    await clinic.remove()
  }

  @Test("someone else sits down without a restart: what is unsent stays with whoever wrote it")
  func changes() async throws {
    let clinic = try await clinic()
    let patient = try await clinic.register(family: "Ferrow", phone: "1")
    await clinic.data.identity.signIn(Self.omar, tokenFile: nil)
    #expect(clinic.data.author == Self.omar)
    let other = try await clinic.register(family: "Brandt")
    #expect(try await clinic.sync().outcome == .unfinished)
    #expect(clinic.model.resource("Patient", other.rawValue) != nil)
    #expect(clinic.model.resource("Patient", patient.rawValue) == nil)
    #expect(Set(await clinic.outbox().map(\.author)) == [Self.nora])
    await clinic.data.identity.signOut()
    #expect(try await clinic.sync().outcome == .complete)
    #expect(
      told(clinic) == ["CREATE Patient by Practitioner/dr-1", "CREATE Patient by Practitioner/dr-2"])
    await clinic.remove()
  }

  @Test("where one was is remembered for each user, also over a restart")
  func places() async throws {
    let clinic = try await clinic()
    try await clinic.data.places.remember("clinic://chart/p-1", of: Self.nora)
    let again = try await clinic.reopened { $0.author = Self.nora }
    #expect(await again.data.places.lastPlace(of: Self.nora) == "clinic://chart/p-1")
    #expect(await again.data.places.lastPlace(of: Self.omar) == nil)
    await again.remove()
  }
}
