@testable import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Selection: what the clinic needs is pulled, not the world")
struct SelectionTests {
  /// A clinic at the place l-1 whose panel is that of dr-1; the world's day is Monday 2026-11-30.
  static func open(
    _ kind: ServerKind = .standard, _ change: (inout PullSelection) -> Void = { _ in }
  ) async throws -> TestClinic {
    var selection = PullSelection(
      locations: ["l-1"], panelPractitioners: ["dr-1"], zone: try #require(ClinicZone("Europe/London")))
    change(&selection)
    return try await TestClinic.open(profile: kind.profile) { $0.selection = selection }
  }

  static func appointment(_ id: String, _ start: String, of patient: String, at place: String = "l-1") -> JSONValue {
    let begin = Instant(start) ?? Instant(secondsSince1970: 0)
    return [
      "resourceType": "Appointment", "id": .string(id), "status": "booked", "start": .string(start),
      "end": .string(begin.adding(seconds: 1_200).utcText),
      "participant": [
        ["actor": ["reference": .string("Patient/\(patient)")], "status": "accepted"],
        ["actor": ["reference": .string("Location/\(place)")], "status": "accepted"],
      ],
    ]
  }

  static func condition(_ id: String, of patient: String) -> JSONValue {
    [
      "resourceType": "Condition", "id": .string(id), "subject": ["reference": .string("Patient/\(patient)")],
      "code": ["text": "Asthma"],
    ]
  }

  static func ids(_ clinic: TestClinic, _ type: String) async throws -> [String] {
    try await clinic.data.store.read { transaction throws(AppError) in
      try transaction.all("SELECT id FROM resource WHERE type = ? AND visible = 1 ORDER BY id", [.text(type)]) {
        row throws(SQLiteError) in row.text(0)
      }
    }
  }

  static func day(_ text: String) -> Range<Instant> {
    let zone = ClinicZone("Europe/London") ?? .utc
    return zone.bounds(of: CalendarDay(text) ?? CalendarDay(daysSince1970: 0))
  }

  static func schedule(
    _ clinic: TestClinic, _ day: String, _ policy: ReadPolicy = .localOnly
  ) async -> Snapshot<[ScheduledAppointment]>? {
    let answers = clinic.data.appointments.appointments(
      matching: AppointmentQuery(span: Self.day(day)), policy: policy)
    return policy == .localOnly ? await answers.first() : await answers.settled()
  }

  /// What the server holds: people and charts in and out of the selection.
  static func fill(_ clinic: TestClinic) {
    for id in ["near", "far", "elsewhere", "panel"] { clinic.serverPatient("p-\(id)", family: id) }
    clinic.change("Patient", "p-panel") { $0["generalPractitioner"] = [["reference": "Practitioner/dr-1"]] }
    clinic.put(appointment("a-near", "2026-12-02T09:00:00Z", of: "p-near"))
    clinic.put(appointment("a-far", "2027-06-02T09:00:00Z", of: "p-far"))
    clinic.put(appointment("a-elsewhere", "2026-12-02T09:00:00Z", of: "p-elsewhere", at: "l-9"))
    for id in ["near", "far", "elsewhere", "panel"] { clinic.put(condition("c-\(id)", of: "p-\(id)")) }
  }

  @Test(
    "a sync pulls the days of the schedule, who is on it, the panel, and their charts", arguments: ServerKind.allCases)
  func needed(kind: ServerKind) async throws {
    let clinic = try await Self.open(kind)
    Self.fill(clinic)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(try await Self.ids(clinic, "Appointment") == ["a-near"])
    #expect(try await Self.ids(clinic, "Patient") == ["p-near", "p-panel"])
    #expect(try await Self.ids(clinic, "Condition") == ["c-near", "c-panel"])
    // Incremental: nothing changed, and nothing comes twice.
    #expect(try await clinic.sync().types.allSatisfy { $0.pulled == 0 })
    clinic.put(Self.condition("c-new", of: "p-panel"))
    clinic.world.advance(seconds: 1)
    try await clinic.sync()
    #expect(try await Self.ids(clinic, "Condition") == ["c-near", "c-new", "c-panel"])
    await clinic.remove()
  }

  @Test(
    "what takes more than a page stays within the selection on every page",
    arguments: [ServerKind.standard, .noHistory])
  func pages(kind: ServerKind) async throws {
    let clinic = try await Self.open(kind)
    for id in ["near", "elsewhere"] { clinic.serverPatient("p-\(id)", family: id) }
    for number in 0..<PullRequest.pageSize + 30 {
      let isNear = number % 10 != 0
      let id = isNear ? "near" : "elsewhere"
      clinic.put(
        Self.appointment("a-\(number)", "2026-12-02T09:00:00Z", of: "p-\(id)", at: isNear ? "l-1" : "l-9"))
      clinic.put(Self.appointment("a-more-\(number)", "2026-12-03T09:00:00Z", of: "p-near"))
      clinic.put(Self.condition("c-\(number)", of: "p-\(id)"))
      clinic.put(Self.condition("c-more-\(number)", of: "p-near"))
    }
    #expect(try await clinic.sync().outcome == .complete)
    let isIn = (0..<PullRequest.pageSize + 30).filter { $0 % 10 != 0 }.count
    #expect(try await Self.ids(clinic, "Appointment").count == isIn + PullRequest.pageSize + 30)
    #expect(try await Self.ids(clinic, "Condition").count == isIn + PullRequest.pageSize + 30)
    #expect(try await Self.ids(clinic, "Patient") == ["p-near"])
    await clinic.remove()
  }

  @Test("who is outside the selection is fetched when opened, with the chart, and followed from then on")
  func opened() async throws {
    let clinic = try await Self.open()
    Self.fill(clinic)
    try await clinic.sync()
    let id = Patient.ID("p-far")
    #expect(await clinic.patient(id) == nil)
    #expect(await clinic.data.patients.patient(id, policy: .revalidateWhenStale).settled()?.value != nil)
    let before = await clinic.data.conditions.entries(of: id, policy: .localOnly).first()
    #expect(before?.freshness == .missing && before?.mayBeIncomplete == true)
    let chart = await clinic.data.conditions.entries(of: id, policy: .revalidateWhenStale).settled()
    #expect(chart?.value?.map(\.id) == ["c-far"] && chart?.mayBeIncomplete == false)
    try await clinic.data.patients.markOpened(id)
    clinic.put(Self.condition("c-later", of: "p-far"))
    try await clinic.sync()
    #expect(try await Self.ids(clinic, "Condition").contains("c-later"))
    await clinic.remove()
  }

  @Test("pruning keeps what the selection pulls, is unsent or was opened of late, and drops what its days have left")
  func pruned() async throws {
    let clinic = try await Self.open { $0.panelPatients = ["p-listed"] }
    Self.fill(clinic)
    clinic.serverPatient("p-listed", family: "listed")
    clinic.put(["resourceType": "Schedule", "id": "s-1", "actor": [["reference": "Location/l-1"]]])
    clinic.put([
      "resourceType": "Slot", "id": "slot-past", "status": "free", "schedule": ["reference": "Schedule/s-1"],
      "start": "2026-12-02T09:00:00Z", "end": "2026-12-02T09:20:00Z",
    ])
    try await clinic.sync()
    for id: Patient.ID in ["p-far", "p-elsewhere"] {
      _ = await clinic.data.patients.patient(id, policy: .revalidateWhenStale).settled()
      _ = await clinic.data.conditions.entries(of: id, policy: .revalidateWhenStale).settled()
    }
    try await clinic.data.patients.markOpened("p-far")
    try await clinic.setPhone("2", of: "p-elsewhere")
    // The schedule's own days have gone by; the one who was on it is followed no more.
    clinic.world.advance(seconds: 70 * 86_400)
    clinic.put([
      "resourceType": "Slot", "id": "slot-now", "status": "free", "schedule": ["reference": "Schedule/s-1"],
      "start": "2027-02-10T09:00:00Z", "end": "2027-02-10T09:20:00Z",
    ])
    try await clinic.sync(pushes: false)
    let pruning = try await clinic.data.stores.prune(keepingOpened: 1, confirmed: true)
    #expect(
      pruning.dropped
        == [("Appointment", 1), ("Condition", 2), ("Patient", 1), ("Slot", 1)]
        .map { StorePruning.TypeCount(type: $0.0, count: $0.1) })
    #expect(try await Self.ids(clinic, "Patient") == ["p-elsewhere", "p-far", "p-listed", "p-panel"])
    #expect(try await Self.ids(clinic, "Condition") == ["c-far", "c-panel"])
    #expect(try await Self.ids(clinic, "Slot") == ["slot-now"])
    #expect(try await Self.ids(clinic, "Schedule") == ["s-1"])
    #expect(try await clinic.data.stores.check().problems == [])
    // What was dropped is not taken for deleted, and what is unsent goes out.
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-elsewhere")?.phone == "2")
    #expect(clinic.model.resource("Patient", "p-near") != nil)
    let later = try await clinic.data.stores.prune(keepingOpened: 1, confirmed: true)
    #expect(later.dropped == [StorePruning.TypeCount(type: "Patient", count: 1)])
    // Who comes back is pulled from the beginning.
    clinic.put(Self.appointment("a-again", "2027-02-10T10:00:00Z", of: "p-near"))
    try await clinic.sync()
    #expect(try await Self.ids(clinic, "Condition") == ["c-far", "c-near", "c-panel"])
    await clinic.remove()
  }

