import Domain
import JSON

/// Asks the server, by their ids, which versions of records it has now: what a list with a filter does not tell.
///
/// What changed is fetched; what is not shown is read by itself before it counts as gone.
struct Recheck: Sendable {
  let store: Store
  let client: FHIRClient

  /// How many ids one request names: so that its address stays short enough for every server.
  static let batch = 50

  /// Rechecks members that a pass has not seen. Those that changed have left its scope.
  func run(_ keys: [ResourceKey], leaving scope: ScopeRecord, mayGoOn: @Sendable () -> Bool)
    async throws(AppError) -> Puller.Result
  {
    var result = Puller.Result()
    for batch in keys.batches(of: Self.batch) {
      let (changed, missing) = try await compare(batch, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
      if !(changed + missing).isEmpty {
        try await store.write(durability: .normal) { transaction throws(AppError) in
          for key in changed + missing { try transaction.removeMember(key, of: scope) }
        }
      }
      try await fetch(changed, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
    }
    if let type = keys.first?.type { try await settle(type, &result, mayGoOn: mayGoOn) }
    return result
  }

  /// Fetches records that are not known here, and rechecks the others.
  func follow(_ keys: [ResourceKey], mayGoOn: @Sendable () -> Bool) async throws(AppError) -> Puller.Result {
    var result = Puller.Result()
    let unknown = try await store.read { transaction throws(AppError) in
      try transaction.unknown(keys)
    }
    for batch in unknown.batches(of: Self.batch) {
      let missing = try await fetch(batch, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
      result.warnings += missing.map { "\($0) is referred to, and the server does not show it" }
    }
    let known = Set(keys).subtracting(unknown).sorted { $0.id < $1.id }
    for batch in known.batches(of: Self.batch) {
      let (changed, _) = try await compare(batch, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
      try await fetch(changed, &result, mayGoOn: mayGoOn)
      guard result.failure == nil else { return result }
    }
    if let type = known.first?.type { try await settle(type, &result, mayGoOn: mayGoOn) }
    return result
  }

  /// Compares the versions of records with those that the server shows; those that it does not show are noted.
  ///
  /// - Returns: those that changed there, and those that are not shown.
  func compare(_ keys: [ResourceKey], _ result: inout Puller.Result, mayGoOn: @Sendable () -> Bool)
    async throws(AppError) -> (changed: [ResourceKey], missing: [ResourceKey])
  {
    guard let type = keys.first?.type else { return ([], []) }
    let query = [("_id", keys.map(\.id).joined(separator: ",")), ("_elements", "id,meta")]
    guard let shown = try await search(type, query, count: keys.count, &result, mayGoOn: mayGoOn) else {
      return ([], [])
    }
    let asked = Set(keys)
    return try await store.write(durability: .normal) { transaction throws(AppError) in
      var changed: [ResourceKey] = []
      var seen: Set<ResourceKey> = []
      for document in shown {
        let key = ResourceKey(type: type, id: document["id"]?.string ?? "")
        guard asked.contains(key), seen.insert(key).inserted else { continue }
        try transaction.noteReappearance(of: key)
        if try transaction.isAnotherVersion(document, of: key) { changed.append(key) }
      }
      let missing = keys.filter { !seen.contains($0) }
      for key in missing { try transaction.noteDisappearance(of: key, .notShown) }
      return (changed, missing)
    }
  }

  /// Fetches records as they are now.
  ///
  /// - Returns: those that the server does not show.
  @discardableResult
  func fetch(_ keys: [ResourceKey], _ result: inout Puller.Result, mayGoOn: @Sendable () -> Bool)
    async throws(AppError) -> [ResourceKey]
  {
    guard let type = keys.first?.type else { return [] }
    let asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
    let query = [("_id", keys.map(\.id).joined(separator: ","))]
    guard let shown = try await search(type, query, count: keys.count, &result, mayGoOn: mayGoOn) else { return [] }
    let wanted = Set(keys)
    let (stored, seen, doubtful) = try await store.write(durability: .normal) { transaction throws(AppError) in
      var stored = 0
      var seen: Set<ResourceKey> = []
      var doubtful: [ResourceKey] = []
      for document in shown {
        let key = ResourceKey(type: type, id: document["id"]?.string ?? "")
        guard wanted.contains(key), !document.isSubsetted, seen.insert(key).inserted else { continue }
        if try transaction.receivePulled(document, key, etag: nil, asked: asked) {
          stored += 1
        } else if try transaction.resource(key)?.needsRefresh == true {
          doubtful.append(key)
        }
      }
      return (stored, seen, doubtful)
    }
    // A search that shows the past is checked by reading the record itself.
    for key in doubtful {
      guard mayGoOn(), !Task.isCancelled else { break }
      try await read(key, &result)
      guard result.failure == nil else { return [] }
    }
    result.received += seen.count
    result.changed += stored
    return keys.filter { !seen.contains($0) }
  }

  /// Finds out what became of records that are not shown: a few are read one by one; too many are put before a person.
  func settle(_ type: String, _ result: inout Puller.Result, mayGoOn: @Sendable () -> Bool) async throws(AppError) {
    let keys = try await store.read { transaction throws(AppError) in try transaction.disappeared(type, .notShown) }
    guard !keys.isEmpty else { return }
    // A few are read in any case: a server that does not search by several ids must not make all records look gone.
    for key in keys.prefix(Self.sample) {
      guard mayGoOn(), !Task.isCancelled else { return }
      try await read(key, &result)
      guard result.failure == nil else { return }
    }
    let (left, isHeld) = try await store.write { transaction throws(AppError) in
      let left = try transaction.disappeared(type, .notShown)
      guard !left.isEmpty else { return (left, false) }
      if try transaction.isShown(keys.prefix(Self.sample)) {
        for key in left { try transaction.noteReappearance(of: key) }
        return ([], false)
      }
      return (left, try transaction.holdMassDisappearance(type, .notShown, count: left.count))
    }
    if isHeld {
      result.warnings.append(
        "\(left.count) records of the type \(type) are not shown by the server any more: that waits for a decision")
      return
    }
    for key in left {
      guard mayGoOn(), !Task.isCancelled else { return }
      try await read(key, &result)
      guard result.failure == nil else { return }
    }
  }

  /// How many records are read before many are believed to be gone.
  private static let sample = 3

  private func read(_ key: ResourceKey, _ result: inout Puller.Result) async throws(AppError) {
    let asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
    let answer: FHIRAnswer
    do throws(TransportError) { answer = try await client.read(key.description) } catch {
      result.failure = Puller.Failure(error)
      return
    }
    switch answer.status {
    case 200 where answer.resource(type: key.type, id: key.id) != nil, 404, 410:
      let isGone = answer.status != 200
      if isGone, !answer.isEmpty, answer.document == nil {
        result.failure = try await store.failure(answer, of: key.type)
        return
      }
      try await store.write(durability: .normal) { transaction throws(AppError) in
        try transaction.take(answer, for: key, asked: asked)
        try transaction.noteReappearance(of: key)
      }
      if isGone { result.deleted += 1 }
      if answer.status == 404 {
        result.warnings.append("\(key) is not at the server any more, or not shown to this account")
      }
    case 403:
      let isNew = try await store.write(durability: .normal) { transaction throws(AppError) in
        try transaction.noteReappearance(of: key)
        return try transaction.withhold(key)
      }
      if isNew {
        result.warnings.append("\(key) is not shown to this account any more; what is stored here stays, and is marked")
      }
    default: result.failure = try await store.failure(answer, of: key.type)
    }
  }

  /// All pages of a search; `nil` when it failed, which is noted.
  private func search(
    _ type: String, _ query: [(name: String, value: String)], count: Int, _ result: inout Puller.Result,
    mayGoOn: @Sendable () -> Bool
  ) async throws(AppError) -> [JSONValue]? {
    var url = "\(client.base)/\(type)?" + SearchQuery.encode(query + [("_count", String(count))])
    var documents: [JSONValue] = []
    var visited: Set<String> = []
    while true {
      guard mayGoOn(), !Task.isCancelled else {
        result.failure = .stopped
        return nil
      }
      let answer: FHIRAnswer
      do throws(TransportError) { answer = try await client.readPage(url) } catch {
        result.failure = Puller.Failure(error)
        return nil
      }
      guard answer.status == 200, let page = answer.document.flatMap(BundleReader.read) else {
        result.failure = try await store.failure(answer, of: type)
        return nil
      }
      documents += page.resources(of: type)
      guard let next = page.nextLink.flatMap({ LinkResolver.resolve($0, against: url) }), visited.insert(next).inserted,
        Origin.sameOrigin(next, client.base)
      else { return documents }
      url = next
    }
  }
}

extension StoreTransaction {
  /// Those of some records that the store has no document of, and that may be at the server.
  fileprivate func unknown(_ keys: [ResourceKey]) throws(AppError) -> [ResourceKey] {
    var unknown: [ResourceKey] = []
    for key in keys {
      let record = try resource(key)
      if record?.base == nil, record?.pending ?? 0 == 0 { unknown.append(key) }
    }
    return unknown
  }

  /// Whether the server shows another version of a record than is known. Without any mark of a version nothing is said.
  fileprivate func isAnotherVersion(_ document: JSONValue, of key: ResourceKey) throws(AppError) -> Bool {
    guard let record = try resource(key), record.state == .present else { return true }
    let meta = document["meta"]
    if let version = meta?["versionId"]?.string, let known = record.version { return version != known }
    guard let stamp = meta?["lastUpdated"]?.string, let known = record.base?["meta"]?["lastUpdated"]?.string else {
      return false
    }
    return stamp != known
  }

  /// Whether all of some records are at the server, and shown to this account.
  fileprivate func isShown(_ keys: some Sequence<ResourceKey>) throws(AppError) -> Bool {
    for key in keys {
      guard let record = try resource(key), record.state == .present, record.withheld == nil else { return false }
    }
    return true
  }
}

extension Array {
  /// The elements in groups of at most so many.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
