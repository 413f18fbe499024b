import Domain
import JSON

/// One page of a pull, ready to be committed with its cursor.
struct PageCommit: Sendable {
  var page: BundlePage
  var kind: PullRequest.Kind
  /// The address of the next page, resolved; `nil` on the last one.
  var next: String?
  /// Where a pass that is cut behind this page goes on.
  var resumption: String?
  /// The mark taken before the page was asked for.
  var asked: ReadMark
  /// What was already seen: in this pass of a history, which lists older versions later; on the page before in a search.
  var seen: Set<ResourceKey>
  /// Whether the page lists what was listed before.
  var isRepeat = false
  /// The server's time when the pass began, where it is known; not for one that goes on where it was cut.
  var began: Instant?
  /// How far its stamps tell that everything was seen.
  var trust = StampTrust.everything
  /// Whose scope is whose, by the patient's id, in a pass over charts.
  var patients: [String: Int] = [:]

  /// What a page changed.
  struct Result: Sendable {
    var received = 0
    var changed = 0
    var deleted = 0
    var warnings: [String] = []
    /// Of a search only what is on this page: memory stays flat.
    var seen: Set<ResourceKey> = []
    var isComplete = false
  }

  /// Stores the page and moves the cursor, in one transaction; the watermark moves only with the last page.
  ///
  /// - Parameters:
  ///   - stored: the scopes of the pass: one, or those of several patients.
  ///   - turns: the pull's turns. Where a scope has another one, another pull began later, and moves cursor and watermark.
  func apply(to stored: [ScopeRecord], turns: [Int64], _ transaction: StoreTransaction) throws(AppError) -> Result {
    var scopes = stored
    let lag = try transaction.serverKnowledge().searchLag
    var result = Result(seen: seen)
    result.warnings = page.warnings
    var stamps: Instant?
    var reachedKnown = false
    for entry in page.entries {
      switch entry.content {
      case .resource(let document, let key?):
        if isOlderThanAsked(document["meta"]?["lastUpdated"]?.string) {
          reachedKnown = true
          continue
        }
        try store(document, key, entry, scopes, &stamps, lag: lag, &result, transaction)
      case .resource(let document, nil):
        try transaction.keepUnreadable(document, scope: scopes[0].name, reason: "a resource without an id")
        result.warnings.append("a resource without an id was set aside")
      case .deletion(let key):
        if isOlderThanAsked(entry.response?.lastModified?.text) {
          reachedKnown = true
          continue
        }
        if let stamp = entry.response?.lastModified { stamps = max(stamps ?? stamp, stamp) }
        guard result.seen.insert(key).inserted else { continue }
        if try transaction.isOlderThanKnown(entry.response?.lastModified?.text, key) { continue }
        try transaction.noteDisappearance(of: key, .deleted)
        try transaction.addMember(key, of: scopes[0])
      case .answer: continue
      }
    }
    for unreadable in page.unreadable {
      try transaction.keepUnreadable(unreadable.raw, scope: scopes[0].name, reason: unreadable.reason)
      result.warnings.append("entry \(unreadable.index + 1) of a page was set aside: \(unreadable.reason)")
    }
    FailPoint.pageResourcesStored.pass()
    // Some servers' history links forget since when: what is older than that was seen in an earlier pass.
    result.isComplete = next == nil || reachedKnown
    for index in scopes.indices {
      if let stamp = stamps.flatMap(trust.bound) { scopes[index].note(stamp) }
      scopes[index].cursor = result.isComplete || scopes.count > 1 ? nil : resumption
      if result.isComplete {
        scopes[index].complete(now: transaction.nowMilliseconds, began: began)
      }
    }
    if result.isComplete {
      let gone = try transaction.settleDeletions(type: scopes[0].type, asked: asked)
      result.deleted += gone.deleted
      result.warnings += gone.warnings
      for scope in scopes { try transaction.removeDeletedMembers(of: scope) }
      FailPoint.watermarkBeforeCommit.pass()
    }
    for (scope, turn) in zip(scopes, turns) where scope.turn == turn { try transaction.store(scope) }
    if !kind.isHistory { result.seen = Set(page.entries.compactMap(\.key)) }
    FailPoint.pageBeforeCommit.pass()
    return result
  }

  private func store(
    _ document: JSONValue, _ key: ResourceKey, _ entry: BundlePage.Entry, _ scopes: [ScopeRecord],
    _ stamps: inout Instant?, lag: Int64, _ result: inout Result, _ transaction: StoreTransaction
  ) throws(AppError) {
    if document.isSubsetted {
      result.warnings.append("\(key) came without all its elements and was not stored")
      return
    }
    let isMatch = entry.mode == .match && key.type == scopes[0].type
    if isMatch, let stamp = document["meta"]?["lastUpdated"]?.string.flatMap(Instant.init) {
      stamps = max(stamps ?? stamp, stamp)
    }
    let isNew = result.seen.insert(key).inserted
    guard isNew || !kind.isHistory else { return }
    if kind.isHistory, try transaction.isOlderThanKnown(document["meta"]?["lastUpdated"]?.string, key) { return }
    if isMatch, isNew, !isRepeat { result.received += 1 }
    let isOvertaken = try transaction.isOvertaken(document, key, lag: lag)
    if !isOvertaken,
      try transaction.receivePulled(document, key, etag: entry.response?.etag, asked: asked)
    {
      result.changed += 1
    }
    if isMatch, let home = home(of: document, transaction) { try transaction.addMember(key, of: scopes[home]) }
  }