  @Test("a day outside the selection is pulled when it is asked for, and says until then that it may be incomplete")
  func farDay() async throws {
    let clinic = try await Self.open()
    Self.fill(clinic)
    try await clinic.sync()
    #expect(await Self.schedule(clinic, "2027-06-02")?.mayBeIncomplete == true)
    let asked = await Self.schedule(clinic, "2027-06-02", .revalidateWhenStale)
    #expect(asked?.value?.map(\.id) == ["a-far"] && asked?.mayBeIncomplete == false)
    await clinic.remove()
  }

  @Test("a search says that the store may not hold everyone; with everything pulled it does not say so")
  func incomplete() async throws {
    for isSelected in [true, false] {
      let clinic = isSelected ? try await Self.open() : try await TestClinic.open()
      Self.fill(clinic)
      try await clinic.sync()
      let found = await clinic.data.patients.patients(matching: PatientQuery(text: "near"), policy: .localOnly).first()
      #expect(found?.value?.map(\.id) == ["p-near"] && found?.mayBeIncomplete == isSelected)
      #expect(found?.freshness == .fresh(asOf: Instant(milliseconds: clinic.world.now)))
      await clinic.remove()
    }
  }

  @Test(
    "an appointment that was moved elsewhere is on one day only after a revalidation of either day",
    arguments: ["2026-12-02", "2026-12-16"], [ServerKind.standard, .noHistory])
  func moved(asked: String, kind: ServerKind) async throws {
    let clinic = try await Self.open(kind)
    Self.fill(clinic)
    try await clinic.sync()
    clinic.world.advance(seconds: 600)
    clinic.change("Appointment", "a-near") {
      $0["start"] = "2026-12-16T09:00:00Z"
      $0["end"] = "2026-12-16T09:20:00Z"
    }
    _ = await Self.schedule(clinic, asked, .revalidateAlways)
    #expect(await Self.schedule(clinic, "2026-12-02")?.value == [])
    #expect(await Self.schedule(clinic, "2026-12-16")?.value?.map(\.id) == ["a-near"])
    await clinic.remove()
  }

