import Foundation
import Simulation
import Synchronization

/// `clinic-sim`: runs worlds from seeds, and makes those that fail short.
@main
struct SimulationCommand {
  static func main() {
    repeatHashing()
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      say(Options.usage)
      exit(2)
    }
    exit(options.seed.map { replay($0, options) } ?? sweep(options))
  }

  /// Sets and dictionaries must have the same order in every process: that is decided before a process starts.
  private static func repeatHashing() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    // Worlds come and go: their memory is kept for the next ones, and not given back in between.
    setenv("GLIBC_TUNABLES", "glibc.malloc.trim_threshold=268435456:glibc.malloc.top_pad=16777216", 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
  }

  /// Runs one seed and tells all about it.
  private static func replay(_ seed: UInt64, _ options: Options) -> Int32 {
    let outcome = SimShrinker.run(seed: seed, keeping: options.only, keepsTrace: options.traces)
    if options.traces { say(outcome.lines.joined(separator: "\n")) }
    say(
      "seed \(seed) hash \(String(outcome.hash, radix: 16)) jobs \(outcome.jobs) \(outcome.counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
    )
    say("server: \(outcome.kind)")
    for problem in outcome.problems { say("PROBLEM \(problem)") }
    return outcome.problems.isEmpty ? 0 : 1
  }

  private struct Progress {
    var next: UInt64
    var failures: [(UInt64, String)] = []
    var totals: [String: Int] = [:]
    var virtual: Int64 = 0
  }

  /// Runs many seeds on as many threads as asked for.
  private static func sweep(_ options: Options) -> Int32 {
    let start = ContinuousClock.now
    let shared = Shared(Progress(next: options.from))
    let end = options.from + options.count
    let finished = DispatchSemaphore(value: 0)
    for _ in 0..<options.threads {
      let thread = Thread {
        while let seed = shared.take(before: end) {
          let outcome = SimShrinker.run(seed: seed)
          shared.note(seed, outcome)
          if options.stopsAtFirst, !outcome.problems.isEmpty { shared.stop() }
        }
        finished.signal()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    for _ in 0..<options.threads { finished.wait() }
    let progress = shared.value
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    say(
      "\(options.count) seeds from \(options.from) in \(Int(seconds)) s, \(progress.failures.count) failed; "
        + "\(progress.virtual / 3_600_000) virtual hours; "
        + progress.totals.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
    for (seed, problem) in progress.failures.sorted(by: { $0.0 < $1.0 }).prefix(options.shrinks) {
      let failure = SimShrinker.shrink(seed: seed, problem: problem)
      let outcome = SimShrinker.run(seed: seed, keeping: Set(failure.steps.map(\.number)))
      say("\nFAILED \(failure.description)")
      say("server: \(outcome.kind)")
      for line in outcome.lines.suffix(options.tail) { say("  \(line)") }
      for problem in outcome.problems { say("  PROBLEM \(problem)") }
    }
    return progress.failures.isEmpty ? 0 : 1
  }

  private final class Shared: Sendable {
    private let progress: Mutex<Progress>

    init(_ progress: Progress) { self.progress = Mutex(progress) }

    var value: Progress { progress.withLock { $0 } }

    func take(before end: UInt64) -> UInt64? {
      progress.withLock { progress in
        guard progress.next < end else { return nil }
        defer { progress.next += 1 }
        return progress.next
      }
    }

    func stop() { progress.withLock { $0.next = .max } }

    func note(_ seed: UInt64, _ outcome: SimWorld.Outcome) {
      progress.withLock { progress in
        for (name, count) in outcome.counts { progress.totals[name, default: 0] += count }
        progress.virtual += outcome.virtualMilliseconds
        guard let problem = outcome.problems.first else { return }
        progress.failures.append((seed, problem))
        say("seed \(seed): \(problem.prefix(200))")
      }
    }
  }
}

/// What the command line asks for.
struct Options {
  var count: UInt64 = 100
  var from: UInt64 = 1
  var seed: UInt64?
  var only: Set<Int>?
  var traces = false
  var threads = 2
  var shrinks = 5
  var tail = 60

  var stopsAtFirst = false

  static let usage = """
    clinic-sim --seeds N [--from S] [--threads N] [--shrink N] [--tail LINES] [--first]
    clinic-sim --seed S [--only STEP,STEP,…] [--trace]
    """

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--trace" || name == "--first" {
        if name == "--trace" { traces = true } else { stopsAtFirst = true }
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--only": only = Set(value.split(separator: ",").compactMap { Int($0) })
      case "--seed": seed = UInt64(value)
      case "--seeds": count = UInt64(value) ?? count
      case "--from": from = UInt64(value) ?? from
      case "--threads": threads = max(1, Int(value) ?? threads)
      case "--shrink": shrinks = Int(value) ?? shrinks
      case "--tail": tail = Int(value) ?? tail
      default: return nil
      }
    }
  }
}

/// Writes a line at once: a pipe would keep it back.
func say(_ line: String) {
  FileHandle.standardOutput.write(Foundation.Data((line + "\n").utf8))
}
