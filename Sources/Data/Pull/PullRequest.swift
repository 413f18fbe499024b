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
    ///
    /// - Parameter isWhole: whether the type is pulled as a whole: a history knows no filter.
    init(watermark: Instant?, type: String, isWhole: Bool, server: ServerKnowledge) {
      guard let watermark else {
        self = .all
        return
      }
      let since = Instant(secondsSince1970: watermark.secondsSince1970 - PullRequest.overlapSeconds)
      let keepsHistory = server.capabilities?.types[type]?.allows("history-type") ?? false
      self = isWhole && keepsHistory ? .history(since: since) : .updated(since: since)
    }

    var isHistory: Bool {
      if case .history = self { true } else { false }
    }
  }

  /// The target, relative to the base.
  ///
  /// - Parameters:
  ///   - filter: what the pass is confined to, as a query.
  ///   - order: by what a search is sorted.
  ///   - count: how many rows a page has.
  ///   - elements: what is wanted of each; everything where it is `nil`.
  static func target(
    _ kind: Kind, type: String, filter: String = "", order: String = "_lastUpdated", count: Int = pageSize,
    elements: String? = nil
  ) -> String {
    var parameters: [(name: String, value: String)] = []
    var path = "\(type)?"
    switch kind {
    case .all: parameters = [("_sort", order)]
    case .history(let since):
      path = "\(type)/_history?"
      // A time in `Z`: some servers compare the text.
      parameters = [("_since", since.utcText)]
    case .updated(let since): parameters = [("_lastUpdated", "ge\(since.utcText)"), ("_sort", order)]
    }
    if let elements { parameters.append(("_elements", elements)) }
    let query = SearchQuery.encode(parameters + [("_count", String(count))])
    return path + (filter.isEmpty ? query : filter + "&" + query)
  }

  /// Whether an address is a question of ours for what comes after a stamp, and no server's link.
  static func isQuestion(_ url: String, base: String, type: String, filter: String) -> Bool {
    let begin = "\(base)/\(type)?" + (filter.isEmpty ? "" : filter + "&")
    let end = SearchQuery.encode([("_sort", "_lastUpdated"), ("_count", String(pageSize))])
    if url == begin + end { return true }
    let (head, tail) = (begin + "_lastUpdated=ge", "&" + end)
    return url.count > head.count + tail.count && url.hasPrefix(head) && url.hasSuffix(tail)
      && !url.dropFirst(head.count).dropLast(tail.count).contains("&")
  }
}