  @Test("what left the selection's filter is up to date once, and then not asked about with it any more")
  func left() async throws {
    let clinic = try await Self.open()
    Self.fill(clinic)
    try await clinic.sync()
    clinic.world.advance(seconds: 600)
    clinic.change("Appointment", "a-near") { document in
      document["participant"] = [
        ["actor": ["reference": "Patient/p-near"], "status": "accepted"],
        ["actor": ["reference": "Location/l-9"], "status": "accepted"],
      ]
    }
    _ = await Self.schedule(clinic, "2026-12-02", .revalidateAlways)
    #expect(await Self.schedule(clinic, "2026-12-02")?.value?.first?.appointment.location?.id == "l-9")
    clinic.transport.forgetSent()
    _ = await Self.schedule(clinic, "2026-12-02", .revalidateAlways)
    #expect(clinic.transport.sent.contains { $0.contains("_id=") } == false)
    await clinic.remove()
  }

  @Test(
    "weeks begin on Monday in the clinic's zone, whatever the machine's is",
    arguments: [
      ("Pacific/Auckland", "2026-11-29T11:00:00Z"), ("UTC", "2026-11-30T00:00:00Z"),
      ("America/Los_Angeles", "2026-11-30T08:00:00Z"),
    ])
  func weeks(name: String, start: String) throws {
    let zone = try #require(ClinicZone(name))
    let plan = PullPlan(selection: PullSelection(zone: zone))
    let monday = zone.bounds(of: try #require(CalendarDay("2026-11-30")))
    let scopes = plan.schedule(monday).scopes
    #expect(scopes.map { $0.filter.map(\.value) }.first?.first == "ge\(start)")
    #expect(scopes.count == 1)
    let sunday = zone.bounds(of: try #require(CalendarDay("2026-12-06")))
    #expect(plan.schedule(sunday) == PullPlan.Scopes(scopes: scopes))
    #expect(plan.schedule(monday.lowerBound..<monday.lowerBound.adding(seconds: 365 * 86_400)).isPartial)
    #expect(plan.schedule(zone.bounds(of: try #require(CalendarDay("2026-12-07")))).scopes != scopes)
  }

  @Test("weeks before 1970 and across years are counted without a gap")
  func weekNumbers() {
    for number in [-60, -2, -1, 0, 1, 2_970] {
      let week = CalendarWeek(number: number)
      for day in 0..<7 { #expect(CalendarWeek(of: week.firstDay.adding(days: day)) == week) }
    }
  }
}
