import JSON

extension MockState {
  /// search of one type (hl7.org/fhir/R4/search.html).
  mutating func search(_ type: String, _ query: [QueryItem], _ call: Call) throws(Refusal) -> Answer {
    let search = try Search(type: type, query: query, sorts: profile.honoursSort, call: call)
    if search.countsOnly {
      return Answer(
        status: 200,
        document: [
          "resourceType": "Bundle", "type": "searchset", "total": .number(JSONNumber(matches(search).count)),
          "link": [link("self", "\(type)?\(QueryItem.text(search.applied))", call)],
        ])
    }
    return answer(page: Page(content: .search(search, fixed: profile.stablePages ? matches(search) : nil)), call)
  }

  /// The keys that a search finds, in its order.
  func matches(_ search: Search) -> [MockKey] {
    let idFilter = search.filters.first { $0.name == "_id" && $0.modifier == nil }
    let candidates = idFilter.map { Array(Set($0.values)).sorted() } ?? order[search.type] ?? []
    var found: [(key: MockKey, version: MockVersion, position: Int)] = []
    for id in candidates {
      let key = MockKey(search.type, id)
      if let visible = visible(key), search.accepts(key, visible.version, find: { self.visible($0)?.version }) {
        found.append((key, visible.version, visible.position))
      }
    }
    guard !search.sort.isEmpty else { return found.map(\.key) }
    let keyed = found.map { item in (item, search.sort.map { search.sortKey($0.name, item.key, item.version) }) }
    return keyed.sorted { left, right in
      for (index, order) in search.sort.enumerated() where left.1[index] != right.1[index] {
        guard let first = left.1[index] else { return false }
        guard let second = right.1[index] else { return true }
        return order.isDescending ? first > second : first < second
      }
      let isDescending = search.sort.first?.isDescending ?? false
      return isDescending ? left.0.position > right.0.position : left.0.position < right.0.position
    }.map(\.0.key)
  }

  /// The entries of one page: its matches and what they include.
  func entries(_ keys: ArraySlice<MockKey>, _ search: Search, _ call: Call) -> [JSONValue] {
    var entries: [JSONValue] = []
    var seen = Set(keys)
    var included: [MockKey] = []
    for key in keys {
      guard let resource = visible(key)?.version.resource else { continue }
      entries.append(
        entry(key, search.elements.isEmpty ? resource : Subset.of(resource, elements: search.elements), "match", call))
      for include in search.includes where include.type == key.type {
        included += targets(resource, include).filter { seen.insert($0).inserted }
      }
    }
    for include in search.reverseIncludes {
      for id in order[include.type] ?? [] {
        let holder = MockKey(include.type, id)
        guard !seen.contains(holder), let resource = visible(holder)?.version.resource else { continue }
        if targets(resource, include).contains(where: keys.contains) {
          seen.insert(holder)
          included.append(holder)
        }
      }
    }
    for key in included {
      if let resource = visible(key)?.version.resource { entries.append(entry(key, resource, "include", call)) }
    }
    return entries
  }

  private func targets(_ resource: JSONValue, _ include: Search.Include) -> [MockKey] {
    guard let parameter = SearchTable.parameter(include.parameter, of: include.type) else { return [] }
    return parameter.paths.flatMap { Matching.values(resource, $0) }.compactMap { value in
      guard let key = value["reference"]?.string.flatMap({ MockKey(reference: $0) }) else { return nil }
      return parameter.target == nil || parameter.target == key.type ? key : nil
    }
  }

  private func entry(_ key: MockKey, _ resource: JSONValue, _ mode: JSONValue, _ call: Call) -> JSONValue {
    ["fullUrl": .string("\(call.base)/\(key.path)"), "resource": resource, "search": ["mode": mode]]
  }
}
