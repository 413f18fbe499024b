import Domain
import Foundation
import Synchronization
import TestSupport

@testable import App

/// Text that is kept.
nonisolated final class MemorySink: TextSink {
  private let state = Mutex("")
  private let closesAfter: Int?

  /// - Parameter closesAfter: After so many characters the reader is gone.
  init(closesAfter: Int? = nil) {
    self.closesAfter = closesAfter
  }

  var text: String { state.withLock { $0 } }

  func write(_ text: String) async throws(OutputClosed) {
    if let closesAfter, self.text.count >= closesAfter { throw OutputClosed() }
    state.withLock { $0 += text }
  }

  func post(_ text: String) { state.withLock { $0 += text } }
}

/// Lines that are there from the start.
nonisolated final class MemoryLines: LineSource {
  private let state: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) {
    state = Mutex(bytes[...])
  }

  convenience init(_ text: String = "") {
    self.init(Array(text.utf8))
  }

  func next() async throws(AppError) -> [UInt8]? {
    if Task.isCancelled { return nil }
    return state.withLock { rest in
      guard !rest.isEmpty else { return nil }
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      return Array(line)
    }
  }
}

/// Fakes of everything below the app.
struct FakeClinic {
  var patients = FakePatientRepository()
  var appointments = FakeAppointmentRepository()
  var schedules = FakeScheduleRepository()
  var observations = FakeObservationRepository()
  var charts = FakeCharts.reading(FakeClinic.ana.id)
  var sync = FakeSyncRepository(expecting: .status)
  var outbox = FakeOutbox()
  var resolver = FakeResolver()
  var stores = FakeStores()
  var identity = FakeIdentity()

  static let ana = Patient(
    id: Patient.ID("p-1"), identifier: [Identifier(value: "MRN-1")],
    name: [HumanName(family: "Pérez", given: ["Ana"])])

  /// A clinic that knows one patient.
  static func withAna() -> FakeClinic {
    let id = ana.id
    let clinic = FakeClinic(
      patients: FakePatientRepository(
        expecting: .read(id, .localOnly), .read(id, .revalidateWhenStale), .read(id, .revalidateAlways),
        .markOpened(id), .recent(20), .search(PatientQuery(text: "Pérez Ana", limit: 20), .localOnly)),
      observations: FakeObservationRepository(expecting: .record))
    clinic.patients.add(ana)
    return clinic
  }

  var repositories: Repositories {
    let directory = FakeDirectory()
    return Repositories(
      patients: patients, appointments: appointments, schedules: schedules, observations: observations,
      encounters: charts.encounters,
      conditions: charts.conditions, allergies: charts.allergies, medications: charts.medications,
      immunizations: charts.immunizations, notes: charts.notes, practitioners: directory, locations: directory,
      resolver: resolver, sync: sync, outbox: outbox, review: outbox, stores: stores,
      identity: identity, places: identity)
  }
}

/// What a run of the program gave.
struct RunResult: Equatable {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs the program on fakes.
func run(
  _ arguments: [String], clinic: FakeClinic = .withAna(), input: MemoryLines = MemoryLines(), isTerminal: Bool = false,
  environment: [String: String] = [:], output: MemorySink = MemorySink(), interruption: Interruption = Interruption()
) async -> RunResult {
  let errors = MemorySink()
  let streams = FrontStreams(
    input: input, output: output, errors: errors, inputIsTerminal: isTerminal, outputIsTerminal: isTerminal,
    errorsAreTerminal: isTerminal, columns: { 80 })
  var variables = [
    "HOME": "/nowhere", "CLINIC_ZONE": "America/New_York", "USER": "nora", "NO_COLOR": "1", "TERM": "dumb",
  ]
  variables.merge(environment) { _, new in new }
  let repositories = clinic.repositories
  let status = await ClinicCommand.run(
    arguments: arguments, environment: variables, streams: streams, interruption: interruption,
    clock: .fixed(Instant("2026-11-30T15:00:00Z") ?? Instant(secondsSince1970: 0)),
    open: { _ throws(AppError) in repositories })
  return RunResult(status: status, output: output.text, errors: errors.text)
}

/// Writes a file that goes with the test.
func withFile<Value>(_ bytes: [UInt8], _ body: (String) async throws -> Value) async throws -> Value {
  let url = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID().uuidString).clinic")
  try Foundation.Data(bytes).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(url.path)
}

func withFile<Value>(_ text: String, _ body: (String) async throws -> Value) async throws -> Value {
  try await withFile(Array(text.utf8), body)
}
