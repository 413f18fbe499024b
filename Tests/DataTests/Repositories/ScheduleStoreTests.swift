import Data
import Domain
import JSON
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
}
