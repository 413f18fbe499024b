import Domain
import JSON

/// Finds out by reading what became of a write.
struct Resolver: Sendable {
  let client: FHIRClient
  let server: ServerKnowledge

  /// How many versions of a record are looked at.
  static let historyLength = 50

  /// What was found: a verdict, or why nothing could be.
  enum Finding: Sendable {
    case verdict(Resolution.Verdict, etag: String?)
    case unanswered(FHIRAnswer)
    case failed(TransportError)
  }

  func find(_ entry: OutboxEntry, base: JSONValue?) async -> Finding {
    do throws(TransportError) {
      if entry.attempt?.strategy == .createByPost { return try await findCreated(entry) }
      let finding = try await findByID(entry, base: base)
      // A create that was saved from a damaged store may not tell in which of the two ways it went.
      guard entry.kind == .create, entry.attempt == nil, case .verdict(.notApplied, _) = finding else { return finding }
      return try await findCreated(entry)
    } catch {
      return .failed(error)
    }
  }

  private func findCreated(_ entry: OutboxEntry) async throws(TransportError) -> Finding {
    let answer = try await client.read(
      "\(entry.key.type)?\(RequestBuilder.identifierQuery(localID: entry.key.id))")
    guard answer.status == 200, answer.resourceType == "Bundle", let document = answer.document else {
      return .unanswered(answer)
    }
    let ours = (BundleReader.read(document)?.resources(of: entry.key.type) ?? []).filter {
      RequestBuilder.localIDs(of: $0).contains(entry.key.id)
    }
    return .verdict(Resolution.judge(found: ours), etag: nil)
  }

  private func findByID(_ entry: OutboxEntry, base: JSONValue?) async throws(TransportError) -> Finding {
    let answer = try await client.read(entry.key.description)
    switch answer.status {
    case 200:
      guard let current = answer.resource(type: entry.key.type, id: entry.key.id) else { return .unanswered(answer) }
      let hasHistory = server.capabilities?.types[entry.key.type]?.allows("history-instance") ?? false
      let verdict = Resolution.judge(entry, base: base, current: current, hasHistory: hasHistory)
      guard case .needsHistory = verdict else { return .verdict(verdict, etag: answer.etag?.text) }
      return try await findInHistory(entry, base: base, current: current, etag: answer.etag?.text)
    case 404, 410:
      // Only the server's own word counts: a portal may say 404 too.
      guard answer.isEmpty || answer.document != nil else { return .unanswered(answer) }
      if entry.kind == .create {
        // Of a record that is made anew over its deletion, the deletion is no news.
        return .verdict(answer.status == 404 || entry.recreates ? .notApplied : .gone, etag: nil)
      }
      return .verdict(Resolution.judge(entry, base: base, current: nil, hasHistory: false), etag: nil)
    default: return .unanswered(answer)
    }
  }

  private func findInHistory(_ entry: OutboxEntry, base: JSONValue?, current: JSONValue, etag: String?)
    async throws(TransportError) -> Finding
  {
    let answer = try await client.read("\(entry.key)/_history?_count=\(Self.historyLength)")
    guard answer.status == 200, answer.resourceType == "Bundle", let document = answer.document else {
      let verdict = Resolution.Verdict.undecidable(
        "its answer was lost, and the record was changed at the server since", theirs: current)
      return .verdict(verdict, etag: etag)
    }
    let versions = (BundleReader.read(document)?.resources(of: entry.key.type) ?? []).filter {
      $0["id"]?.string == entry.key.id
    }
    let since = versions.prefix { $0["meta"]?["versionId"]?.string != entry.baseVersion }
    let verdict = Resolution.judge(
      entry, base: base, current: current, versions: Array(since), isComplete: since.count < versions.count)
    return .verdict(verdict, etag: etag)
  }
}

extension Resolver {
  /// What a finding does to the entry.
  static func decide(
    _ entry: OutboxEntry, base: JSONValue?, _ finding: Finding, _ circumstances: SendDecision.Circumstances
  ) -> Decision {
    let pause = Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
    switch finding {
    case .verdict(let verdict, let etag):
      return Decision(settle(entry, base: base, verdict, etag: etag))
    case .unanswered(let answer):
      let halt = ServerWords.halt(answer) ?? throttle(answer, pause, circumstances)
      return Decision(
        .ambiguous(
          entry.number, notBefore: circumstances.now + pause, countsAttempt: halt == nil,
          reason: "unknown, will check: \(ServerWords.describe(answer))"), halt: halt)
    case .failed(let error):
      let halt: Engine.Halt? =
        error.kind == .noToken ? .signIn : error.sentNothing ? .unreachable(AppError(error)) : nil
      return Decision(
        .ambiguous(
          entry.number, notBefore: circumstances.now + pause, countsAttempt: halt == nil,
          reason: "unknown, will check: \(error.message)"),
        halt: halt)
    }
  }

  /// A server that says that it is too much means our reading too.
  private static func throttle(
    _ answer: FHIRAnswer, _ pause: Int64, _ circumstances: SendDecision.Circumstances
  ) -> Engine.Halt? {
    guard answer.status == 429 || (answer.status == 503 && answer.retryAfter != nil) else { return nil }
    let asked = answer.retryAfter.map { min($0.milliseconds, Throttle.longest) } ?? 0
    return .throttled(until: circumstances.now + max(asked, pause))
  }

  private static func settle(
    _ entry: OutboxEntry, base: JSONValue?, _ verdict: Resolution.Verdict, etag: String?
  ) -> Settlement {
    let number = entry.number
    switch verdict {
    case .applied(let document), .needsHistory(let document):
      return .accepted(
        number, document: document, version: document["meta"]?["versionId"]?.string, etag: etag,
        serverID: document["id"]?.string, how: "found at the server")
    case .deletionApplied:
      return .accepted(
        number, document: nil, version: nil, etag: nil, serverID: nil, how: "found deleted at the server")
    case .notApplied:
      return .tryAgain(number, notBefore: nil, countsAttempt: true, reason: "the server does not have it: sent again")
    case .movedOn(let document):
      return .moved(
        number, ServerDocument(key: entry.key, document: document, etag: etag),
        reason: "the server does not have it, and has moved on")
    case .gone:
      return .review(
        number, .deletedRemotely, explanation: "the record was deleted at the server", disputes: [],
        theirs: ServerDocument(key: entry.key, document: nil, version: nil), outcome: nil)
    case .undecidable(let explanation, let theirs):
      var disputes: [ThreeWayMerge.Dispute] = []
      if case .update(let edits) = entry.patch {
        disputes = edits.changes.map {
          ThreeWayMerge.Dispute(
            path: $0.path, base: base?.value(at: $0.path) ?? $0.old, mine: $0.new, theirs: theirs?.value(at: $0.path))
        }
      }
      return .review(
        number, .conflict, explanation: explanation, disputes: disputes,
        theirs: theirs.map { ServerDocument(key: entry.key, document: $0, etag: etag) }, outcome: nil)
    case .manyMatches(let count):
      return .review(
        number, .doubleMatch, explanation: "\(count) records at the server carry our identifier", disputes: [],
        theirs: nil, outcome: nil)
    }
  }
}
