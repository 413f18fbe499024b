/// Times of one kind of work, in microseconds.
struct Samples {
  private var values: [Double] = []

  var count: Int { values.count }

  mutating func add(_ duration: Duration) { values.append(duration / .microseconds(1)) }

  /// The value below which that share of the samples lies; 0 without samples.
  func percentile(_ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

extension [Double] {
  /// The middle value; 0 without values.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

/// Figures as the lines of a Markdown table.
enum Table {
  static func begin(_ titles: String...) {
    print("\n| " + titles.joined(separator: " | ") + " |")
    print("|" + titles.map { _ in " --- |" }.joined())
  }

  static func row(_ cells: String...) { print("| " + cells.joined(separator: " | ") + " |") }

  /// A number with as many digits as mean something.
  static func number(_ value: Double) -> String {
    if value >= 100 { return String(Int(value.rounded())) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// A ratio, with two digits behind the point.
  static func ratio(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
