import JSON

/// One version of one resource; `resource` is nil for a deletion.
struct MockVersion: Sendable {
  var versionId: String
  var time: Int64
  var method: String
  var resource: JSONValue?
  /// Loaded or seeded: search sees it at once, whatever its lag.
  var isLoaded = false
}

/// One step of the server's history.
struct MockChange: Sendable {
  var key: MockKey
  var version: MockVersion
}

/// Everything the server knows. All changes are in one list, so that a transaction is undone, and a backup restored, by cutting it.
struct MockState: Sendable {
  var profile: MockProfile
  var clock: MockClock
  var ids: SeededGenerator
  private(set) var changes: [MockChange] = []
  /// Grows with every change, made or undone.
  private(set) var revision = 0
  /// Indices into `changes`, oldest first, by type and id.
  private var chains: [String: [String: [Int]]] = [:]
  /// Ids in the order of their first appearance, by type.
  private(set) var order: [String: [String]] = [:]
  private(set) var log: [MockLogEntry] = []
  private var sequence = 0
  var exchanges: [MockExchange] = []
  var pages = PageTable()
  var faults = Script<MockFault>()
  /// Named points to return to: numbers of changes.
  var snapshots: [String: Int] = [:]

  init(profile: MockProfile, clock: MockClock, seed: UInt64) {
    self.profile = profile
    self.clock = clock
    ids = SeededGenerator(seed: seed)
  }

  // MARK: Reading

  var mark: Int { changes.count }

  /// The versions of a resource, oldest first; the last may be a deletion.
  func versions(_ key: MockKey) -> [MockVersion] {
    (chains[key.type]?[key.id] ?? []).map { changes[$0].version }
  }

  /// The newest version, which may be a deletion; nil if the id was never used.
  func newest(_ key: MockKey) -> MockVersion? {
    chains[key.type]?[key.id]?.last.map { changes[$0].version }
  }

  /// The newest version, unless it is a deletion.
  func current(_ key: MockKey) -> MockVersion? {
    guard let version = newest(key), version.resource != nil else { return nil }
    return version
  }

  /// What a search sees of a resource now: with a lag, an older version, or nothing.
  func visible(_ key: MockKey) -> (version: MockVersion, position: Int)? {
    guard let chain = chains[key.type]?[key.id] else { return nil }
    let limit = clock.now - Int64(profile.searchLagSeconds) * 1000
    let position = chain.last { index in
      profile.searchLagSeconds == 0 || changes[index].version.isLoaded || changes[index].version.time <= limit
    }
    guard let position, changes[position].version.resource != nil else { return nil }
    return (changes[position].version, position)
  }

  // MARK: Changing

  /// Adds a change as it is.
  mutating func append(_ change: MockChange) {
    if chains[change.key.type]?[change.key.id] == nil { order[change.key.type, default: []].append(change.key.id) }
    chains[change.key.type, default: [:]][change.key.id, default: []].append(changes.count)
    changes.append(change)
    revision += 1
  }

  /// Undoes every change after that many. The truth log keeps what was applied and then restored from a backup, but forgets what a failed
  /// transaction tried.
  mutating func cut(to mark: Int, isTransaction: Bool) {
    revision += 1
    while changes.count > max(0, mark), let change = changes.popLast() {
      chains[change.key.type]?[change.key.id]?.removeLast()
      if chains[change.key.type]?[change.key.id]?.isEmpty == true {
        chains[change.key.type]?[change.key.id] = nil
        order[change.key.type]?.removeLast()
      }
      if isTransaction, !log.isEmpty {
        log.removeLast()
        sequence -= 1
      }
    }
  }

  /// Makes the next version of a resource, nil for a deletion, and logs it.
  mutating func write(_ resource: JSONValue?, at key: MockKey, method: String, for call: Call) -> MockVersion {
    let count = chains[key.type]?[key.id]?.count ?? 0
    let versionId = profile.numericVersions ? String(count + 1) : "v-\(Hex.text(ids.next()))"
    let time = clock.now
    let stamped = resource.map { stamp($0, key: key, versionId: versionId, time: time) }
    let version = MockVersion(versionId: versionId, time: time, method: method, resource: stamped)
    append(MockChange(key: key, version: version))
    sequence += 1
    log.append(
      MockLogEntry(
        sequence: sequence, method: method, type: key.type, id: key.id, versionId: versionId, target: call.target,
        headers: call.headers.filter { Self.identityHeaders.contains($0.key) }, bodyHash: call.bodyHash,
        time: Instant.text(time)))
    return version
  }

  /// Takes a record into the store as if it had always been there: version 1 (or the next), at a time of its own, not in the truth log.
  mutating func load(_ resource: JSONValue?, at key: MockKey, time: Int64) {
    let count = chains[key.type]?[key.id]?.count ?? 0
    let versionId = profile.numericVersions ? String(count + 1) : "v-\(Hex.text(ids.next()))"
    let stamped = resource.map { stamp($0, key: key, versionId: versionId, time: time) }
    let method = resource == nil ? "DELETE" : count == 0 ? "POST" : "PUT"
    append(
      MockChange(
        key: key,
        version: MockVersion(versionId: versionId, time: time, method: method, resource: stamped, isLoaded: true)))
  }

  /// An id that no resource of that type has had.
  mutating func freshId(_ type: String) -> String {
    while true {
      let id = ids.uuid()
      if chains[type]?[id] == nil { return id }
    }
  }

  private static let identityHeaders: Set = ["if-match", "if-none-exist", "prefer", "x-request-id", "x-correlation-id"]

  /// The resource with the server's id, `meta.versionId` and `meta.lastUpdated`; everything else as it was sent.
  private func stamp(_ resource: JSONValue, key: MockKey, versionId: String, time: Int64) -> JSONValue {
    guard case .object(var object) = resource else { return resource }
    object.place("id", .string(key.id), after: "resourceType")
    var meta = object["meta"]?.object ?? JSONObject()
    let others = meta.members.filter { $0.key != "versionId" && $0.key != "lastUpdated" }
    meta.members = profile.showsVersions ? [.init(key: "versionId", value: .string(versionId))] : []
    meta.members.append(.init(key: "lastUpdated", value: .string(Instant.text(time))))
    meta.members += others
    object.place("meta", .object(meta), after: "id")
    return .object(object)
  }
}

extension JSONObject {
  /// Sets a member; one that is new goes behind another, or to the front if that is missing.
  mutating func place(_ key: String, _ value: JSONValue, after other: String) {
    if self[key] != nil {
      self[key] = value
    } else {
      let place = members.firstIndex { $0.key == other }.map { $0 + 1 } ?? 0
      members.insert(Member(key: key, value: value), at: place)
    }
  }
}
