import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Changes of others that arrive while a write of ours is at the server")
struct DeferredChangeTests {
  @Test("are read once our write is settled, and are not lost behind the watermark", arguments: ServerKind.allCases)
  func readAfterSettlement(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    clinic.serverPatient("p-1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.transport.plan(.blackout, method: "PUT")
    try await clinic.sync(pulls: false)
    clinic.transport.calm()
    clinic.world.advance(seconds: 60)
    clinic.change("Patient", "p-1") { $0["address"] = [["city": "Newtown"]] }
    // The pull meets the other's change while our own write is still unknown.
    try await clinic.sync(pushes: false)
    clinic.world.advance(seconds: 3_600)
    #expect(try await clinic.sync().outcome == .complete)
    let seen = await clinic.patient("p-1")
    #expect(seen?.address.first?.city == "Newtown")
    #expect(seen?.telecom.first?.value == "2")
    await clinic.remove()
  }
}
