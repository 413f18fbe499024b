/// Finds what was probably meant.
package enum Suggestions {
  /// The closest candidate that is near enough to be a typing error, or that `word` begins; the earliest of equals.
  package static func closest(to word: String, among candidates: [String]) -> String? {
    let typed = word.lowercased()
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(typed, candidate.lowercased())
      guard distance <= tolerance(candidate), distance < best?.distance ?? .max else { continue }
      best = (candidate, distance)
    }
    if let best { return best.candidate }
    return typed.count < 2 ? nil : candidates.first { $0.lowercased().hasPrefix(typed) }
  }

  /// One error in a short word, up to three in a long one.
  private static func tolerance(_ word: String) -> Int {
    min(3, max(1, word.count / 3))
  }

  /// Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions, substitutions and swaps
  /// of neighbours count one each. Time is the product of the lengths, so long input is cut at 64 characters.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in right.indices {
        let cost = left[i] == right[j] ? 0 : 1
        var value = min(last[j + 1] + 1, row[j] + 1, last[j] + cost)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          value = min(value, beforeLast[j - 1] + 1)
        }
        row.append(value)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
