extension Identifier {
  /// What to show: the value, after the kind where that is known (`MRN 12345`); `nil` without a value.
  public var displayText: String? {
    guard let value = value?.nonBlank else { return nil }
    let code = type?.coding.lazy.compactMap { $0.code?.nonBlank }.first
    guard let label = type?.text?.nonBlank ?? code else { return value }
    return value.hasPrefix(label) ? value : "\(label) \(value)"
  }
}

extension Sequence<Identifier> {
  /// The identifier to show first: usual, official, unmarked, others, and old ones last; only those with a value.
  public var preferred: Identifier? {
    func order(_ identifier: Identifier) -> Int {
      switch identifier.use?.known {
      case .usual: 0
      case .official: 1
      case .none: 2
      case .secondary: 3
      case .temporary: 4
      case .old: 5
      }
    }
    return filter { $0.value?.nonBlank != nil }.min { order($0) < order($1) }
  }
}
