import Data
import Domain
import Foundation
import JSON
package import MockServer
import TestSupport

/// A world from a seed: a clinic's computer with one or two processes on one store, a server, other sites, a network.
///
/// Unchecked: everything in a world runs on the one thread that called ``run(_:)``.
package final class SimWorld: @unchecked Sendable {
  package let seed: UInt64
  package let profile: MockProfile
  package let trace: SimTrace
  package let ledger = SimLedger()
  let scheduler: SimScheduler
  let machine: SimMachine
  let network: SimNetwork
  package let server: SimServer
  /// Everything of this world on the real disk.
  let folder: String
  /// The store's folder: another one after each power cut.
  var directory: String
  let disk = FaultyDisk()
  var isDiskFull = false
  /// Whether a disk ever failed: an error may say so.
  var hadDiskFaults = false
  /// Milliseconds that a sync of the disk takes.
  var syncDelay: Int64 = 0
  let authors: [Author]
  let isService: Bool
  let processCount: Int
  let weather: SimWeather
  let lane: SimLane
  var processes: [SimProcess?] = [nil, nil]
  /// All that ever lived.
  var all: [SimProcess] = []
  var lives = 0
  var lanes: [SimLane] = []
  /// Keys that people at the client may pick: records made here, and those of the server.
  var known: [ResourceKey] = []
  /// What was deleted before the first complete pull of its type: only a reading of the record tells.
  var untold: Set<ResourceKey> = []
  private var isOver = false

  /// What a run came to.
  package struct Outcome: Sendable {
    package var problems: [String]
    package var hash: UInt64
    package var lines: [String]
    package var virtualMilliseconds: Int64
    package var jobs: Int
    package var kind: String
    package var counts: [String: Int]
  }

  package init(seed: UInt64, keepsTrace: Bool = false) {
    self.seed = seed
    var random = SimRandom(seed: seed, stream: 5)
    profile = SimServerKind.drawn(seed: seed, &random)
    trace = SimTrace(keepsAll: keepsTrace)
    scheduler = SimScheduler(seed: seed)
    machine = SimMachine(scheduler, seed: seed, skew: random.chance(0.3) ? Int64(random.int(-300_000...300_000)) : 0)
    let serverSkew = random.chance(0.3) ? Int64(random.int(-60_000...60_000)) : 0
    weather = SimWeather.drawn(&random)
    let people = [Author.operatingSystemUser("nora"), Author.operatingSystemUser("omar")]
    authors = random.chance(0.4) ? people : [people[0]]
    isService = random.chance(0.4)
    server = SimServer(
      profile: profile, machine: machine, ledger: ledger, trace: trace, seed: seed, skew: serverSkew,
      sendsForAll: isService)
    network = SimNetwork(server, machine: machine, trace: trace, seed: seed, weather: weather)
    processCount = random.chance(0.35) ? 2 : 1
    lane = SimLane(scheduler, name: "world")
    folder = Self.newFolder(seed)
    directory = folder + "/1"
    prepareServer()
  }

  private static func newFolder(_ seed: UInt64) -> String {
    let base =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    return "\(base)/clinic-sim-\(getpid())-\(seed)-\(UUID().uuidString.prefix(8))"
  }

  private func prepareServer() {
    server.load(
      (1...3).map { number in
        [
          "resourceType": "Patient", "id": .string("p-\(number)"), "name": [["family": .string("first-\(number)")]],
          "telecom": [["system": "phone", "use": "home", "value": .string("10\(number)")]],
          "address": [["use": "home", "city": .string("town-\(number)")]],
        ]
      })
    server.load([
      [
        "resourceType": "Appointment", "id": "a-1", "status": "booked", "start": "2027-01-04T08:00:00Z",
        "end": "2027-01-04T08:30:00Z", "comment": "first comment",
        "participant": [["actor": ["reference": "Patient/p-1"], "status": "accepted"]],
      ],
      [
        "resourceType": "Observation", "id": "o-1", "status": "final", "code": ["text": "Pulse"],
        "subject": ["reference": "Patient/p-1"], "valueQuantity": ["value": 72, "unit": "/min"],
      ],
    ])
    known = ["p-1", "p-2", "p-3"].map { ResourceKey(type: "Patient", id: $0) }
    known += [ResourceKey(type: "Appointment", id: "a-1"), ResourceKey(type: "Observation", id: "o-1")]
  }

  /// Runs a program to its end, checks, and cleans up.
  package func run(_ program: [SimStep]) -> Outcome {
    _ = Task(executorPreference: lane) { [self] in
      await play(program)
      isOver = true
    }
    let maximumJobs = seed < SimProgram.firstLong ? 60_000 : 240_000
    if !scheduler.run(maximumJobs: maximumJobs, until: { isOver }) {
      ledger.problem("no rest: the world goes round in circles")
    } else if !isOver {
      ledger.problem("no rest: somebody waits for what never comes")
    }
    let outcome = Outcome(
      problems: ledger.problems, hash: trace.hash, lines: trace.lines, virtualMilliseconds: scheduler.now,
      jobs: scheduler.jobs, kind: SimServerKind.describe(profile), counts: counts())
    dissolve()
    return outcome
  }

  private func counts() -> [String: Int] {
    [
      "writes": ledger.writes.count { $0.isAcknowledged }, "versions": server.versions.count, "lives": lives,
      "decided": ledger.decided.count, "gaps": server.excusedGaps,
    ]
  }

  /// Ends all that still runs, so that the next world finds nothing of this one.
  private func dissolve() {
    network.weather = {
      var weather = SimWeather(); weather.isDown = true; return weather
    }()
    disk.unmountAll()
    for lane in lanes { lane.bury() }
    for process in all {
      for reader in process.readers { reader.cancel() }
      _ = Task(executorPreference: lane) {
        await process.background?.end()
        await process.data.close()
      }
    }
    _ = scheduler.run(maximumJobs: 40_000, until: { false })
    try? FileManager.default.removeItem(atPath: folder)
  }

  func note(_ text: String) { trace.note(scheduler.now, text) }

  func wait(_ milliseconds: Int) async { try? await scheduler.sleep(milliseconds: Int64(milliseconds)) }

  private func play(_ program: [SimStep]) async {
    note(
      "seed \(seed) \(SimServerKind.describe(profile)) processes=\(processCount) authors=\(authors.count)\(isService ? " service" : "")"
    )
    for step in program {
      await wait(step.pause)
      await take(step)
      if ledger.problems.count >= 3 { break }
    }
    await settle()
  }
}
