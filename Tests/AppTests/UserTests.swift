import DesignSystem
import Domain
import Foundation
import Scheduling
import TestSupport
import Testing

@testable import App

@Suite("People at one workstation")
struct UserTests {
  private func prompts(_ result: RunResult) -> [String] {
    result.errors.split(separator: "\n").compactMap { line in
      line.range(of: "> ").map { String(line[..<$0.lowerBound]) }
    }
  }

  @Test("a session changes its user without ending, and shows who writes")
  func changes() async {
    let clinic = FakeClinic.withAna()
    let result = await run(
      [], clinic: clinic, input: MemoryLines("login omar\nwhoami\nlogout\nwhoami\nquit\n"), isTerminal: true)
    #expect(result.status == 0)
    #expect(result.output.contains("omar") && result.output.contains("desk"))
    #expect(clinic.identity.author == clinic.identity.owner)
  }

  @Test("where one was comes back at the next session of the same user, and never for another")
  func places() async {
    let clinic = FakeClinic.withAna()
    _ = await run([], clinic: clinic, input: MemoryLines("patients show p-1\nquit\n"), isTerminal: true)
    let again = await run([], clinic: clinic, input: MemoryLines("quit\n"), isTerminal: true)
    #expect(prompts(again).first?.contains("Pérez, Ana") == true)
    let other = await run(
      [], clinic: clinic, input: MemoryLines("login omar\nvitals add pulse 72\nlogout\nquit\n"), isTerminal: true)
    #expect(other.errors.contains("no patient is named"))
    #expect(clinic.observations.recorded.isEmpty)
    #expect(await clinic.identity.lastPlace(of: clinic.identity.owner) == "clinic://patients/p-1")
  }

  @Test("a row number means nothing to whoever sits down next")
  func rows() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.setRecent(Snapshot(value: [FakeClinic.ana], freshness: .missing))
    let result = await run(
      [], clinic: clinic, input: MemoryLines("patients recent\nlogin omar\npatients show #1\nquit\n"), isTerminal: true)
    #expect(!result.output.contains("record      Patient/p-1"))
  }

  @Test("what is not saved is not left without a question, by any way out")
  func unsaved() async {
    let clinic = FakeClinic.withAna()
    let register = "patients register --birth 1980\n"
    for (way, stays) in [("back\nn\n", true), ("back\ny\n", false), ("login omar\nn\n", true), ("home --yes\n", false)]
    {
      let result = await run([], clinic: clinic, input: MemoryLines(register + way), isTerminal: true)
      #expect(result.errors.contains("not saved: the registration of a patient"), "\(way)")
      let last = result.errors.components(separatedBy: "> ").dropLast().last?.components(separatedBy: "[y/N] ").last
      #expect(last?.contains("not saved") == stays, "\(way): \(result.errors)")
    }
    // What was entered is kept with it, and shown where one is.
    let input = "patients register --birth 1980 --phone '555 0100'\ngo clinic://patients?register\nback --yes\nquit\n"
    let shown = await run([], clinic: clinic, input: MemoryLines(input), isTerminal: true)
    #expect(
      shown.output.contains("the registration of a patient is not saved")
        && shown.output.contains("  patients register --birth 1980 --phone '555 0100'\n"), "\(shown.output)")
    let quitting = await run([], clinic: clinic, input: MemoryLines(register + "quit\nn\nquit\ny\n"), isTerminal: true)
    #expect(quitting.status == 0 && quitting.errors.contains("is not saved; leave it? [y/N]"))
  }

  @Test("a line alone cannot sign in, since it would end at once; a script can")
  func alone() async throws {
    #expect(await run(["login", "omar"]).status == 1)
    let clinic = FakeClinic.withAna()
    let result = await run([], clinic: clinic, input: MemoryLines("login omar\nwhoami\n"))
    #expect(result.status == 0 && result.output.contains("omar"))
  }

  @Test("the profile says when the clinic works and who sends, and what is no such thing is refused")
  func profile() async throws {
    func settings(_ profile: String) async throws -> Settings {
      let folder = FileManager.default.temporaryDirectory.path + "/profile-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try profile.write(toFile: folder + "/clinic.json", atomically: true, encoding: .utf8)
      return try await Settings.resolve(OptionValues(), environment: Environment(["CLINIC_HOME": folder]))
    }
    let said = try await settings(#"{"hours": "mon 08:00-12:00", "sendsFor": "everyone"}"#)
    #expect(said.bookingDefaults.hours == (try WorkingHours("mon 08:00-12:00")) && said.sendsForEveryone)
    #expect(try await settings("{}").sendsForEveryone == false)
    for wrong in [#"{"hours": "always"}"#, #"{"sendsFor": "me"}"#] {
      await #expect(throws: AppError.self) { try await settings(wrong) }
    }
  }
}
