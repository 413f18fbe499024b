import Data
import Foundation
import JSON
import Testing
import TestSupport

/// What is not a death: Ctrl-C, and sleep, at the points where it matters.
@Suite(.fewAtATime) struct SignalTests {
  private static let writePoints: [FailPoint] = [
    .writeBegun, .writeResourceStored, .writeEnqueued, .writeCommitted,
  ]

  @Test("Ctrl-C in the middle of a write: it is not there, or it is acknowledged", arguments: writePoints)
  func interruptedWrite(point: FailPoint) async throws {
    try await MockServerProcess.with { mock in
      try await mock.put(patient("p-1", phone: "0"))
      try await mock.put(pulse("o-1", of: "p-1"))
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        let lines = [
          "patients register --family Okafor --given Chidi", "appointments book p-1 2031-05-06 09:00 20min",
          "vitals add pulse 72 --patient p-1", "patients edit p-1 --phone 1", "vitals note o-1 --text seen",
        ]
        for line in lines {
          let before = try desk.unsent()
          let result = try await desk.run(line) { launch in
            launch.environment["CLINIC_FAIL_POINT"] = point.rawValue
            launch.environment["CLINIC_FAIL_SIGNAL"] = String(SIGINT)
          }
          let isThere = try desk.unsent() > before
          let isAcknowledged = result.output.contains("saved here")
          #expect(isThere == isAcknowledged && [0, 130].contains(result.status), "\(result)")
        }
      }
    }
  }

  @Test(
    "a sync that falls asleep at any point of a send sends nothing twice",
    arguments: [FailPoint.claimBeforeCommit, .claimCommitted, .sendAnswered, .settleBegun, .settleCommitted])
  func asleep(point: FailPoint) async throws {
    try await MockServerProcess.with(["--profile", "standard"]) { mock in
      try await mock.put(patient("p-1", phone: "0"))
      try await Desk.with(server: mock.base, environment: ["CLINIC_TIMEOUT": "1"]) { desk in
        try await desk.done("sync")
        for pulse in 70...74 { try await desk.done("vitals add pulse \(pulse) --patient p-1") }
        let asleep = try desk.start("sync") { launch in
          launch.environment["CLINIC_FAIL_POINT"] = point.rawValue
          launch.environment["CLINIC_FAIL_SIGNAL"] = String(SIGSTOP)
        }
        try await eventually { asleep.isStopped }
        let other = try await desk.run("sync")
        try await Task.sleep(for: .seconds(2))
        asleep.send(SIGCONT)
        let woken = try await asleep.finished()
        let last = try await desk.run("sync")
        #expect([0, 4, 8].contains(woken.status) && last.status == 0, "\(woken)\(last)")
        // A write transaction that sleeps keeps others out of the store; a sync that sleeps keeps others from sending.
        #expect([6, 7].contains(other.status), "\(other)")
        let pulses = try await mock.resources("Observation").compactMap { $0["valueQuantity"]?["value"]?.int }
        #expect(pulses.sorted() == Array(70...74))
        let log = try await mock.log().filter { $0["type"] == "Observation" }
        #expect(try log.count == 5 && desk.unsent() == 0)
      }
    }
  }

  @Test func `an edit behind a claim that power ended is an edit of its own`() async throws {
    try await MockServerProcess.with { mock in
      try await mock.put(patient("p-1", phone: "0"))
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        try await desk.done("patients edit p-1 --phone 1")
        let died = try await desk.run("sync") {
          $0.environment["CLINIC_FAIL_POINT"] = FailPoint.claimCommitted.rawValue
        }
        try await desk.done("patients edit p-1 --phone 2")
        #expect(try died.status == -SIGKILL && desk.unsent() == 2, "\(died)")
        let sync = try await desk.run("sync")
        let phone = try await mock.resource("Patient/p-1")["telecom"]?[0]?["value"]
        #expect(try sync.status == 0 && desk.unsent() == 0 && phone == "2", "\(sync)")
      }
    }
  }
}