  /// Which of the scopes a document belongs to.
  private func home(of document: JSONValue, _ transaction: StoreTransaction) -> Int? {
    guard !patients.isEmpty else { return 0 }
    return FHIRReference.keys(in: document, ownBase: transaction.ownBase).lazy
      .filter { $0.type == Patient.resourceType }.compactMap { patients[$0.id] }.first
  }

  private func isOlderThanAsked(_ stamp: String?) -> Bool {
    guard case .history(let since) = kind, let stamp = stamp.flatMap(Instant.init) else { return false }
    return stamp < since
  }
}

/// How far a page's stamps tell that everything before them was seen.
///
/// An answer to a question tells all. Links may lead through rows in no order of time, or through pages of an earlier
/// moment: what was changed behind the page in hand may have an earlier stamp then than what is listed on it.
enum StampTrust: Hashable, Sendable {
  /// As far as they go.
  case everything
  /// Up to when the pass began, by the server's clock.
  case until(Instant)
  /// Not at all.
  case nothing

  /// The part of a stamp that may move the watermark.
  func bound(_ stamp: Instant) -> Instant? {
    switch self {
    case .everything: stamp
    case .until(let began): min(began, stamp)
    case .nothing: nil
    }
  }
}

extension ScopeRecord {
  /// Notes a stamp of the server's.
  fileprivate mutating func note(_ stamp: Instant) {
    passWatermark = passWatermark.map { max($0, stamp) } ?? stamp
  }

  /// Ends the pass: now the watermark moves.
  fileprivate mutating func complete(now: Int64, began: Instant?) {
    let reached = passWatermark ?? (watermark == nil ? began : nil)
    if let reached { watermark = watermark.map { max($0, reached) } ?? reached }
    passWatermark = nil
    completed = now
    error = nil
  }
}

extension JSONValue {
  /// Whether the server says that it left elements out (hl7.org/fhir/R4/search.html#summary).
  var isSubsetted: Bool {
    self["meta"]?["tag"]?.array?.contains { $0["code"]?.string == "SUBSETTED" } ?? false
  }
}

extension StoreTransaction {
  /// Whether a version in a history is older than the one that is known: a pass that goes on where it was cut does not
  /// remember which newer ones it has listed.
  func isOlderThanKnown(_ stamp: String?, _ key: ResourceKey) throws(AppError) -> Bool {
    guard let stamp = stamp.flatMap(Instant.init), let record = try resource(key), record.state == .present,
      let known = record.base?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init)
    else { return false }
    return stamp < known
  }

  /// Whether a listed document is older than what the server itself said of the record a moment ago.
  ///
  /// A server's search may show, for a while, what its reads and writes have left behind. Once that time is over the
  /// list is believed again, also when it is older: a server may have been restored from a backup.
  ///
  /// - Parameter lag: how long the search may lag, in milliseconds.
  func isOvertaken(_ document: JSONValue, _ key: ResourceKey, lag: Int64) throws(AppError) -> Bool {
    guard let record = try resource(key), let confirmed = record.confirmed, abs(nowMilliseconds - confirmed) <= lag
    else { return false }
    // It is gone, or is to be made anew.
    if record.state != .present { return true }
    guard let listed = document["meta"]?["lastUpdated"]?.string.flatMap(Instant.init),
      let known = record.base?["meta"]?["lastUpdated"]?.string.flatMap(Instant.init)
    else { return false }
    return listed < known
  }

  /// Takes a pulled document; one that carries the identifier of an unsettled create settles it.
  ///
  /// - Returns: whether it was new.
  func receivePulled(_ document: JSONValue, _ key: ResourceKey, etag: String?, asked: ReadMark) throws(AppError) -> Bool
  {
    for localID in RequestBuilder.localIDs(of: document) where localID != key.id {
      let local = ResourceKey(type: key.type, id: localID)
      if let create = try outboxEntries(on: local).first, create.kind == .create {
        try accept(
          create, document: document, version: document["meta"]?["versionId"]?.string, etag: etag, serverID: key.id,
          how: "found by a pull")
        return true
      }
    }
    if try showsThePast(document, key) {
      try markForRefresh(key)
      return false
    }
    return try receive(ServerDocument(key: key, document: document, etag: etag), asked: asked) == .stored
  }

  /// Whether a page shows what we know to be over: its search lags behind the server's writes, or the server was
  /// restored from a backup. A reading of the record itself tells which.
  private func showsThePast(_ document: JSONValue, _ key: ResourceKey) throws(AppError) -> Bool {
    guard let record = try resource(key), record.key == key else { return false }
    guard let base = record.base else {
      // What was deleted, and is to be made anew, is no news.
      guard let create = try outboxEntries(on: key).first, create.recreates else { return false }
      return document["meta"]?["versionId"]?.string ?? "" == create.baseVersion
    }
    let meta = (document["meta"], base["meta"])
    if record.state == .deleted {
      return meta.0?["versionId"] != nil && meta.0?["versionId"] == meta.1?["versionId"]
    }
    guard meta.0?["versionId"]?.string != record.version,
      let arrived = meta.0?["lastUpdated"]?.string.flatMap(Instant.init),
      let known = meta.1?["lastUpdated"]?.string.flatMap(Instant.init)
    else { return false }
    return arrived < known
  }

  /// Takes the news that a resource was deleted.
  ///
  /// - Returns: whether it was new.
  func receiveDeletion(_ key: ResourceKey, asked: ReadMark?) throws(AppError) -> Bool {
    guard let record = try resource(key), record.state == .present else { return false }
    try removeMember(record.key)
    return try receive(ServerDocument(key: record.key, document: nil, version: nil), asked: asked) == .stored
  }
}
