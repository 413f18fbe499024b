import JSON

/// A search of one type, taken from its query.
struct Search: Sendable {
  struct Filter: Sendable {
    var name: String
    var modifier: String?
    /// Any of these.
    var values: [String]
    /// For a chained parameter (`patient.identifier`): what the reference's target must match, by its type.
    var chain: [String: Search] = [:]
  }

  struct Include: Sendable {
    var type: String
    var parameter: String
  }

  var type: String
  var filters: [Filter] = []
  var sort: [(name: String, isDescending: Bool)] = []
  var count: Int?
  var countsOnly = false
  var elements: [String] = []
  var includes: [Include] = []
  var reverseIncludes: [Include] = []
  /// The part of the query that was understood, for the link `self`.
  var applied: [QueryItem] = []

  var hasFilters: Bool { !filters.isEmpty }

  /// - Parameter sorts: whether `_sort` is known.
  /// - Throws: 400 for values that cannot be read, and for unknown parameters if the client asked for strict handling; else those are ignored.
  init(type: String, query: [QueryItem], sorts: Bool = true, call: Call) throws(Refusal) {
    self.type = type
    for item in query {
      if sorts || item.name != "_sort", try take(item) {
        applied.append(item)
      } else if call.prefers("handling=strict") {
        throw Refusal(400, "not-supported", "the search parameter \(item.name) is not known for \(type)")
      }
    }
  }

  private mutating func take(_ item: QueryItem) throws(Refusal) -> Bool {
    switch item.name {
    case "_count":
      guard let count = Int(item.value), count >= 0 else { throw Refusal(400, "value", "_count must be a number") }
      self.count = count
      if count == 0 { countsOnly = true }
    case "_summary":
      guard item.value == "count" || item.value == "false" else { return false }
      countsOnly = item.value == "count"
    case "_elements": elements += item.value.split(separator: ",").map(String.init)
    case "_sort":
      for key in item.value.split(separator: ",") {
        let name = String(key.drop { $0 == "-" })
        guard ["_lastUpdated", "_id"].contains(name) || SearchTable.parameter(name, of: type) != nil else {
          return false
        }
        sort.append((name, key.hasPrefix("-")))
      }
    case "_include", "_revinclude":
      let parts = item.value.split(separator: ":").map(String.init)
      guard parts.count >= 2, SearchTable.parameter(parts[1], of: parts[0])?.kind == .reference else { return false }
      let include = Include(type: parts[0], parameter: parts[1])
      if item.name == "_include" { includes.append(include) } else { reverseIncludes.append(include) }
    case "_format", "_pretty", "_total": break
    default: return try takeFilter(item)
    }
    return true
  }

  private mutating func takeFilter(_ item: QueryItem) throws(Refusal) -> Bool {
    let parts = item.name.split(separator: ":", maxSplits: 1).map(String.init)
    guard let name = parts.first else { return false }
    if let dot = item.name.firstIndex(of: ".") { return try takeChain(item, dot) }
    let kind = name == "_id" ? .token : name == "_lastUpdated" ? .date : SearchTable.parameter(name, of: type)?.kind
    let modifier = parts.count > 1 ? parts[1] : nil
    guard let kind, Self.isKnown(modifier, kind) else { return false }
    let values = Self.split(item.value)
    let never = TimeRange(start: 0, end: 0)
    if kind == .date, modifier == nil, values.contains(where: { Matching.date(never, $0) == nil }) {
      throw Refusal(400, "value", "\(name) needs a date, perhaps with a prefix")
    }
    filters.append(Filter(name: name, modifier: modifier, values: values))
    return true
  }

