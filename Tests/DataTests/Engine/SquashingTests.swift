import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Squashing: fewer requests, the same end")
struct SquashingTests {
  @Test(
    "any program of edits by two people, with the server moving meanwhile, ends alike with squashing on and off",
    arguments: 0..<24)
  func sameEnd(seed: UInt64) async throws {
    let (squashed, fewer) = try await play(seed: seed, squashes: true)
    let (plain, more) = try await play(seed: seed, squashes: false)
    #expect(squashed == plain)
    #expect(fewer <= more)
  }

  /// Plays the program of a seed and returns what the server holds in the end, and how many writes it took.
  private func play(seed: UInt64, squashes: Bool) async throws -> ([String], Int) {
    var random = seed &* 1_013 &+ 11
    func below(_ bound: UInt64) -> UInt64 { SplitMix.next(&random) % bound }
    let kind = ServerKind.allCases[Int(below(UInt64(ServerKind.allCases.count)))]
    var author = "nora"
    func configure(_ configuration: inout ClinicData.Configuration) {
      configuration.author = .operatingSystemUser(author)
      configuration.isServiceIdentity = true
      configuration.squashes = squashes
    }
    var clinic = try await TestClinic.open(
      profile: kind.profile, world: VirtualWorld(seed: seed), configure: configure)
    for id in ["p-1", "p-2"] { clinic.serverPatient(id, phone: "0") }
    try await clinic.sync()
    var ids: [Patient.ID] = ["p-1", "p-2"]
    for step in 1...20 {
      let id = ids[Int(below(UInt64(ids.count)))]
      // Every value is new, so that no two edits can agree by chance.
      let value = "v\(step)"
      switch below(9) {
      case 0 where ids.count < 4: ids.append(try await clinic.register(family: value, phone: value))
      case 0, 1, 2: try await clinic.setPhone(value, of: id)
      case 3: _ = try await clinic.data.patients.edit(id) { $0.address = [Address(city: value)] }
      case 4: _ = try await clinic.data.patients.edit(id) { $0.name[0].family = value }
      case 5:
        clinic.change("Patient", ["p-1", "p-2"][Int(below(2))]) { document in
          document["telecom"] = [["system": "phone", "use": "home", "value": .string("s\(step)")]]
        }
      case 6: clinic.change("Patient", "p-1") { $0["maritalStatus"] = ["text": .string("s\(step)")] }
      case 7: _ = try await clinic.sync(pushes: below(3) > 0, pulls: below(2) == 0)
      default:
        author = author == "nora" ? "omar" : "nora"
        clinic = try await clinic.reopened(configure: configure)
      }
      clinic.world.advance(seconds: 5)
    }
    for _ in 0..<12 {
      _ = try await clinic.sync()
      guard let item = await clinic.review().first else { break }
      _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    }
    #expect(await clinic.outbox().map(\.state) == [], "seed \(seed)")
    #expect(try await clinic.unbalanced() == 0)
    let documents = clinic.model.resources("Patient").map { document -> String in
      var document = document.withoutMeta
      for member in ["id", "identifier"] { document[member] = Optional<JSONValue>.none }
      return document.sortedLists.text()
    }
    let writes = clinic.model.log.count { $0.headers["x-request-id"] != nil }
    await clinic.remove()
    return (documents.sorted(), writes)
  }

  @Test("an entry that may have left is never squashed, by nobody", arguments: ServerKind.allCases)
  func frozen(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    let id = try await clinic.register(family: "Ferrow", phone: "1")
    clinic.transport.plan(.blackout, method: "POST")
    clinic.transport.plan(.blackout, method: "PUT")
    _ = try await clinic.sync(pulls: false)
    let body = try await clinic.bodies()
    try await clinic.setPhone("2", of: id)
    #expect(await clinic.outbox().count == 2)
    #expect(try await clinic.bodies().first == body.first)
    await clinic.remove()
  }
}
