extension HumanName {
  /// For lists, family name first: `Ferrow, Lio`. The text alone, or one part alone, is given as it is; `nil` when
  /// nothing is there.
  public var displayText: String? {
    let given = joined(self.given)
    guard let family = family?.nonBlank else { return text?.nonBlank ?? given }
    guard let given else { return family }
    return "\(family), \(given)"
  }

  /// In spoken order, with titles: `Dr. Lio Ferrow Jr.`; `nil` when nothing is there.
  public var spokenText: String? {
    if let text = text?.nonBlank { return text }
    guard family?.nonBlank != nil || joined(given) != nil else { return nil }
    return joined(prefix + given + [family ?? ""] + suffix)
  }

  /// Whether the name is no longer in use: marked old or maiden.
  public var isFormer: Bool { use?.known == .old || use?.known == .maiden }

  private func joined(_ parts: [String]) -> String? {
    let words = parts.compactMap(\.nonBlank)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension Sequence<HumanName> {
  /// The name to show first: official, usual, unmarked, temporary, nickname, alias, and former names last. Names with
  /// nothing in them do not count.
  public var preferred: HumanName? {
    func order(_ name: HumanName) -> Int {
      switch name.use?.known {
      case .official: 0
      case .usual: 1
      case .none: 2
      case .temporary: 3
      case .nickname: 4
      case .anonymous: 5
      case .old, .maiden: 6
      }
    }
    return filter { $0.displayText != nil }.min { order($0) < order($1) }
  }
}
