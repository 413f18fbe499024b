import Domain
import JSON

/// Which page of a pull comes next.
///
/// A link leads to the next rows as they are now: where a server's pages are not of one moment, a record that is changed
/// between two pages moves to the end, every row behind it moves up by one, and the first row of the next page is never
/// seen. So a search in the order of time goes on from the stamp that it has reached, as long as the rows show that the
/// server orders and filters by it; within one stamp, and in a history, it follows the links.
struct PageWalk: Sendable {
  private let base: String
  private let type: String
  private let filter: String
  /// From when on the page in hand was asked for, where that is known.
  private var since: Instant?
  private var goesByTime: Bool
  private var visited: Set<String> = []

  /// - Parameter filter: what the pass is confined to, as a query.
  init(base: String, type: String, filter: String = "", kind: PullRequest.Kind) {
    self.base = base
    self.type = type
    self.filter = filter
    goesByTime = !kind.isHistory
    if case .updated(let since) = kind { self.since = since }
  }

  /// Notes a request.
  ///
  /// - Returns: false for one that was made before: the links go round in circles.
  mutating func visit(_ url: String) -> Bool { visited.insert(url).inserted }

  /// Whether more than the first page was asked for.
  var isUnderWay: Bool { visited.count > 1 }

  /// The address of the page after one.
  ///
  /// - Parameter link: the page's own link to the next one, resolved; `nil` on the last page.
  mutating func next(after page: BundlePage, link: String?) -> String? {
    guard let link else { return nil }
    guard goesByTime else { return link }
    var stamps: [Instant] = []
    var isFine = false
    for entry in page.matches {
      guard case .resource(let document, _) = entry.content,
        let text = document["meta"]?["lastUpdated"]?.string, let stamp = Instant(text)
      else { continue }
      stamps.append(stamp)
      isFine = text.contains(".")
    }
    guard let first = stamps.first, let last = stamps.last else { return link }
    let isOrdered = zip(stamps, stamps.dropFirst()).allSatisfy { $0 <= $1 } && stamps.count == page.matches.count
    guard isOrdered, since.map({ first >= $0 }) ?? true else {
      goesByTime = false
      return link
    }
    // What is shown in whole seconds, or in milliseconds, may have been rounded up.
    let reached = Instant(milliseconds: last.milliseconds - (isFine ? 1 : 1_000))
    // It has to leave a row behind.
    guard reached > first else { return link }
    let url = "\(base)/\(PullRequest.target(.updated(since: reached), type: type, filter: filter))"
    guard !visited.contains(url) else { return link }
    since = reached
    return url
  }
}
