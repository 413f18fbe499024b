import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("Texts from files, and charts into files")
struct TextFileTests {
  private func clinic() -> FakeClinic {
    let clinic = FakeClinic.withAna()
    clinic.observations.book.expect(
      .list(ObservationQuery(patient: FakeClinic.ana.id, limit: 200), .localOnly))
    return clinic
  }

  @Test("a note comes from standard input where one line is run, and keeps its lines")
  func standardInput() async {
    let clinic = clinic()
    let result = await run(
      ["notes", "add", "--file", "-", "--patient", "p-1"], clinic: clinic, input: MemoryLines("one\n\n two\n"))
    #expect(result.status == 0 && clinic.charts.notes.added.map(\.text) == ["one\n\n two"])
  }

  @Test("the lines of a script are never taken for a note's text")
  func script() async {
    let clinic = clinic()
    let result = await run(
      [], clinic: clinic, input: MemoryLines("notes add --file - --patient p-1\npatients show p-1\n"))
    #expect(result.status == 1 && result.errors.contains("standard input") && clinic.charts.notes.added.isEmpty)
    let named = await run(
      ["run", "-"], clinic: clinic, input: MemoryLines("notes add --file - --patient p-1\npatients show p-1\n"))
    #expect(named.status == 1 && clinic.charts.notes.added.isEmpty)
  }

  @Test("a file's byte-order mark is no text, and bytes that are no UTF-8 are refused")
  func encodings() async throws {
    let clinic = clinic()
    func add(_ path: String) async -> RunResult {
      await run(["notes", "add", "--file", path, "--patient", "p-1"], clinic: clinic)
    }
    #expect(try await withFile("\u{FEFF}Grüße\r\nzwei") { await add($0) }.status == 0)
    #expect(clinic.charts.notes.added.map(\.text) == ["Grüße\r\nzwei"])
    let broken = try await withFile([0x61, 0xFF]) { await add($0) }
    #expect(broken.status == 1 && broken.errors.contains("not valid UTF-8"))
    #expect(await add("/nowhere/note.txt").errors.contains("/nowhere/note.txt"))
    let long = try await withFile(Array(repeating: 0x61, count: (1 << 20) + 1)) { await add($0) }
    #expect(long.status == 1 && clinic.charts.notes.added.count == 1)
  }

  @Test("an exported chart takes the place of the file, for its owner only")
  func export() async throws {
    let clinic = clinic()
    try await withFile("before") { path in
      let result = await run(["chart", "p-1", "--export", path], clinic: clinic)
      #expect(result.status == 0 && result.output.contains(path))
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let failed = await run(["chart", "p-1", "--export", "/nowhere/a.html"], clinic: clinic)
    #expect(failed.status == 1 && failed.errors.contains("/nowhere/a.html"))
  }

  @Test("whoever is seen in a visit is the patient whom the prompt shows")
  func visit() async throws {
    let clinic = clinic()
    let zone = try #require(ClinicZone("America/New_York"))
    let day = try #require(CalendarDay("2026-11-30"))
    clinic.appointments.book.expect(
      .list(AppointmentQuery(span: zone.bounds(of: day), patient: "p-1"), .localOnly))
    clinic.charts.encounters.book.expect(.start, .read("new-1", .localOnly))
    // As the store would keep it; not open, so that nothing hangs on it.
    clinic.charts.encounters.put(
      Charted(
        Encounter(id: "new-1", status: .known(.finished), subject: Reference(FakeClinic.ana.key)),
        patient: FakeClinic.ana))
    let result = await run(
      [], clinic: clinic, input: MemoryLines("visits start p-1\nvitals add pulse 72\nquit\n"), isTerminal: true)
    #expect(result.errors.contains("visits | Pérez, Ana"))
    #expect(clinic.charts.encounters.started.count == 1 && clinic.observations.recorded.count == 1)
  }
}
