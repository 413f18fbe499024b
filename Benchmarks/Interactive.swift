import Data
import Domain
import Foundation

/// What a person at the prompt waits for, alone and beside a sync at full speed in another process.
struct Interactive {
  let folder: String
  /// Patients in the store.
  private let patients = 1_000
  /// Entries that the other process has to send: enough to last.
  private let queued = 12_000
  private let rounds = 300

  private struct Times {
    var write = Samples()
    var read = Samples()
    var search = Samples()
  }

  init(folder: String) { self.folder = folder }

  func run() async throws {
    let server = try Child(.serve, String(patients))
    defer { server.end() }
    let url = server.line()
    let directory = "\(folder)/interactive"
    let clinic = try await Child.open(directory, server: url)
    _ = try await clinic.sync.sync(SyncOptions(), progress: { _ in })
    _ = try await measure(clinic, while: nil)
    let alone = try await measure(clinic, while: nil)
    for number in 0..<queued { _ = try await clinic.patients.register(Self.patient("Queued \(number)")) }
    let sync = try Child(.drain, directory, url)
    _ = sync.line()
    let beside = try await measure(clinic, while: sync)
    let lasted = sync.isRunning
    sync.end()
    await clinic.close()
    print(
      "\nAt the prompt, beside a sync at full speed in another process (\(beside.write.count) rounds\(lasted ? "" : "; the sync ended first")):"
    )
    Table.begin("microseconds", "alone p50", "p99", "beside p50", "p99", "ratio p50", "p99")
    row("a write, durable when it returns", alone.write, beside.write)
    row("a patient read", alone.read, beside.read)
    row("a search by name, 20 rows", alone.search, beside.search)
  }

  private func row(_ name: String, _ alone: Samples, _ beside: Samples) {
    let (a50, a99) = (alone.percentile(0.5), alone.percentile(0.99))
    let (b50, b99) = (beside.percentile(0.5), beside.percentile(0.99))
    Table.row(
      name, Table.number(a50), Table.number(a99), Table.number(b50), Table.number(b99), Table.ratio(b50 / a50),
      Table.ratio(b99 / a99))
  }

  private func measure(_ clinic: ClinicData, while other: Child?) async throws -> Times {
    let clock = ContinuousClock()
    var times = Times()
    for round in 0..<rounds {
      if let other, !other.isRunning { break }
      let id = Patient.ID(Self.id(1 + round % patients))
      times.write.add(
        try await clock.measure { _ = try await clinic.patients.register(Self.patient("Typed \(round)")) })
      times.read.add(await clock.measure { _ = await clinic.patients.patient(id, policy: .localOnly).first() })
      times.search.add(
        await clock.measure {
          _ = await clinic.patients.patients(matching: PatientQuery(text: "an", limit: 20), policy: .localOnly).first()
        })
      // Nobody types without a pause.
      try await Task.sleep(for: .milliseconds(3))
    }
    return times
  }

  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "patient-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  static func patient(_ family: String) -> Patient {
    Patient(
      id: Patient.ID(""), name: [HumanName(family: family, given: ["Ada"])],
      telecom: [ContactPoint(system: .known(.phone), value: "020 7946 0000", use: .known(.home))])
  }
}
