import DesignSystem

/// A tab of the shell, by its name. Each keeps its own path.
nonisolated struct Tab: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  let rawValue: String

  init(_ name: String) {
    rawValue = name
  }

  init(stringLiteral value: String) {
    rawValue = value
  }
}

/// A place in any feature: what a link resolves to, and what navigation pushes.
nonisolated struct Place: Hashable, Sendable {
  /// The tab that it is in.
  let tab: Tab
  /// The link that leads here, in the feature's own spelling.
  let link: DeepLink
}
