import Domain

/// The first request of a pass over one scope.
enum PullRequest {
  /// How far a pass looks back behind its watermark, in seconds: a change may become visible after a later stamp was seen.
  static let overlapSeconds: Int64 = 120

  /// Resources asked for in one page.
  static let pageSize = 200

  /// How the changes of a type are asked for.
  enum Kind: Hashable, Sendable {
    /// Everything, oldest change first.
    case all
    /// What changed since, deletions too, newest first.
    case history(since: Instant)
    /// What changed since, oldest change first.
    case updated(since: Instant)

    /// Chooses by what was pulled before and what the server claims.
    init(watermark: Instant?, type: String, server: ServerKnowledge) {
      guard let watermark else {
        self = .all
        return
      }
      let since = Instant(secondsSince1970: watermark.secondsSince1970 - PullRequest.overlapSeconds)
      let keepsHistory = server.capabilities?.types[type]?.allows("history-type") ?? false
      self = keepsHistory ? .history(since: since) : .updated(since: since)
    }

    var isHistory: Bool {
      if case .history = self { true } else { false }
    }
  }

  /// The target, relative to the base.
  static func target(_ kind: Kind, type: String) -> String {
    switch kind {
    case .all:
      "\(type)?" + SearchQuery.encode([("_sort", "_lastUpdated"), ("_count", String(pageSize))])
    case .history(let since):
      // A time in `Z`: some servers compare the text.
      "\(type)/_history?" + SearchQuery.encode([("_since", since.utcText), ("_count", String(pageSize))])
    case .updated(let since):
      "\(type)?"
        + SearchQuery.encode([
          ("_lastUpdated", "ge\(since.utcText)"), ("_sort", "_lastUpdated"), ("_count", String(pageSize)),
        ])
    }
  }
}
