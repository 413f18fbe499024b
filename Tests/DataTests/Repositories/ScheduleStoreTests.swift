import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Planned time in the store")
struct ScheduleStoreTests {
  private func slot(_ id: String, _ start: String, _ end: String, _ status: String = "free") -> JSONValue {
    [
      "resourceType": "Slot", "id": .string(id), "schedule": ["reference": "Schedule/s-1"], "status": .string(status),
      "start": .string(start), "end": .string(end),
    ]
  }

  @Test("slots of a span come with their schedule; those that are withdrawn or of other days do not")
  func slots() async throws {
    let clinic = try await TestClinic.open()
    clinic.put(["resourceType": "Practitioner", "id": "dr-1"])
    clinic.put([
      "resourceType": "Schedule", "id": "s-1", "active": true, "actor": [["reference": "Practitioner/dr-1"]],
    ])
    clinic.put([
      "resourceType": "Schedule", "id": "s-2", "active": false, "actor": [["reference": "Practitioner/dr-1"]],
    ])
    clinic.put(slot("x-1", "2026-12-01T09:00:00-05:00", "2026-12-01T09:30:00-05:00"))
    clinic.put(slot("x-2", "2026-12-01T09:30:00-05:00", "2026-12-01T10:00:00-05:00", "busy"))
    clinic.put(slot("x-3", "2026-12-01T10:00:00-05:00", "2026-12-01T10:30:00-05:00", "entered-in-error"))
    clinic.put(slot("x-4", "2026-12-02T09:00:00-05:00", "2026-12-02T09:30:00-05:00"))
    try await clinic.sync()
    let zone = try #require(ClinicZone("America/New_York"))
    let day = try #require(CalendarDay("2026-12-01"))
    let found = await clinic.data.schedules.slots(in: zone.bounds(of: day), policy: .localOnly).first()?.value
    #expect(found?.map(\.id.rawValue) == ["x-1", "x-2"])
    #expect(found?.map(\.slot.status) == [.known(.free), .known(.busy)])
    #expect(found?.first?.schedule?.isOf(Practitioner.ID("dr-1").key) == true)
    let schedules = await clinic.data.schedules.schedules(policy: .localOnly).first()?.value
    #expect(schedules?.map(\.id.rawValue) == ["s-1"])
    await clinic.remove()
  }

  @Test("a booking fills the free slots of its time; a move fills others, and one that is called off none")
  func filledSlots() async throws {
    let clinic = try await TestClinic.open()
    clinic.put(["resourceType": "Practitioner", "id": "dr-1"])
    clinic.put(["resourceType": "Patient", "id": "p-1", "name": [["family": "Pérez"]]])
    clinic.put([
      "resourceType": "Schedule", "id": "s-1", "active": true, "actor": [["reference": "Practitioner/dr-1"]],
    ])
    for (index, time) in ["09:00", "09:30", "10:00", "10:30", "11:00"].enumerated() {
      let end = ["09:30", "10:00", "10:30", "11:00", "11:30"][index]
      clinic.put(
        slot(
          "x-\(index)", "2026-12-01T\(time):00-05:00", "2026-12-01T\(end):00-05:00", index == 2 ? "busy" : "free"))
    }
    try await clinic.sync()
    let appointments = clinic.data.appointments
    let draft = Appointment(
      id: Appointment.ID(""), status: .known(.booked), start: Instant("2026-12-01T09:00:00-05:00"),
      end: Instant("2026-12-01T10:00:00-05:00"),
      participant: [
        Appointment.Participant(actor: Reference(ResourceKey(type: "Patient", id: "p-1"))),
        Appointment.Participant(actor: Reference(ResourceKey(type: "Practitioner", id: "dr-1"))),
      ])
    var filled: [[String]] = []
    func note(_ receipt: WriteReceipt) async throws {
      try await clinic.sync()
      filled.append(
        clinic.model.resource(receipt.key.type, receipt.key.id)?["slot"]?.array?.compactMap { $0["reference"]?.string }
          ?? ["nothing"])
    }
    let receipt = try await appointments.book(draft, allowingOverlap: false)
    try await note(receipt)
    let id = Appointment.ID(receipt.key.id)
    try await note(try await appointments.edit(id, allowingOverlap: false) { $0.comment = "by phone" })
    // Half of the time is taken at the server.
    try await note(
      try await appointments.edit(id, allowingOverlap: false) {
        ($0.start, $0.end) = (Instant("2026-12-01T10:00:00-05:00"), Instant("2026-12-01T11:00:00-05:00"))
      })
    try await note(
      try await appointments.edit(id, allowingOverlap: false) {
        ($0.start, $0.end) = (Instant("2026-12-01T11:00:00-05:00"), Instant("2026-12-01T11:20:00-05:00"))
      })
    try await note(try await appointments.edit(id, allowingOverlap: false) { $0.status = .known(.cancelled) })
    #expect(filled == [["Slot/x-0", "Slot/x-1"], ["Slot/x-0", "Slot/x-1"], ["nothing"], ["Slot/x-4"], ["nothing"]])
    await clinic.remove()
  }
}
