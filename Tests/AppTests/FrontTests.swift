import DesignSystem
import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("The front")
struct FrontTests {
  @Test(
    "options stand before or behind the words of the line",
    arguments: [
      ["--json", "patients", "show", "p-1"], ["patients", "show", "p-1", "--json"],
      ["patients", "--json", "show", "p-1"],
    ])
  func options(arguments: [String]) async {
    let result = await run(arguments)
    #expect(result.status == (arguments[1] == "--json" ? 2 : 0))
    #expect(result.output.hasPrefix("{"))
  }

  @Test("results go to standard output, everything else to standard error")
  func streams() async {
    let good = await run(["patients", "show", "p-1"])
    #expect(good.output.hasPrefix("Pérez, Ana") && good.errors == "" && good.status == 0)
    let bad = await run(["patients", "shw", "p-1"])
    #expect(
      bad
        == RunResult(
          status: 2, output: "",
          errors: "Error: unknown command \"patients shw\"\n  Next: did you mean \"patients show\"?\n"))
  }

  @Test(
    "for programs errors are lines of the one stream, with their exit status",
    arguments: [
      (["patients", "shw"], 2, #""code":"usage""#),
      (["patients", "show", "p-9", "--json"], 1, #""code":"not-found""#),
      (["vitals", "add", "pulse", "400", "--patient", "p-1"], 1, #""field":"pulse""#),
      (["vitals", "add", "pulse", "230", "--patient", "p-1"], 3, #""code":"needs-confirmation""#),
      (["go", "http://x"], 1, #""code":"invalid-input""#),
    ] as [([String], Int32, String)])
  func jsonErrors(arguments: [String], status: Int32, part: String) async {
    let clinic = FakeClinic.withAna()
    clinic.patients.book.expect(.read(Patient.ID("p-9"), .localOnly))
    let result = await run(["--json"] + arguments.filter { $0 != "--json" }, clinic: clinic)
    #expect(result.status == status && result.errors == "")
    #expect(result.output.contains(part) && result.output.contains(#""exit":\#(status)"#))
    #expect(result.output.split(separator: "\n").count == 1)
  }

  @Test("help and the version need no store, and help for an unknown word is an error")
  func withoutStore() async {
    func runClosed(_ arguments: [String]) async -> (Int32, String) {
      let output = MemorySink()
      let status = await ClinicCommand.run(
        arguments: arguments, environment: [:],
        streams: FrontStreams(
          input: MemoryLines(), output: output, errors: MemorySink(), inputIsTerminal: false, outputIsTerminal: false,
          errorsAreTerminal: false, columns: { nil }),
        clock: .fixed(Instant(secondsSince1970: 0)),
        open: { _ throws(AppError) in throw AppError(.storeCorrupt, "damaged") })
      return (status, output.text)
    }
    #expect(await runClosed(["--version"]) == (0, "clinic \(Version.text)\n"))
    #expect(await runClosed(["help"]).1.contains("patients search TEXT..."))
    #expect(await runClosed(["patients", "show", "--help"]).1.contains("patients show REF"))
    #expect(await runClosed(["help", "nothing"]).0 == 2)
    // Without a folder for data there is nothing to open; with one, the store's own error is told.
    #expect(await runClosed(["outbox"]).0 == 7)
    #expect(await runClosed(["outbox", "--store", "/nowhere"]).0 == 7)
  }

  @Test("a reader that goes away ends the program quietly")
  func closedPipe() async {
    let result = await run(["patients", "show", "p-1"], output: MemorySink(closesAfter: 0))
    #expect(result == RunResult(status: 0, output: "", errors: ""))
  }

  @Test("an option that is decided at the start is refused in a line of a session")
  func lateOptions() async {
    let result = await run([], input: MemoryLines("outbox --offline\n"))
    #expect(result.status == 2)
    #expect(result.errors.contains("standard input:1") && result.errors.contains("--offline"))
  }

  @Test("a question without anyone to ask fails, naming --yes, and reads no line as its answer")
  func nobodyToAsk() async throws {
    let clinic = FakeClinic.withAna()
    let input = MemoryLines("vitals add pulse 230 --patient p-1\ny\n")
    let result = await run([], clinic: clinic, input: input)
    #expect(result.status == 3 && clinic.observations.recorded.isEmpty)
    #expect(result.errors.contains("--yes"))
    #expect(try await input.next() == Array("y".utf8))
  }

  @Test("at a terminal the question is asked, and only a yes is one", arguments: [("y\n", 1), ("n\n", 0), ("", 0)])
  func asked(answer: String, recorded: Int) async {
    let clinic = FakeClinic.withAna()
    let result = await run(
      ["vitals", "add", "pulse", "230", "--patient", "p-1"], clinic: clinic, input: MemoryLines(answer),
      isTerminal: true)
    #expect(clinic.observations.recorded.count == recorded)
    #expect(result.status == (recorded == 1 ? 0 : 3))
    #expect(result.errors.contains("[y/N]"))
  }

  @Test("--yes answers, from the line or from the start")
  func yes() async {
    for arguments in [["--yes", "vitals", "add", "pulse", "230", "--patient", "p-1"], ["--yes"]] {
      let clinic = FakeClinic.withAna()
      let result = await run(
        arguments, clinic: clinic, input: MemoryLines("vitals add pulse 230 --patient p-1"))
      #expect(result.status == 0 && clinic.observations.recorded.count == 1)
    }
  }

  @Test("one line reads locally, a session asks behind its answer, --fresh waits")
  func readModes() async {
    let id = FakeClinic.ana.id
    let clinic = FakeClinic.withAna()
    _ = await run(["patients", "show", "p-1"], clinic: clinic)
    _ = await run([], clinic: clinic, input: MemoryLines("patients show p-1\n"))
    _ = await run(["patients", "show", "p-1", "--fresh"], clinic: clinic)
    let reads = clinic.patients.book.calls.filter { $0 != .markOpened(id) }
    #expect(reads == [.read(id, .localOnly), .read(id, .revalidateWhenStale), .read(id, .revalidateAlways)])
  }

  @Test("a server that was needed and not reached gives its status beside the answer")
  func unreachable() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.answer(
      FakeClinic.ana.id,
      Snapshot(
        value: FakeClinic.ana, freshness: .missing, revalidation: .failed(AppError(.offline, "no route to the server")))
    )
    let result = await run(["patients", "show", "p-1", "--fresh"], clinic: clinic)
    #expect(result.status == 4 && result.output.contains("Pérez, Ana") && result.errors.contains("no route"))
  }

  @Test(
    "a sync's statuses have their order",
    arguments: [
      (SyncReport(outcome: .complete), 0), (SyncReport(outcome: .needsReview, inReview: 1), 3),
      (SyncReport(outcome: .unreachable(AppError(.offline, "no")), inReview: 1), 4),
      (SyncReport(outcome: .unfinished, inReview: 1), 3), (SyncReport(outcome: .unfinished), 8),
      (SyncReport(outcome: .signInNeeded, inReview: 1), 5),
    ] as [(SyncReport, Int32)])
  func syncStatus(report: SyncReport, status: Int32) async {
    let clinic = FakeClinic(sync: FakeSyncRepository(expecting: .sync(SyncOptions())))
    clinic.sync.end(.success(report))
    let result = await run(["sync", "--json"], clinic: clinic)
    #expect(result.status == status)
    #expect(result.output.components(separatedBy: #""kind":"error""#).count - 1 == (status == 0 ? 0 : 1))
  }

  @Test("--sync sends before the line ends, and only after a line that worked")
  func sendsAtEnd() async {
    let push = SyncOptions(pulls: false)
    let clinic = FakeClinic.withAna()
    clinic.sync.book.expect(.sync(push))
    #expect(await run(["patients", "show", "p-1", "--sync"], clinic: clinic).status == 0)
    #expect(await run(["patients", "shw", "--sync"], clinic: clinic).status == 2)
    #expect(clinic.sync.book.calls == [.sync(push)])
  }

  @Test("a signal ends the line with its own status")
  func signals() async {
    let interruption = Interruption()
    interruption.receive(.terminated)
    #expect(await run(["patients", "show", "p-1"], interruption: interruption).status == 143)
  }

  @Test("a signal cancels the line that runs")
  func cancels() async {
    let clinic = FakeClinic.withAna()
    clinic.patients.keepSilent(about: FakeClinic.ana.id)
    let interruption = Interruption()
    async let result = run(["patients", "show", "p-1"], clinic: clinic, interruption: interruption)
    while clinic.patients.book.calls.isEmpty { await Task.yield() }
    interruption.receive(.interrupted)
    #expect(await result.status == 130)
  }

  @Test("every error code has a status, and several give the first by order")
  func statuses() {
    #expect(ExitStatus.decisive(of: [.later, .needsPerson, .done]) == .needsPerson)
    #expect(ExitStatus.decisive(of: AppError.Code.allCases.map(ExitStatus.init)) == .storeUnusable)
    #expect(Set(AppError.Code.allCases.map { ExitStatus($0) }).contains(.done) == false)
  }

  @Test("whoami and --verbose tell what is used")
  func whoami() async {
    let result = await run(["whoami", "--verbose", "--server", "https://fhir.example/r4"])
    #expect(result.output.hasPrefix("nora") && result.output.contains("https://fhir.example/r4"))
    #expect(result.errors.hasPrefix("store /nowhere/.local/share/clinic/clinic"))
  }
}
