import Foundation
import JSON
import Testing
import TestSupport

/// A sync at three in the morning, and what may be wrong around it: a stated exit status, one useful line, nothing lost.
@Suite(.fewAtATime) struct UnattendedProcessTests {
  /// A desk with edits of three patients that were not sent.
  private func withUnsent(_ body: (MockServerProcess, Desk) async throws -> Void) async throws {
    try await MockServerProcess.with { mock in
      for id in ["p-1", "p-2", "p-3"] { try await mock.put(patient(id, phone: "0")) }
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        for id in ["p-1", "p-2", "p-3"] { try await desk.done("patients edit \(id) --phone 1") }
        try await body(mock, desk)
        try await desk.done("sync")
        #expect(try desk.unsent() == 0)
        for id in ["p-1", "p-2", "p-3"] {
          #expect(try await mock.resource("Patient/\(id)")["telecom"]?[0]?["value"] == "1")
          #expect(try await mock.versions("Patient/\(id)").count == 2)
        }
      }
    }
  }

  private func expectOneUsefulLine(_ result: Finished, _ words: String...) {
    let errors = result.errors.split(separator: "\n")
    #expect(errors.count { $0.hasPrefix("Error: ") } == 1 && errors.count <= 2, "\(result)")
    for word in words { #expect(result.errors.contains(word), "\(result)") }
  }

  @Test("a full disk is status 7, at whatever write it is full", arguments: [0, 1, 3, 6, 10, 20, 40])
  func fullDisk(after writes: Int) async throws {
    let library = try await PreloadedLibrary.fullDisk.value
    try await withUnsent { mock, desk in
      for line in ["sync", "patients edit p-1 --phone 2"] {
        let result = try await desk.run(line) { launch in
          launch.environment["LD_PRELOAD"] = library
          launch.environment["CLINIC_TEST_FULL"] = desk.store
          launch.environment["CLINIC_TEST_FULL_AFTER"] = String(writes)
        }
        guard result.status != 0 else { continue }
        #expect(result.status == 7, "\(result)")
        expectOneUsefulLine(result, "full")
      }
      // Where the edit was still taken, it is taken back.
      if try desk.query("SELECT count(*) FROM resource WHERE CAST(view AS TEXT) LIKE '%\"value\":\"2\"%'") != ["0"] {
        try await desk.done("patients edit p-1 --phone 1")
      }
    }
  }

  @Test func `a folder that may only be read is status 7, and left as it is`() async throws {
    // Root may write everywhere, so the lines run as nobody.
    let isRoot = geteuid() == 0
    let helper = isRoot ? try? Program.onPath("setpriv") : nil
    guard !isRoot || helper != nil else { return }
    let owner = isRoot ? 65_534 : Int(geteuid())
    func prepare(_ launch: inout Program.Launch) {
      guard let helper else { return }
      launch.arguments =
        ["--reuid=\(owner)", "--regid=\(owner)", "--clear-groups", "--", launch.path] + launch.arguments
      launch.path = helper
    }
    try await withUnsent { _, desk in
      var files = [desk.store]
      files += try FileManager.default.contentsOfDirectory(atPath: desk.store).map { "\(desk.store)/\($0)" }
      for path in files {
        if isRoot { try FileManager.default.setAttributes([.ownerAccountID: owner], ofItemAtPath: path) }
        chmod(path, path == desk.store ? 0o555 : 0o444)
      }
      let program = try await desk.run("--version", configure: prepare)
      // Where nobody may not even start the program, there is nothing to see.
      if program.status == 0 {
        for line in ["sync", "patients edit p-1 --phone 2", "patients show p-1"] {
          let result = try await desk.run(line, configure: prepare)
          #expect(result.status == 7, "\(result)")
          expectOneUsefulLine(result, "cannot be")
        }
      }
      for path in files {
        if isRoot { try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: path) }
        chmod(path, path == desk.store ? 0o700 : 0o600)
      }
    }
  }

  @Test("a sync that is told to end finishes what is with the server", arguments: [SIGTERM, SIGHUP])
  func finishes(signal: Int32) async throws {
    try await withUnsent { mock, desk in
      try await mock.fail(["method": "PUT", "delay": 1_500, "times": 0])
      let sync = try desk.start("sync --log \(desk.folder)/sync.log") { $0.hasOwnSession = true }
      try await eventually { try desk.query("SELECT 1 FROM outbox WHERE state = 'sending'").isEmpty == false }
      sync.send(signal)
      let ended = try await sync.finished()
      #expect(ended.status == 143, "\(ended)")
      #expect(try desk.query("SELECT state FROM outbox WHERE state != 'pending'").isEmpty)
      let sent = try await mock.log().count { $0["method"] == "PUT" }
      #expect(try sent - 3 + desk.unsent() == 3)
      let log = try String(contentsOfFile: "\(desk.folder)/sync.log", encoding: .utf8)
      #expect(log.split(separator: "\n").count == 2 && !log.contains("Family"), "\(log)")
      _ = try await PlainHTTP.send(mock.port, "DELETE", "/$mock/faults")
    }
  }

  @Test(
    "a watch sends what is written meanwhile, tells it, and ends when it is told to or nobody reads",
    arguments: [true, false])
  func watch(isRead: Bool) async throws {
    try await withUnsent { mock, desk in
      let watch = try desk.start("sync --watch --json") { $0.outputHasNoReader = !isRead }
      if isRead {
        try await eventually { watch.outputSoFar.contains("\"sent\":3") }
        try await desk.done("patients register --family Meanwhile --given Jo --birth 1980")
        try await eventually { watch.outputSoFar.contains("\"sent\":1") }
        watch.send(SIGTERM)
      }
      let ended = try await watch.finished()
      #expect(ended.status == (isRead ? 143 : 0), "\(ended)")
    }
  }

  @Test func `a log that is rotated away goes on under its name`() async throws {
    try await withUnsent { mock, desk in
      let log = "\(desk.folder)/sync.log"
      let watch = try desk.start("sync --watch --log \(log)")
      try await eventually { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("sync-ended") == true }
      try FileManager.default.moveItem(atPath: log, toPath: "\(log).1")
      try await desk.done("patients register --family Rotated --given Jo --birth 1980")
      try await eventually { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("sync-ended") == true }
      watch.send(SIGTERM)
      let ended = try await watch.finished()
      let text = try String(contentsOfFile: log, encoding: .utf8)
      #expect(ended.status == 143 && !text.contains("Rotated"), "\(ended)")
    }
  }
}
