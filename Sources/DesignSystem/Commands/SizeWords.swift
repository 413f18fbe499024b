/// Numbers of bytes as people write them: `500kB`, `10MB`, `1GB` by thousands, `1048576` as it stands.
public enum SizeWords {
  private static let units: [(name: String, factor: Int)] = [
    ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1_000), ("b", 1), ("", 1),
  ]

  /// The bytes; `nil` for what is no such number, or none above zero.
  public static func bytes(_ text: String) -> Int? {
    let lower = text.lowercased()
    for unit in units where lower.hasSuffix(unit.name) {
      let digits = lower.dropLast(unit.name.count)
      guard !digits.isEmpty, digits.allSatisfy(\.isASCII), let number = Int(digits), number > 0 else { continue }
      let (product, overflows) = number.multipliedReportingOverflow(by: unit.factor)
      return overflows ? nil : product
    }
    return nil
  }
}
