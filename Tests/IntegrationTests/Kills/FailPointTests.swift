import Data
import Foundation
import JSON
import Testing
import TestSupport

/// The real process dies at each of its fail points, as by a power cut, and is started again.
@Suite(.fewAtATime) struct FailPointTests {
  @Test(
    "a death at any point loses nothing and doubles nothing", arguments: FailPoint.allCases,
    ["server-ids", "standard"])
  func death(point: FailPoint, profile: String) async throws {
    try await Desk.with { desk in
      try Day.records.forEach { try desk.serve($0) }
      try await MockServerProcess.with(["--load", "\(desk.folder)/served", "--profile", profile]) { mock in
        var deaths = 0
        var day = Day(desk: Desk(folder: desk.folder, server: mock.base), mock: mock)
        day.perform = { line, words, repeats in
          let before = try day.mark()
          let died = try await day.desk.start(line, words, point: point).finished()
          guard died.status == -SIGKILL else { return died }
          deaths += 1
          // A write that was durable before the death is not written again by a person who looks first.
          if !repeats, try day.mark() != before { return nil }
          return try await day.desk.start(line, words).finished()
        }
        try await day.play()
        if [.salvageFilled, .storeSetAside].contains(point) { try await day.damage() }
        // Where the server takes our ids, none has to be mapped.
        let isPassed = profile == "server-ids" || point != .settleIdentityMapped
        #expect(deaths > 0 || !isPassed, "\(point) was never passed")
        try await day.check(creates: profile == "server-ids" ? "POST" : "PUT")
      }
    }
  }
}

/// A day at one desk that meets everything: creates, edits, a merge, a conflict, a lost answer, something taken back.
private struct Day {
  /// Runs a line in the way of the test. The last argument tells whether it can be run again without harm; `nil` comes
  /// back when it was done although no answer was seen.
  typealias Performer = (_ line: String, _ words: [String], _ repeats: Bool) async throws -> Finished?

  static let records = (1...3).map { patient("p-\($0)", phone: "0") } + [pulse("o-1", of: "p-1")]

  let desk: Desk
  let mock: MockServerProcess
  var perform: Performer = { _, _, _ in nil }

  init(desk: Desk, mock: MockServerProcess) {
    self.desk = desk
    self.mock = mock
  }

  /// What tells whether a write is in the store.
  func mark() throws -> [String] {
    guard FileManager.default.fileExists(atPath: "\(desk.store)/clinic.sqlite") else { return [] }
    return (try? desk.query("SELECT max(serial) FROM audit")) ?? []
  }

  func play() async throws {
    try await line("sync", repeats: true)
    try desk.alter("UPDATE server SET search_lag = 200")
    // The next entry but one that is settled is the 256th: then the journal is trimmed.
    try desk.alter(
      """
      INSERT INTO journal (serial, number, entry, type, id, kind, outcome, settled)
      VALUES (254, 0, 'e', 'Patient', 'p', 'update', 'accepted', '2026-01-01T00:00:00Z')
      """)
    try await line("patients register --family Okafor --given Chidi --birth 1988-04-12 --identifier", "urn:mrn|K-1")
    try await line("appointments book K-1 2031-05-06 09:00 20min")
    try await line("vitals add pulse 72 --patient K-1")
    // Two observations of one action, which go together where the server can take them so.
    try await line("vitals add temp 37.0 weight 72.50 --patient K-1")
    try await line("patients edit p-1 --phone 111")
    try await line("vitals add pulse 99 --patient p-1")
    let last = try desk.query("SELECT max(number) FROM outbox").first ?? ""
    try await line("outbox discard \(last) --yes")
    try await line("patients edit p-2 --phone 222")
    try await line("patients edit p-3 --address-city Newtown")
    try await mock.put(patient("p-2", phone: "333"))
    try await mock.put(patient("p-3", phone: "333"))
    try await mock.fail(["method": "PUT", "path": "Patient/p-1", "status": 500, "afterwards": true])
    try await line("sync --no-push", repeats: true)
    try await line("sync", repeats: true)
    try await line("review 1 --keep mine --yes")
    // A log of this size is copied at the end of a sync. What is appended belongs to no commit.
    #expect(truncate("\(desk.store)/clinic.sqlite-wal", 5 << 20) == 0)
    try await line("sync", repeats: true)
  }

