import Foundation
import JSON
import Testing
import TestSupport

/// Client and server die at moments that nobody chose.
@Suite(.fewAtATime) struct RandomKillTests {
  private static let writes = 60

  /// A desk with one patient in its store and many writes in its outbox.
  private func withQueue(
    _ profile: String, _ body: (Desk, MockServerProcess, _ arguments: [String]) async throws -> Void
  )
    async throws
  {
    try await Desk.with { desk in
      try desk.serve(patient("p-1", phone: "0"))
      let arguments = ["--load", "\(desk.folder)/served", "--profile", profile, "--journal", "\(desk.folder)/journal"]
      let mock = try await MockServerProcess.start(arguments)
      let with = Desk(folder: desk.folder, server: mock.base, environment: ["CLINIC_TIMEOUT": "5"])
      do {
        try await with.done("sync")
        try with.alter("UPDATE server SET search_lag = 100")
        let lines = (0..<Self.writes).map { "vitals add pulse \(40 + $0) --patient p-1" }
        let script = try with.file("queue.clinic", lines.joined(separator: "\n"))
        try await with.done("run \(script)")
        try await body(with, mock, arguments)
      } catch {
        await mock.kill()
        throw error
      }
    }
  }

  private func check(_ desk: Desk, _ mock: MockServerProcess) async throws {
    let last = try await desk.run("sync")
    #expect(try last.status == 0 && (desk.unsent()) == 0, "\(last)")
    let values = try await mock.resources("Observation").compactMap { $0["valueQuantity"]?["value"]?.int }
    #expect(values.sorted() == Array(40..<40 + Self.writes))
    // A journal brings records back, and each has had one version.
    for one in try await mock.resources("Observation") {
      let reference = "Observation/\(one["id"]?.string ?? "")"
      #expect(try await mock.versions(reference).count == 1, "\(reference)")
    }
  }

  @Test("a client that is killed again and again sends each write once", arguments: ["standard", "server-ids"])
  func client(profile: String) async throws {
    try await withQueue(profile) { desk, mock, _ in
      var random = SeededNumbers(profile == "standard" ? 11 : 12)
      for round in 0..<Scale.times(6) {
        let sync = try desk.start("sync")
        if round.isMultiple(of: 2) {
          // In the middle of its sending: the server has some of what it had not.
          let applied = try await mock.log().count
          let enough = Int.random(in: 1...15, using: &random)
          try await eventually { try await mock.log().count >= applied + enough || !sync.isRunning }
        } else {
          try await Task.sleep(for: .milliseconds(Int.random(in: 20...500, using: &random)))
        }
        sync.send(SIGKILL)
        try await sync.finished()
        if try desk.unsent() == 0 { break }
      }
      try await check(desk, mock)
      await mock.kill()
    }
  }

  @Test("a server that is killed in the middle of a sync gets each write once", arguments: ["standard", "server-ids"])
  func server(profile: String) async throws {
    try await withQueue(profile) { desk, first, arguments in
      var random = SeededNumbers(profile == "standard" ? 21 : 22)
      var mock = first
      for _ in 0..<Scale.times(4) {
        let sync = try desk.start("sync")
        let applied = try await mock.log().count
        let enough = Int.random(in: 1...20, using: &random)
        let server = mock
        try await eventually { try await server.log().count >= applied + enough || !sync.isRunning }
        await mock.kill()
        let ended = try await sync.finished()
        #expect([0, 4].contains(ended.status), "\(ended)")
        mock = try await MockServerProcess.start(arguments, port: mock.port)
        if try desk.unsent() == 0 { break }
      }
      try await check(desk, mock)
      await mock.kill()
    }
  }
}
