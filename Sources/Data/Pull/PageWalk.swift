import Domain
import JSON

/// Which page of a pull comes next.
///
/// A link leads to the next rows as they are now: where a server's pages are not of one moment, a record that is changed
/// between two pages moves to the end, every row behind it moves up by one, and the first row of the next page is never
/// seen. So a search in the order of time goes on from the stamp that it has reached, where the server is known to order by
/// it (see ``TimeOrder``), and as long as the rows show that. Where more rows than a page holds carry one stamp, the links
/// are followed, and those rows are read again until two readings list the same; see ``LinkedRun``. A history is read by
/// its links.
struct PageWalk: Sendable {
  private let base: String
  private let type: String
  private let filter: String
  /// From when on the page in hand was asked for, where that is known.
  private var since: Instant?
  private var goesByTime: Bool
  private var visited: Set<String> = []
  private var hasBegun = false
  private var run: LinkedRun?
  private var cursor: String?
  /// Whether the server orders by time; `nil` where that is not known.
  var isOrdered: Bool?
  /// Whether the next page can only be told once ``isOrdered`` is known: then the same page is to be asked about again.
  private(set) var isUnsure = false

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
  mutating func visit(_ url: String) -> Bool {
    isUnderWay = hasBegun
    hasBegun = true
    return visited.insert(url).inserted
  }

  /// Whether more than the first page was asked for.
  private(set) var isUnderWay = false

  /// Whether the page in hand lists rows for another time.
  var isRepeating: Bool { (run?.readings ?? 1) > 1 }

  /// Where a pass that is cut, or whose links expire, goes on without losing a row; `nil` where only links lead on.
  var resumption: String? { goesByTime ? cursor : nil }

  /// The address of the page after one; the link where that is not known yet.
  ///
  /// - Parameters:
  ///   - url: where the page was found.
  ///   - link: the page's own link to the next one, resolved; `nil` on the last page.
  mutating func next(after page: BundlePage, at url: String, link: String?) -> String? {
    isUnsure = false
    guard goesByTime, link != nil || run != nil else { return link }
    guard let rows = StampedRows(page), rows.follow(since) else {
      goByLinks()
      return link
    }
    if run == nil {
      guard !rows.isEmpty else { return link }
      // It has to leave a row behind.
      if let reached = rows.reached, let next = address(from: reached) {
        guard mayGoOn(insteadOf: url) else { return link }
        return goOn(reached, at: next)
      }
      run = LinkedRun(start: url, since: since)
    }
    guard var run, run.ends(with: rows, isLast: link == nil) else {
      self.run?.add(rows)
      cursor = run?.start
      return link
    }
    run.add(rows)
    if run.beginsAnew() {
      self.run = run
      since = run.since
      visited = []
      cursor = run.start
      return run.start
    }
    guard link == nil || mayGoOn(insteadOf: run.start) else { return link }
    self.run = nil
    visited = []
    guard link != nil, let bound = run.bound, let next = address(from: bound) else { return nil }
    return goOn(bound, at: next)
  }

  /// Whether the server is known to order by time. Else its links are followed; while that is not known, a pass that is cut
  /// goes on from a page that was read.
  private mutating func mayGoOn(insteadOf start: String) -> Bool {
    switch isOrdered {
    case true?: return true
    case false?: goByLinks()
    case nil:
      isUnsure = true
      cursor = start
    }
    return false
  }

  private mutating func goByLinks() {
    goesByTime = false
    run = nil
  }

  private mutating func goOn(_ reached: Instant, at url: String) -> String {
    since = reached
    cursor = url
    return url
  }

  /// The question for what was changed since; `nil` when it was asked already.
  private func address(from reached: Instant) -> String? {
    let url = "\(base)/\(PullRequest.target(.updated(since: reached), type: type, filter: filter))"
    return visited.contains(url) ? nil : url
  }
}

/// The rows of a page by their stamps.
struct StampedRows: Sendable {
  var rows: [(key: ResourceKey?, stamp: Instant)] = []
  /// How far a stamp may be from what is shown: whole seconds, or milliseconds, may have been rounded up.
  private var grain: Int64 = 1_000

  /// Reads a page; `nil` when a row has no stamp.
  init?(_ page: BundlePage) {
    for entry in page.matches {
      guard case .resource(let document, let key) = entry.content,
        let text = document["meta"]?["lastUpdated"]?.string, let stamp = Instant(text)
      else { return nil }
      rows.append((key, stamp))
      grain = text.contains(".") ? 1 : 1_000
    }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Whether they stand in the order of time, none before an instant.
  func follow(_ since: Instant?) -> Bool {
    guard let first = rows.first else { return true }
    return zip(rows, rows.dropFirst()).allSatisfy { $0.stamp <= $1.stamp } && since.map { first.stamp >= $0 } ?? true
  }

  /// From where on the rows that follow may be asked for by time; `nil` where that would leave no row behind.
  var reached: Instant? {
    guard let first = rows.first, let last = rows.last else { return nil }
    let reached = Instant(milliseconds: last.stamp.milliseconds - grain)
    return reached > first.stamp ? reached : nil
  }

  /// An instant behind all of them.
  var end: Instant? { rows.last.map { Instant(milliseconds: $0.stamp.milliseconds + 2 * grain) } }
}

/// Rows that only links lead through, since more of them than a page holds carry one stamp.
///
/// A row is lost when one that stands before it, and was read, is changed before the next page is asked for. The changed
/// one has a later stamp then, and is missing when the rows are read again: so where two readings, one after the other,
/// list the same rows, neither has lost any.
struct LinkedRun: Sendable {
  /// Where a reading begins.
  let start: String
  /// From when on that asks.
  let since: Instant?
  /// What stands before it is left behind at the end.
  private(set) var bound: Instant?
  /// Which reading this is.
  private(set) var readings = 1
  private var listed = Listing()
  private var former: Listing?
  private var pages = 0
  private var end: Instant?

  /// How often rows are read at most: in a large run something is changed all the time.
  private var limit: Int { pages > 50 * readings ? 2 : 5 }

  /// Which rows a reading has listed, in a few bytes.
  private struct Listing: Hashable {
    var count = 0
    var sum = 0
  }

  init(start: String, since: Instant?) {
    self.start = start
    self.since = since
  }

  /// Whether a reading ends with a page.
  mutating func ends(with rows: StampedRows, isLast: Bool) -> Bool {
    end = rows.end.map { max(end ?? $0, $0) } ?? end
    if let bound { return isLast || rows.rows.last.map { $0.stamp >= bound } ?? false }
    guard isLast || rows.reached != nil else { return false }
    bound = rows.reached ?? end
    if isLast { bound = end }
    return true
  }

  /// Takes a page's rows.
  mutating func add(_ rows: StampedRows) {
    pages += 1
    for row in rows.rows where bound.map({ row.stamp < $0 }) ?? true {
      listed.count += 1
      var hasher = Hasher()
      hasher.combine(row.key)
      hasher.combine(row.stamp.milliseconds)
      listed.sum &+= hasher.finalize()
    }
  }

  /// Begins another reading, unless the last two agree, or it was tried often enough.
  ///
  /// - Returns: whether it does.
  mutating func beginsAnew() -> Bool {
    guard former != listed, readings < limit else { return false }
    former = listed
    listed = Listing()
    readings += 1
    return true
  }
}
