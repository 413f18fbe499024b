import Foundation
import JSON
import MockServer
import Testing
import TestSupport

/// The scripts of the roles in `Examples`, as they are run at a clinic.
@Suite(.fewAtATime) struct RoleScripts {
  /// The ways of the network.
  enum Network: String, CaseIterable, Sendable {
    /// Always there.
    case online
    /// Away while the roles work, and back at night.
    case offline
    /// Breaks connections all the time, before the server saw a request and after it answered.
    case flapping
  }

  private static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/\(name).clinic").path
  }

  private static let flaps: [MockRelay.Effect] = [
    .resetRequest, .swallowAnswer, .truncateAnswer(atByte: 120), .cutRequest(afterBytes: 200), .resetAnswer,
  ]

  @Test("of all roles do their work, and at night the server has each record once", arguments: Network.allCases)
  func day(network: Network) async throws {
    let model = MockModel(clock: .system)
    model.load(SeededClinic(patients: 6, day: SeededClinic.today()).resources)
    let server = try await MockServer.start(model: model)
    let relay = try await MockRelay.start(to: server.baseURL)
    try await Desk.with(server: relay.baseURL) { desk in
      try await desk.done("sync")
      switch network {
      case .online: break
      case .offline: relay.goDown()
      case .flapping:
        for (index, effect) in Self.flaps.enumerated() {
          relay.add(MockRelay.Rule(skip: index % 2, times: 2, effect: effect))
        }
      }
      for role in ["reception", "nurse", "clinician"] { try await desk.done("run", Self.script(role)) }
      if network == .offline { try relay.comeUp() }
      try await Self.night(desk, mayFail: network == .flapping)
      let outbox = try await desk.done("outbox --json").records("outboxEntry")
      #expect(outbox.isEmpty, "\(outbox)")
    }
    Self.expectDay(model)
    relay.stop()
    await server.stop()
  }

  /// Runs the night's script; again after each failure where the network breaks connections.
  private static func night(_ desk: Desk, mayFail: Bool) async throws {
    for attempt in 1...12 {
      let result = try await desk.run("run", script("night-sync"))
      if result.status == 0 { return }
      guard mayFail, attempt < 12 else {
        Issue.record("\(result)")
        return
      }
      // What may lag at the server is waited for.
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  /// What the three roles did is at the server, once.
  private static func expectDay(_ model: MockModel) {
    let new = [
      "Encounter", "Condition", "AllergyIntolerance", "MedicationRequest", "Immunization", "DocumentReference",
    ]
    let counts = new.map { model.resources($0).count }
    #expect(counts == [1, 1, 1, 1, 1, 2])
    let encounter = model.resources("Encounter").first
    #expect(encounter?["status"] == "finished" && encounter?["period"]?["end"] != nil)
    let reference = encounter?["id"]?.string.map { "Encounter/\($0)" } ?? ""
    let appointment = model.resources("Appointment").first { document in
      (encounter?["appointment"]?[0]?["reference"]?.string ?? "") == "Appointment/\(document["id"]?.string ?? "")"
    }
    #expect(appointment?["status"] == "fulfilled")
    let vitals = model.resources("Observation").filter { $0["encounter"]?["reference"]?.string == reference }
    #expect(vitals.count == 6)
    let notes = model.resources("DocumentReference")
    #expect(
      notes.allSatisfy {
        $0["docStatus"] == "final" && $0["context"]?["encounter"]?[0]?["reference"]?.string == reference
      })
  }
}
