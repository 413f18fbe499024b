/// Makes a failing program short.
package enum SimShrinker {
  /// A run of some steps of a seed's program.
  ///
  /// - Parameter keeping: the numbers of the steps that are kept; `nil` keeps all.
  package static func run(seed: UInt64, keeping: Set<Int>? = nil, keepsTrace: Bool = false) -> SimWorld.Outcome {
    let program = SimProgram.drawn(seed: seed).filter { keeping?.contains($0.number) ?? true }
    return SimWorld(seed: seed, keepsTrace: keepsTrace).run(program)
  }

  /// A seed that failed, made short.
  package struct Failure: Sendable {
    package var seed: UInt64
    package var problem: String
    /// The steps that are left.
    package var steps: [SimStep]

    package init(seed: UInt64, problem: String, steps: [SimStep]) {
      self.seed = seed
      self.problem = problem
      self.steps = steps
    }

    /// The one command that plays it again.
    package var command: String {
      "clinic-sim --seed \(seed) --only \(steps.map { String($0.number) }.joined(separator: ",")) --trace"
    }

    /// The program in words, and how to play it.
    package var description: String {
      "seed \(seed): \(problem)\nprogram: \(steps.map { "\($0.number) \($0.kind.rawValue)" }.joined(separator: ", "))"
        + "\nreplay: \(command)"
    }
  }

  /// Drops steps as long as the first problem stays of the same sort.
  package static func shrink(seed: UInt64, problem: String, maximumRuns: Int = 400) -> Failure {
    let program = SimProgram.drawn(seed: seed)
    let kept = shortest(program.map(\.number), maximumRuns: maximumRuns) { numbers in
      run(seed: seed, keeping: Set(numbers)).problems.first.map(sort) == sort(of: problem)
    }
    return Failure(seed: seed, problem: problem, steps: program.filter { kept.contains($0.number) })
  }

  /// A list from which nothing can be dropped any more without losing a property; not always the shortest one there is.
  ///
  /// - Parameter holds: whether a list has the property; the whole list must.
  package static func shortest(_ whole: [Int], maximumRuns: Int, holds: ([Int]) -> Bool) -> [Int] {
    var kept = whole
    var runs = 0
    var size = max(1, kept.count / 2)
    while runs < maximumRuns {
      var start = 0
      var dropped = false
      while start < kept.count, runs < maximumRuns {
        var fewer = kept
        fewer.removeSubrange(start..<min(start + size, kept.count))
        runs += 1
        if holds(fewer) {
          kept = fewer
          dropped = true
        } else {
          start += size
        }
      }
      if size == 1, !dropped { break }
      size = max(1, size / 2)
    }
    return kept
  }

  /// What a problem begins with, without its particulars.
  package static func sort(of problem: String) -> String {
    String(problem.prefix { $0 != ":" && !$0.isNumber }.split(separator: "/").first ?? "")
  }
}
