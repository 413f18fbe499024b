/// Makes a failing program short.
package enum SimShrinker {
  /// A run of some steps of a seed's program.
  ///
  /// - Parameter keeping: the numbers of the steps that are kept; `nil` keeps all.
  package static func run(seed: UInt64, keeping: Set<Int>? = nil, keepsTrace: Bool = false) -> SimWorld.Outcome {
    let program = SimProgram.drawn(seed: seed).filter { keeping?.contains($0.number) ?? true }
    return SimWorld(seed: seed, keepsTrace: keepsTrace).run(program)
  }

  /// Drops steps as long as the first problem stays of the same sort.
  ///
  /// - Returns: The numbers of the steps that are left.
  package static func shrink(seed: UInt64, problem: String, maximumRuns: Int = 400) -> [Int] {
    var kept = SimProgram.drawn(seed: seed).map(\.number)
    var runs = 0
    func stillFails(_ numbers: [Int]) -> Bool {
      runs += 1
      guard let found = run(seed: seed, keeping: Set(numbers)).problems.first else { return false }
      return sort(of: found) == sort(of: problem)
    }
    var size = max(1, kept.count / 2)
    while size >= 1, runs < maximumRuns {
      var start = 0
      var dropped = false
      while start < kept.count, runs < maximumRuns {
        var fewer = kept
        fewer.removeSubrange(start..<min(start + size, kept.count))
        if stillFails(fewer) {
          kept = fewer
          dropped = true
        } else {
          start += size
        }
      }
      if size == 1, !dropped { break }
      size = max(1, size / 2)
      if size == 1, !dropped, kept.count <= 1 { break }
    }
    return kept
  }

  /// What a problem begins with, without its particulars.
  package static func sort(of problem: String) -> String {
    String(problem.prefix { $0 != ":" && !$0.isNumber }.split(separator: "/").first ?? "")
  }
}
