import Data
package import Domain
package import JSON
package import MockServer

/// The mock's model as the server of a world, with the whole truth about what happened to it.
///
/// Unchecked: everything in a world runs on the one thread that called ``SimScheduler/run(maximumJobs:until:)``.
package final class SimServer: @unchecked Sendable {
  /// One version that came to be.
  struct Version {
    var number: Int
    var key: ResourceKey
    var values: [SimSlot: String]
    var document: JSONValue?
    var isOurs: Bool
  }

  package static let origin = "http://127.0.0.1"
  package static let base = origin + "/fhir"

  package let model: MockModel
  private let machine: SimMachine
  private let ledger: SimLedger
  private let trace: SimTrace
  private let skew: Int64
  /// Whether one identity sends what all have written.
  private let sendsForAll: Bool
  private(set) var versions: [Version] = []
  private var newest: [ResourceKey: Int] = [:]
  /// The number of versions when our client last read a resource, of the answers that it has got.
  package private(set) var lastRead: [ResourceKey: Int] = [:]
  private var timesApplied: [String: Int] = [:]
  private var attempts: Set<String> = []
  private var received: [String: Int] = [:]
  /// When each value first stood at the server.
  private var order: [String: Int] = [:]
  package private(set) var appliedTokens: Set<String> = []
  /// Resources that were made by our creates, by the local id.
  package private(set) var madeFor: [String: [ResourceKey]] = [:]
  package private(set) var wasRestored = false
  package private(set) var hadLateWrites = false
  /// The local ids of creates that arrived late.
  package private(set) var lateCreates: Set<String> = []
  package private(set) var excusedGaps = 0

  init(
    profile: MockProfile, machine: SimMachine, ledger: SimLedger, trace: SimTrace, seed: UInt64, skew: Int64,
    sendsForAll: Bool
  ) {
    self.sendsForAll = sendsForAll
    self.machine = machine
    self.ledger = ledger
    self.trace = trace
    self.skew = skew
    model = MockModel(
      profile: profile, clock: MockClock(milliseconds: SimMachine.epoch + skew, stepMilliseconds: 0),
      baseURL: Self.base, seed: seed)
  }

  // MARK: Requests

  /// Answers a request of our client.
  func handle(_ request: HTTPRequest, _ journey: SimNetwork.Journey) -> HTTPResponse? {
    if request.method != .get {
      if journey.isLate { hadLateWrites = true }
      received[journey.target, default: 0] += 1
    }
    let body = request.body ?? []
    if refuses(body, journey.target) {
      trace.note(machine.scheduler.now, "\(journey.line) refused")
      return HTTPResponse(
        status: 422, headers: ["Content-Type": "application/fhir+json"],
        body: Array(
          """
          {"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"business-rule","diagnostics":"no"}]}
          """.utf8), effectiveURL: request.url)
    }
    var headers: [String: String] = [:]
    for field in request.headers.fields { headers[field.name] = field.value }
    let response = apply(
      MockRequest(request.method.name, journey.target, headers: headers, body: body), journey)
    if [400, 422].contains(response.status), request.body != nil {
      let words = response.document?["issue"]?[0]?["diagnostics"]?.string ?? "-"
      trace.note(machine.scheduler.now, "server \(response.status) \(words): \(String(decoding: body, as: UTF8.self))")
    }
    var fields = HTTPHeaders()
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { fields.append(name, value) }
    return HTTPResponse(status: response.status, headers: fields, body: response.body, effectiveURL: request.url)
  }

  /// How many writes of our client to an address have arrived.
  func writes(to target: String) -> Int { received[target] ?? 0 }

  /// Some values break a rule of the server's: a write with one is refused.
  private func refuses(_ body: [UInt8], _ target: String) -> Bool {
    guard !body.isEmpty, target != "/fhir" || model.profile.realTransactions else { return false }
    return String(decoding: body, as: UTF8.self).contains("refuse-")
  }

  /// Another site's request.
  @discardableResult
  package func bySite(_ method: String, _ target: String, _ document: JSONValue? = nil, ifMatch: String? = nil) -> Int {
    let headers = ifMatch.map { ["If-Match": $0] } ?? [:]
    let request = document.map { MockRequest(method, target, headers: headers, document: $0) }
    return apply(
      request ?? MockRequest(method, target, headers: headers),
      SimNetwork.Journey(target: target, line: "site \(method) \(target)", subject: ""), isOurs: false
    ).status
  }

  private func apply(_ request: MockRequest, _ journey: SimNetwork.Journey, isOurs: Bool = true) -> MockResponse {
    model.clock = MockClock(milliseconds: machine.trueTime + skew, stepMilliseconds: 0)
    let before = model.log.count
    let response = model.handle(request)
    let log = model.log
    for entry in log[min(before, log.count)...] {
      note(entry, journey, isOurs: isOurs)
    }
    return response
  }

  // MARK: Content that was always there, backups

  package func load(_ documents: [JSONValue]) {
    model.load(documents)
    rememberPresent()
  }

  package func snapshot() { model.snapshot() }

  package func restore() {
    guard model.restore() else { return }
    wasRestored = true
    newest = [:]
    rememberPresent()
  }

  private func rememberPresent() {
    for type in ["Patient", "Appointment", "Observation"] {
      for document in model.resources(type) {
        let key = ResourceKey(type: type, id: document["id"]?.string ?? "")
        append(key, document, isOurs: false)
      }
    }
  }

  private func append(_ key: ResourceKey, _ document: JSONValue?, isOurs: Bool) {
    newest[key] = versions.count
    for value in document.map(SimSlot.values)?.values.sorted() ?? [] where order[value] == nil {
      order[value] = versions.count
    }
    versions.append(
      Version(
        number: versions.count, key: key, values: document.map(SimSlot.values) ?? [:], document: document,
        isOurs: isOurs))
  }

  // MARK: The truth

  /// How many versions there have been.
  var age: Int { versions.count }

  /// An answer to a reading has reached our client.
  ///
  /// - Parameter age: how many versions there were when it was given.
  func noteRead(_ answer: HTTPResponse, age: Int) {
    guard !model.profile.honoursIfMatch, let document = try? JSONValue(parsing: answer.body) else { return }
    let entries = (document["entry"]?.array ?? []).compactMap { $0["resource"] }
    for resource in entries + [document] {
      guard let type = resource["resourceType"]?.string, let id = resource["id"]?.string else { continue }
      let key = ResourceKey(type: type, id: id)
      lastRead[key] = max(lastRead[key] ?? 0, age)
    }
  }

  private func note(_ entry: MockLogEntry, _ journey: SimNetwork.Journey, isOurs: Bool) {
    let key = ResourceKey(type: entry.type, id: entry.id)
    let document = entry.method == "DELETE" ? nil : model.resource(entry.type, entry.id)
    let before = newest[key].map { versions[$0] }
    append(key, document, isOurs: isOurs)
    let after = versions[versions.count - 1]
    trace.note(
      machine.scheduler.now,
      "server \(isOurs ? "ours" : "site") \(entry.method) \(key) v\(entry.versionId) "
        + after.values.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key)=\($0.value)" }.joined(
          separator: " "))
    for (slot, value) in after.values where before?.values[slot] != value {
      appliedTokens.insert(value)
      if isOurs {
        timesApplied[value, default: 0] += 1
        checkSender(value, journey)
      }
    }
    for note in document?["note"]?.array ?? [] { appliedTokens.insert(note["text"]?.string ?? "") }
    guard isOurs, let document else { return }
    noteCreate(key, document, before, journey)
    noteAttempt(entry, journey)
    guard !wasRestored, !journey.isLate, let before, before.document != nil else { return }
    for slot in SimSlot.slots(of: key.type) { checkOverwriting(slot, before, after, journey) }
  }

  /// Nobody's words go with somebody else's sign-in.
  private func checkSender(_ value: String, _ journey: SimNetwork.Journey) {
    guard !sendsForAll, let author = ledger.author(of: value), author != journey.subject else { return }
    // Who decides for an edit of somebody else's sends it.
    if let record = ledger.write(of: value)?.record,
      ledger.decided.contains(record) || !ledger.decided.isDisjoint(with: madeFor[record.id] ?? [])
    {
      return
    }
    ledger.problem("wrong sender: \(value) of \(author) was sent as \(journey.subject) (\(journey.line))")
  }

  private func noteCreate(
    _ key: ResourceKey, _ document: JSONValue, _ before: Version?, _ journey: SimNetwork.Journey
  ) {
    guard before == nil || before?.document == nil else { return }
    var ids = RequestBuilder.localIDs(of: document)
    if ledger.created.contains(key) || !ids.contains(key.id) { ids.append(key.id) }
    for id in ids {
      let live = (madeFor[id] ?? []).filter { model.resource($0.type, $0.id) != nil && $0 != key }
      madeFor[id, default: []].append(key)
      // How far a search may lag is waited for by the clock on the wall.
      let isTooEarly = machine.wasSetForward && model.profile.searchLagSeconds > 0
      if journey.isLate { lateCreates.insert(id) }
      if !live.isEmpty, !lateCreates.contains(id), !wasRestored, !isTooEarly {
        ledger.problem("applied twice: the create of \(id) is now \(key) and \(live[0]) (\(journey.line))")
      }
    }
  }

  private func noteAttempt(_ entry: MockLogEntry, _ journey: SimNetwork.Journey) {
    guard let id = entry.headers.first(where: { $0.key.lowercased() == "x-request-id" })?.value else { return }
    if !attempts.insert("\(id) \(entry.type)/\(entry.id)").inserted {
      ledger.problem("applied twice: attempt \(id) (\(journey.line))")
    }
  }

  private func checkOverwriting(_ slot: SimSlot, _ before: Version, _ after: Version, _ journey: SimNetwork.Journey) {
    let (old, new) = (before.values[slot], after.values[slot])
    guard old != new, let old else { return }
    let place = "\(slot) of \(after.key): \(old) became \(new ?? "nothing") (\(journey.line))"
    // Where nothing protects an update, what happened since our client last read before it left is out of its sight.
    if !model.profile.honoursIfMatch, !before.isOurs, before.number >= journey.lastRead[after.key] ?? 0 {
      excusedGaps += 1
      return
    }
    guard let new, let write = ledger.write(of: new) else {
      return ledger.problem("overwritten unseen: \(place): nobody wrote that")
    }
    if let earlier = ledger.write(of: old) {
      if earlier.index > write.index, !ledger.hasSeen(write, old), !wasDecided(after.key) {
        ledger.problem("out of order: \(place)")
      }
    } else if !ledger.hasSeen(write, old) {
      ledger.problem("overwritten unseen: \(place)")
    }
    if timesApplied[new] ?? 0 > 1, !hadLateWrites, !wasDecided(after.key) {
      ledger.problem("applied twice: \(place)")
    }
  }

  /// Whether the server held one value before another in the same place.
  package func wasReplaced(_ value: String, by later: String) -> Bool { (order[value] ?? .max) < (order[later] ?? -1) }

  private func wasDecided(_ key: ResourceKey) -> Bool {
    ledger.decided.contains(key)
      || madeFor.contains { $0.value.contains(key) && ledger.decided.contains(ResourceKey(type: key.type, id: $0.key)) }
  }
}