  /// `patient.family`, `subject:Patient.family` (hl7.org/fhir/R4/search.html#chaining).
  private mutating func takeChain(_ item: QueryItem, _ dot: String.Index) throws(Refusal) -> Bool {
    let parts = item.name[..<dot].split(separator: ":").map(String.init)
    guard let name = parts.first, let parameter = SearchTable.parameter(name, of: type), parameter.kind == .reference
    else {
      return false
    }
    let explicit = parts.count > 1 ? parts[1] : parameter.target
    var filter = Filter(name: name, modifier: nil, values: [])
    for target in explicit.map({ [$0] }) ?? ["Patient", "Practitioner", "Location", "Organization", "Encounter"] {
      var search = Search(type: target)
      if try search.take(QueryItem(String(item.name[item.name.index(after: dot)...]), item.value)), search.hasFilters {
        filter.chain[target] = search
      }
    }
    guard !filter.chain.isEmpty else { return false }
    filters.append(filter)
    return true
  }

  private init(type: String) { self.type = type }

  private static func isKnown(_ modifier: String?, _ kind: SearchTable.Kind) -> Bool {
    guard let modifier, modifier != "missing" else { return true }
    return switch kind {
    case .string: modifier == "exact" || modifier == "contains"
    case .token: modifier == "not"
    case .reference: ResourceType.isKnown(modifier)
    case .date: false
    }
  }

  /// Splits at commas that are not escaped.
  private static func split(_ text: String) -> [String] {
    var values = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        values[values.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        values.append("")
      } else {
        values[values.count - 1].append(character)
      }
    }
    return values
  }

  // MARK: Matching

  /// - Parameters:
  ///   - find: the visible version of another resource, for chains.
  func accepts(_ key: MockKey, _ version: MockVersion, find: (MockKey) -> MockVersion?) -> Bool {
    guard let resource = version.resource else { return false }
    return filters.allSatisfy { filter in
      switch filter.name {
      case "_id": filter.values.contains(key.id) != (filter.modifier == "not")
      case "_lastUpdated":
        filter.values.contains { Matching.date(TimeRange(start: version.time, end: version.time + 1), $0) == true }
      default: filter.chain.isEmpty ? accepts(resource, filter) : follows(resource, filter, find)
      }
    }
  }

  private func follows(_ resource: JSONValue, _ filter: Filter, _ find: (MockKey) -> MockVersion?) -> Bool {
    guard let parameter = SearchTable.parameter(filter.name, of: type) else { return false }
    return parameter.paths.flatMap { Matching.values(resource, $0) }.contains { value in
      guard let key = value["reference"]?.string.flatMap({ MockKey(reference: $0) }),
        let search = filter.chain[key.type],
        let target = find(key)
      else { return false }
      return search.accepts(key, target, find: find)
    }
  }

  private func accepts(_ resource: JSONValue, _ filter: Filter) -> Bool {
    guard let parameter = SearchTable.parameter(filter.name, of: type) else { return true }
    let values = parameter.paths.flatMap { Matching.values(resource, $0) }
    if filter.modifier == "missing" { return values.isEmpty == (filter.values == ["true"]) }
    if filter.modifier == "not" {
      return !values.contains { value in filter.values.contains { Matching.token(value, $0, system: parameter.system) }
      }
    }
    return values.contains { value in
      filter.values.contains { wanted in
        switch parameter.kind {
        case .token: Matching.token(value, wanted, system: parameter.system)
        case .string: Matching.string(value, wanted, modifier: filter.modifier)
        case .date: Matching.range(value).flatMap { Matching.date($0, wanted) } ?? false
        case .reference: Matching.reference(value, wanted, target: filter.modifier ?? parameter.target)
        }
      }
    }
  }

  /// What a resource is sorted by: instants as text of equal width, texts folded. Nil sorts last.
  func sortKey(_ name: String, _ key: MockKey, _ version: MockVersion) -> String? {
    if name == "_id" { return key.id }
    if name == "_lastUpdated" { return Instant.text(version.time) }
    guard let resource = version.resource, let parameter = SearchTable.parameter(name, of: type) else { return nil }
    for value in parameter.paths.lazy.flatMap({ Matching.values(resource, $0) }) {
      switch parameter.kind {
      case .date: if let range = Matching.range(value) { return Instant.text(max(range.start, -62_135_596_800_000)) }
      default:
        let text = value.string ?? (value["value"] ?? value["code"] ?? value["reference"] ?? value["family"])?.string
        if let text { return Matching.fold(text) }
      }
    }
    return nil
  }
}
