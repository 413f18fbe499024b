import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("A session")
struct SessionTests {
  @Test("the prompt shows who is open, and only then a line may mean them")
  func currentPatient() async {
    let clinic = FakeClinic.withAna()
    clinic.sync.set(SyncStatus(server: nil, unsent: 2, inReview: 1))
    let result = await run(
      [], clinic: clinic, input: MemoryLines("vitals add pulse 72\npatients show p-1\nvitals add pulse 73\nquit\n"),
      isTerminal: true)
    #expect(result.status == 0)
    #expect(result.errors.contains("no patient is named"))
    #expect(
      result.errors.contains(
        "nora at patients | Pérez, Ana · birth date not recorded · MRN-1 | 2 unsent | 1 for review> "))
    #expect(clinic.observations.recorded.count == 1)
  }

  @Test("rows are bound to what they showed")
  func rows() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.setRecent(Snapshot(value: [FakeClinic.ana], freshness: .missing))
    let result = await run(
      [], clinic: clinic, input: MemoryLines("patients recent\npatients show #1\n"), isTerminal: true)
    #expect(result.output.contains("#1") && result.output.contains("record      Patient/p-1"))
    #expect(result.status == 0)
  }

  @Test("a failing line does not end a session, and the end of input does")
  func goesOn() async {
    let result = await run([], input: MemoryLines("nonsense\npatients show p-1\n"), isTerminal: true)
    #expect(result.status == 0 && result.errors.contains("nonsense") && result.output.contains("Pérez, Ana"))
  }

  @Test("go, back and home move, and a link that cannot be shown leaves one where one is")
  func moves() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.book.expect(.read(Patient.ID("none"), .revalidateWhenStale))
    let lines = "go clinic://patients/p-1\ngo clinic://patients/none\ngo clinic://nowhere\nback\nback\nhome\n"
    let result = await run([], clinic: clinic, input: MemoryLines(lines), isTerminal: true)
    let prompts = result.errors.split(separator: "\n").compactMap { line in
      line.range(of: "> ").map { String(line[..<$0.lowerBound]) }
    }
    #expect(result.errors.contains("Patient/none is not known here"))
    #expect(result.errors.contains("clinic://nowhere leads nowhere"))
    #expect(result.errors.contains("this is where patients begins"))
    #expect(prompts.first == "nora at patients" && result.output.contains("Recent patients"))
  }

  @Test("Ctrl-C means the line that is typed, and not the session")
  func interrupt() async {
    let interruption = Interruption()
    interruption.receive(.interrupted)
    let result = await run(
      [], input: MemoryLines("patients show p-1\n"), isTerminal: true, interruption: interruption)
    #expect(result.status == 0 && result.output.contains("Pérez, Ana"))
  }
}
