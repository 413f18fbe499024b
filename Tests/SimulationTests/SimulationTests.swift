import Foundation
import Simulation
import Synchronization
import Testing

@Suite("Simulation", .serialized)
struct SimulationTests {
  @Test("the same seed gives the same trace, in this process and in others")
  func sameTrace() async throws {
    let seeds: [UInt64] = [7, 12, 31]
    let here = await Self.runs(seeds)
    let again = await Self.runs(seeds)
    #expect(here.map(\.hash) == again.map(\.hash))
    for (seed, outcome) in zip(seeds, here) {
      let text = try await Self.command(["--seed", String(seed)])
      #expect(text.contains("seed \(seed) hash \(String(outcome.hash, radix: 16)) "))
    }
  }

  @Test("worlds drawn from seeds keep every promise")
  func drawn() async {
    let first = Self.firstSeed
    let outcomes = await Self.runs((0..<Self.count).map { first + $0 })
    for (index, outcome) in outcomes.enumerated() where !outcome.problems.isEmpty {
      Issue.record("\(outcome.problems[0]) — replay: clinic-sim --seeds 1 --from \(first + UInt64(index))")
    }
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
    ] as [(String, UInt64, [Int]?)])
  func past(name: String, seed: UInt64, steps: [Int]?) async {
    let outcome = await Self.onThread { SimShrinker.run(seed: seed, keeping: steps.map(Set.init)) }
    #expect(outcome.problems == [], "\(name)")
  }

  // MARK: Running

  /// How many worlds a run of the tests plays.
  private static let count: UInt64 = UInt64(ProcessInfo.processInfo.environment["CLINIC_SIM_SEEDS"] ?? "") ?? 100

  /// A number, or `commit`: from the commit's hash, so that every commit is tried with others and a run can be repeated.
  private static let firstSeed: UInt64 = {
    let from = ProcessInfo.processInfo.environment["CLINIC_SIM_FROM"] ?? "1000"
    guard from == "commit" else { return UInt64(from) ?? 1000 }
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "rev-parse", "HEAD"]
    git.currentDirectoryURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let pipe = Pipe()
    git.standardOutput = pipe
    guard (try? git.run()) != nil else { return 1 }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    git.waitUntilExit()
    return UInt64(text.prefix(7), radix: 16) ?? 1
  }()

  /// Plays worlds on two threads.
  private static func runs(_ seeds: [UInt64]) async -> [SimWorld.Outcome] {
    async let even = onThread {
      seeds.enumerated().filter { $0.offset % 2 == 0 }.map { SimShrinker.run(seed: $0.element) }
    }
    async let odd = onThread {
      seeds.enumerated().filter { $0.offset % 2 == 1 }.map { SimShrinker.run(seed: $0.element) }
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
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let binary = folder.appending(path: "clinic-sim")
    return try await onThread {
      Result {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
      }
    }.get()
  }
}
