import Foundation
import Simulation
import TestSupport
import Testing

@Suite("Simulation", .serialized)
struct SimulationTests {
  @Test("the same seed gives the same trace, byte for byte, in this process and in others", arguments: [7, 12, 31])
  func sameTrace(seed: UInt64) async throws {
    let here = await Self.runs([seed, seed], keepsTrace: true).map { $0.lines.joined(separator: "\n") }
    let elsewhere = try await Self.command(["--seed", String(seed), "--trace"])
    #expect(here[0] == here[1] && elsewhere.hasPrefix(here[0] + "\n"))
    #expect(here[0].utf8.count > 1_000)
  }

  @Test("what fails is made short: nothing can be dropped any more")
  func short() {
    let both = SimShrinker.shortest(Array(0..<50), maximumRuns: 400) { $0.contains(3) && $0.contains(41) }
    let many = SimShrinker.shortest(Array(0..<50), maximumRuns: 400) { $0.count { $0.isMultiple(of: 5) } >= 4 }
    let none = SimShrinker.shortest(Array(0..<50), maximumRuns: 400) { _ in true }
    #expect([both, none] == [[3, 41], []] && many.count == 4)
  }

  @Test("a failure tells its program, and the one command that plays it again")
  func message() {
    let steps = SimProgram.drawn(seed: 7).filter { [0, 2].contains($0.number) }
    let failure = SimShrinker.Failure(seed: 7, problem: "lost: x", steps: steps)
    #expect(failure.description.hasSuffix("replay: clinic-sim --seed 7 --only 0,2 --trace"))
    #expect(failure.description.hasPrefix("seed 7: lost: x\nprogram: 0 pull, 2 "))
  }

  @Test("worlds drawn from seeds keep every promise")
  func drawn() async throws {
    let first = try await Self.firstSeed()
    let outcomes = await Self.runs((0..<Self.count).map { first + $0 })
    let failed = outcomes.enumerated().filter { !$0.element.problems.isEmpty }
    for (index, outcome) in failed.prefix(3) {
      let failure = await Self.onThread {
        SimShrinker.shrink(seed: first + UInt64(index), problem: outcome.problems[0])
      }
      Issue.record("\(failure.description)")
    }
    #expect(failed.map { first + UInt64($0.offset) } == [])
  }

  /// Programs that once showed a fault. The fault itself has a test by its name in `DataTests`.
  @Test(
    "what failed once does not fail again",
    arguments: [
      ("a background sync without pauses", 4, [0, 3, 4]),
      ("a note that became null", 195, [0, 1, 2, 3]),
      ("a decision about an outdated conflict", 197, [30, 32, 33, 36, 41]),
      ("a list behind an accepted write", 6, nil),
      ("a history that went on where it was cut", 81, [0, 2, 3, 6]),
      ("a clock set back in a silence", 113, [2, 8, 11, 15, 20, 44]),
      ("a store taken for damaged", 1, nil),
      ("an edit behind one that fell in a conflict", 412, nil),
      ("an edit behind one that fell in a conflict, otherwise", 72, nil),
      ("an update that could not be compared", 185_803_540, nil),
      ("rows that shift between pages", 111, nil),
      ("members left behind", 1007, nil),
      ("an item that hid what it would overwrite", 1040, nil),
      ("a clock set back while a sync waited", 21472, nil),
      ("a server that could not tell just then", 22079, nil),
      ("what was made while a pass lay cut", 20068, nil),
      ("what was made while a pass lay cut, at another server", 213_830_190, Array(0..<100)),
      ("a backup that only the opening of a record showed", 56_732_746, nil),
      ("a backup that only the opening of a record showed, with client ids", 4_000_155, Array(0..<100)),
      ("a death as the background sync began", 100_000_169, nil),
      ("Provenances that were taken back with what they told of", 86, nil),
      ("a Provenance left out", 100_001_502, nil),
      ("a disk that was about to die", 100_001_998, nil),
      ("an edit behind one that was refused", 300_003_122, [0, 3, 25, 29, 35, 37, 39]),
      ("a write that was given up, and overtook the next", 300_005_472, [0, 100, 5, 6, 9, 13, 14, 15]),
      ("a write that was given up, and overtook the next, in full", 300_005_472, nil),
      ("a comparison that was answered late", 400_000_108, nil),
      ("a decision under the id that the server gave", 500_002_014, nil),
      ("an edit that was given up, on a server without versions", 500_003_649, nil),
      ("a create that arrived late", 500_004_540, nil),
      ("a create that was still on its way", 510_000_624, nil),
      ("a record that was made anew, and seemed to be back", 510_006_725, nil),
      ("a clock set back while the server took its time", 520_003_440, nil),
      ("two edits kept over a deletion", 530_001_129, nil),
      ("a list of notes that was replaced as a whole", 540_000_985, nil),
      ("a create that was still on its way to a server whose search lags", 698_698_097, nil),
      ("a reader beside somebody who discards", 800_002_768, nil),
    ] as [(String, UInt64, [Int]?)])
  func past(name: String, seed: UInt64, steps: [Int]?) async {
    let outcome = await Self.onThread { SimShrinker.run(seed: seed, keeping: steps.map(Set.init)) }
    #expect(outcome.problems == [], "\(name)")
  }

  // MARK: Running

  /// How many worlds a run of the tests plays.
  private static let count: UInt64 = UInt64(ProcessInfo.processInfo.environment["CLINIC_SIM_SEEDS"] ?? "") ?? 500

  /// `CLINIC_SIM_FROM`, or one from the hash of what was committed: every change is tried with other worlds, and a run can
  /// be repeated. Where there is no repository, always the same.
  private static func firstSeed() async throws -> UInt64 {
    if let from = ProcessInfo.processInfo.environment["CLINIC_SIM_FROM"] {
      return try #require(UInt64(from), "CLINIC_SIM_FROM is a number")
    }
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    guard
      let git = try? Program.start(
        Program.Launch(path: Program.onPath("git"), arguments: ["-C", folder, "rev-parse", "HEAD^{tree}"])),
      let ended = try? await git.finished(), ended.status == 0, let hash = UInt64(ended.output.prefix(7), radix: 16)
    else { return firstDrawn }
    return firstDrawn + hash
  }

  /// Worlds from here on draw everything but long programs.
  private static let firstDrawn: UInt64 = 500_000_000

  /// Plays worlds on two threads.
  private static func runs(_ seeds: [UInt64], keepsTrace: Bool = false) async -> [SimWorld.Outcome] {
    async let even = onThread {
      seeds.enumerated().filter { $0.offset % 2 == 0 }.map { SimShrinker.run(seed: $0.element, keepsTrace: keepsTrace) }
    }
    async let odd = onThread {
      seeds.enumerated().filter { $0.offset % 2 == 1 }.map { SimShrinker.run(seed: $0.element, keepsTrace: keepsTrace) }
    }
    let (first, second) = await (even, odd)
    return seeds.indices.map { $0 % 2 == 0 ? first[$0 / 2] : second[$0 / 2] }
  }

  /// A world blocks its thread: it gets one of its own.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  private static func command(_ arguments: [String]) async throws -> String {
    let program = try Program.start(
      Program.Launch(path: Program.built("clinic-sim"), arguments: arguments, limit: .seconds(500)))
    return try await program.finished().output
  }
}
