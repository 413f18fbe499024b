import JSON

/// Where a list goes on. Next links are opaque: they name a page that the server remembers.
struct Page: Sendable {
  enum Content: Sendable {
    /// A search; with stable pages, the keys that it found when it was asked.
    case search(Search, fixed: [MockKey]?)
    /// Positions of changes, newest first, as they were when history was asked.
    case history(HistoryScope, positions: [Int])
  }

  /// What a search found while nothing has changed since: it need not run again for the next page.
  struct Found: Sendable {
    var revision: Int
    var keys: [MockKey]
  }

  var content: Content
  var offset = 0
  var uses = 0
  var found: Found?
}

/// The pages that next links name. The oldest are forgotten.
struct PageTable: Sendable {
  private var pages: [String: Page] = [:]
  private var tokens: [String] = []
  private static let capacity = 4096

  mutating func add(_ page: Page, token: String) {
    if tokens.count >= Self.capacity { pages[tokens.removeFirst()] = nil }
    tokens.append(token)
    pages[token] = page
  }

  /// The page, one use later; nil if it is not known or was used `limit` times.
  mutating func use(_ token: String, limit: Int?) -> Page? {
    guard let page = pages[token] else { return nil }
    if let limit, page.uses >= limit { return nil }
    pages[token]?.uses += 1
    return page
  }
}

extension MockState {
  /// A page that a next link names.
  mutating func page(_ call: Call) throws(Refusal) -> Answer {
    guard let token = call.values("_page").first else {
      throw Refusal(400, "not-supported", "a search needs a resource type")
    }
    guard let page = pages.use(token, limit: profile.pagesExpireAfter) else {
      throw Refusal(410, "expired", "this page has expired: begin the search again")
    }
    return answer(page: page, call)
  }

  /// One page with its links.
  mutating func answer(page: Page, _ call: Call) -> Answer {
    var page = page
    switch page.content {
    case .search(let search, let fixed):
      let keys = fixed ?? found(page) ?? matches(search)
      // What a search sees moves with the clock where it lags.
      if fixed == nil, profile.searchLagSeconds == 0 { page.found = Page.Found(revision: revision, keys: keys) }
      let size = max(1, min(search.count ?? profile.pageSize, profile.largestPage))
      let slice = keys.dropFirst(page.offset).prefix(size)
      let own = "\(search.type)?\(QueryItem.text(search.applied))"
      var bundle = listing(
        "searchset", total: keys.count, own: own, page, size, isLast: slice.endIndex >= keys.endIndex, call)
      let entries = entries(slice, search, call)
      if !entries.isEmpty { bundle["entry"] = .array(entries) }
      return Answer(status: 200, document: bundle)
    case .history(let scope, let positions):
      let size = max(1, min(scope.count ?? profile.pageSize, profile.largestPage))
      let slice = positions.dropFirst(page.offset).prefix(size)
      var bundle = listing(
        "history", total: positions.count, own: scope.target, page, size, isLast: slice.endIndex >= positions.endIndex,
        call)
      let entries = slice.filter { $0 < mark }.map { historyEntry($0, call) }
      if !entries.isEmpty { bundle["entry"] = .array(entries) }
      return Answer(status: 200, document: bundle)
    }
  }

  private func found(_ page: Page) -> [MockKey]? {
    guard let found = page.found, found.revision == revision, profile.searchLagSeconds == 0 else { return nil }
    return found.keys
  }

  private mutating func listing(
    _ type: JSONValue, total: Int, own: String, _ page: Page, _ size: Int, isLast: Bool, _ call: Call
  ) -> JSONValue {
    var links = [link("self", own, call)]
    if !isLast {
      let token = Hex.text(ids.next())
      pages.add(Page(content: page.content, offset: page.offset + size, found: page.found), token: token)
      links.append(link("next", "?_page=\(token)", call))
    }
    return [
      "resourceType": "Bundle", "id": .string(ids.uuid()), "meta": ["lastUpdated": .string(Instant.text(clock.now))],
      "type": type, "total": .number(JSONNumber(total)), "link": .array(links),
    ]
  }

  func link(_ relation: JSONValue, _ target: String, _ call: Call) -> JSONValue {
    let slash = target.hasPrefix("?") ? "" : "/"
    let path = Base(url: call.base, host: nil).segments.map { "/\($0)" }.joined()
    let url = (profile.absoluteLinks ? call.base : path) + slash + target
    return ["relation": relation, "url": .string(url.hasSuffix("?") ? String(url.dropLast()) : url)]
  }
}
