package import Domain

/// Birth dates as people type them, turned into the digits under which they are found.
package enum BirthDateText {
  /// Year, month and day without gaps, as far as known: `198005`.
  package static func digits(_ date: PartialDate) -> String { date.description.filter(\.isNumber) }

  /// The dates that a word may mean: `1980-05-17`, `17.05.1980`, `5/17/1980`, `1980-05`, `05/1980`. Empty for all else.
  ///
  /// Day and month may stand in either order where the year comes last: then both are meant, as far as there are such days.
  package static func readings(_ word: String) -> [PartialDate] {
    let parts = word.split(omittingEmptySubsequences: false) { "-./".contains($0) }
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
      return []
    }
    let numbers = parts.compactMap { Int($0) }
    let lengths = parts.map(\.count)
    guard numbers.count == parts.count else { return [] }
    var forms: [[Int]] = []
    switch (lengths.count, lengths.first, lengths.last) {
    case (3, 4?, _) where lengths[2] <= 2: forms = [numbers]
    case (3, _, 4?) where lengths[0] <= 2:
      forms = [[numbers[2], numbers[1], numbers[0]], [numbers[2], numbers[0], numbers[1]]]
    case (2, 4?, _) where lengths[1] <= 2: forms = [numbers]
    case (2, _, 4?) where lengths[0] <= 2: forms = [[numbers[1], numbers[0]]]
    default: break
    }
    var found: [PartialDate] = []
    for form in forms {
      let text = form.map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: "-")
      if let date = PartialDate(text), !found.contains(date) { found.append(date) }
    }
    return found
  }
}