  /// The store is damaged, salvaged, and a copy put in its place.
  func damage() async throws {
    try await line("store backup --yes", "\(desk.folder)/copy.sqlite", repeats: true)
    // Without its log too: that may hold the page that is lost.
    let store = try FileHandle(forUpdating: URL(fileURLWithPath: "\(desk.store)/clinic.sqlite"))
    try store.write(contentsOf: Data(count: 4_096))
    try store.close()
    #expect(truncate("\(desk.store)/clinic.sqlite-wal", 0) == 0)
    try await line("store salvage --yes", repeats: true)
    try await line("store restore --yes", "\(desk.folder)/copy.sqlite", repeats: true)
  }

  private func line(_ line: String, _ words: String..., repeats: Bool = false) async throws {
    guard let result = try await perform(line, words, repeats) else { return }
    // Until the conflict is settled, a sync says that a person is needed.
    #expect(result.status == 0 || result.status == 3 && line.hasPrefix("sync"), "\(result)")
  }

  func check(creates: String) async throws {
    let last = try await desk.run("sync")
    #expect(try last.status == 0 && (desk.unsent()) == 0, "\(last)")
    let patients = try await mock.resources("Patient")
    let phones = patients.map {
      "\($0["name"]?[0]?["family"]?.string ?? "-") \($0["telecom"]?[0]?["value"]?.string ?? "-")"
    }
    #expect(phones.sorted() == ["Family-p-1 111", "Family-p-2 222", "Family-p-3 333", "Okafor -"])
    #expect(patients.first { $0["id"] == "p-3" }?["address"]?[0]?["city"] == "Newtown")
    let chidi = "Patient/" + (patients.first { $0["name"]?[0]?["family"] == "Okafor" }?["id"]?.string ?? "")
    let booked = try await mock.resources("Appointment")
    #expect(
      booked.count == 1
        && booked[0]["participant"]?.array?.contains { $0["actor"]?["reference"] == .string(chidi) } == true)
    let pulses = try await mock.resources("Observation").map {
      "\($0["subject"]?["reference"]?.string ?? "") \($0["valueQuantity"]?["value"]?.number?.text ?? "")"
    }
    #expect(pulses.sorted() == ["Patient/p-1 70", "\(chidi) 72", "\(chidi) 37.0", "\(chidi) 72.50"].sorted())
    // What was applied: five creates and three edits of ours, and the other desk's two edits.
    let log = try await mock.log().map { "\($0["method"]?.string ?? "") \($0["type"]?.string ?? "")" }
    let created = ["Appointment", "Observation", "Observation", "Observation", "Patient"].map { "\(creates) \($0)" }
    let expected = created + Array(repeating: "PUT Patient", count: 5)
    #expect(log.sorted() == expected.sorted())
  }
}

extension Desk {
  /// Starts a line that dies at a fail point.
  func start(_ line: String, _ words: [String], point: FailPoint? = nil) throws -> Program {
    var launch = launch(line.split(separator: " ").map(String.init) + words)
    launch.environment["CLINIC_FAIL_POINT"] = point?.rawValue
    return try Program.start(launch)
  }

  /// Puts a record where `--load` finds it.
  func serve(_ document: JSONValue) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/served", withIntermediateDirectories: true)
    let name = "\(document["resourceType"]?.string ?? "")-\(document["id"]?.string ?? "").json"
    try Data(document.bytes()).write(to: URL(fileURLWithPath: "\(folder)/served/\(name)"))
  }
}
