import Domain
import JSON

extension OutboxDrainer {
  /// An entry that was claimed, with what it was built on.
  struct Claim: Sendable {
    var entry: OutboxEntry
    var attempt: Attempt
    var base: JSONValue?
    /// Whether the server's version must be compared before the request goes.
    var comparesFirst: Bool
    /// Whether it is a registration that was not compared with the server's patients yet.
    var asksForDuplicates: Bool
  }

  /// Freezes and claims entries in one transaction. What it does not return was settled by another process meanwhile.
  func claim(_ numbers: [OutboxNumber], _ knowledge: ServerKnowledge) async throws(AppError) -> [Claim] {
    let ids = store.effects.ids
    let claims = try await store.write { transaction throws(AppError) in
      var claims: [Claim] = []
      for number in numbers {
        guard let entry = try transaction.outboxEntry(number), entry.state == .pending else { continue }
        let record = try transaction.resource(entry.key)
        guard
          let attempt = RequestBuilder.attempt(
            for: entry, base: record?.base, etag: record?.etag, server: knowledge, id: ids.next())
        else {
          try transaction.hold(entry, .unresolved, "the record that it changes is not in the store")
          continue
        }
        try transaction.claim(entry, attempt)
        let isNewPatient = entry.kind == .create && entry.key.type == Patient.resourceType
        let isCompared = try transaction.isCompared(entry.number)
        claims.append(
          Claim(
            entry: entry, attempt: attempt, base: record?.base,
            comparesFirst: [.update, .delete].contains(attempt.strategy)
              ? knowledge.mustCompareFirst(type: entry.key.type) : entry.recreates && attempt.strategy == .createByPut,
            asksForDuplicates: isNewPatient && !isCompared))
      }
      FailPoint.claimBeforeCommit.pass()
      return claims
    }
    FailPoint.claimCommitted.pass()
    return claims
  }

  /// Sends one claimed entry.
  func send(_ claim: Claim, _ server: ServerKnowledge) async -> DrainAnswer {
    do throws(AppError) {
      if let objection = try await objection(to: claim) {
        return DrainAnswer(subject: .entry(claim.entry.number, attempt: claim.attempt.id, objection))
      }
    } catch { return DrainAnswer(subject: .failed(error)) }
    let decision: Decision
    do throws(TransportError) {
      let answer = try await client.send(claim.attempt)
      FailPoint.sendAnswered.pass()
      let first = SendDecision.decide(claim.entry, claim.attempt, answer, circumstances)
      decision = await lookForEarlier(claim, first)
    } catch {
      decision = SendDecision.decide(claim.entry, error, circumstances)
    }
    return DrainAnswer(subject: .entry(claim.entry.number, attempt: claim.attempt.id, decision))
  }

  /// What speaks against sending a claimed entry; `nil` when it may go.
  func objection(to claim: Claim) async throws(AppError) -> Decision? {
    guard claim.comparesFirst else { return await lookForDuplicates(claim) }
    if let decision = await compare(claim) { return decision }
    guard claim.entry.kind != .create else { return nil }
    // The answer may be older than what another reading has told meanwhile, which was put off for this entry.
    let hasNews = try await store.read { transaction throws(AppError) in
      try transaction.resource(claim.entry.key)?.needsRefresh ?? false
    }
    guard hasNews else { return nil }
    return Decision(
      .tryAgain(
        claim.entry.number, notBefore: nil, countsAttempt: false,
        reason: "not sent: the record has changed while it was compared"))
  }

  /// A create that was sent before may be refused because that has arrived in the end: then it is not made once more.
  func lookForEarlier(_ claim: Claim, _ decision: Decision) async -> Decision {
    guard case .createByPost(let number, let reason) = decision.settlement, claim.entry.wasSent else { return decision }
    let unknown = Decision(.ambiguous(number, notBefore: pause(claim.entry), reason: "unknown, will check: \(reason)"))
    guard let answer = try? await client.read(claim.entry.key.description) else { return unknown }
    // Only the server's own word that it is not there lets it be made.
    if answer.status == 404, answer.isEmpty || answer.outcome != nil { return decision }
    guard answer.status == 200, let document = answer.resource(type: claim.entry.key.type, id: claim.entry.key.id)
    else { return unknown }
    if claim.entry.recreates, !claim.entry.patch.isMade(by: document) {
      let found = ServerDocument(key: claim.entry.key, document: document, etag: answer.etag?.text)
      return Decision(.moved(number, found, reason: "others have made the record anew"))
    }
    return Decision(
      .accepted(
        number, document: document, version: answer.version, etag: answer.etag?.text, serverID: nil,
        how: "accepted (an earlier request had arrived)"))
  }

  /// Reads before an update, where nothing says that `If-Match` protects it; and before a record is made anew under an id
  /// that others may have used meanwhile.
  ///
  /// - Returns: `nil` when the request may go: the server has the version that it was made on, or does not tell.
  func compare(_ claim: Claim) async -> Decision? {
    let number = claim.entry.number
    let answer: FHIRAnswer
    do throws(TransportError) { answer = try await client.read(claim.entry.key.description) } catch {
      let halt: Engine.Halt? = error.sentNothing ? .unreachable(AppError(error)) : nil
      let pause = error.sentNothing ? nil : self.pause(claim.entry)
      return Decision(
        .tryAgain(number, notBefore: pause, countsAttempt: !error.sentNothing, reason: "not sent: \(error.message)"),
        halt: halt)
    }
    if let halt = ServerWords.halt(answer) {
      return Decision(
        .tryAgain(number, notBefore: nil, countsAttempt: false, reason: "not sent: \(ServerWords.describe(answer))"),
        halt: halt)
    }
    if answer.status == 404 || answer.status == 410, answer.isEmpty || answer.outcome != nil {
      guard !claim.entry.recreates else { return nil }
      return Decision(
        .moved(number, ServerDocument(key: claim.entry.key, document: nil, version: nil), reason: "gone at the server"))
    }
    guard answer.status == 200, let current = answer.resource(type: claim.entry.key.type, id: claim.entry.key.id)
    else {
      // A server that does not let us read the record never will: it has said so in FHIR, or by its status. One that
      // only cannot just now is asked again.
      let isBusy = answer.status >= 500 || AnswerTable.classify(status: answer.status, strategy: .update) == .tryAgain
      let isFinal = !isBusy && (answer.resourceType != nil || (400...499).contains(answer.status))
      return isFinal
        ? nil : SendDecision.tryAgain(claim.entry, answer, "not sent: \(ServerWords.describe(answer))", circumstances)
    }
    let version = current["meta"]?["versionId"]?.string
    let isSame =
      version != nil && claim.entry.baseVersion != nil
      ? version == claim.entry.baseVersion
      : claim.base.map { $0.withoutMeta.meansTheSame(as: current.withoutMeta) } ?? false
    if isSame, !claim.entry.recreates { return nil }
    return Decision(
      .moved(
        number, ServerDocument(key: claim.entry.key, document: current, etag: answer.etag?.text),
        reason: "the server has another version"))
  }

  /// Finds out what became of an entry.
  func resolve(_ number: OutboxNumber, _ server: ServerKnowledge) async -> DrainAnswer {
    let found: (OutboxEntry, JSONValue?)?
    do throws(AppError) {
      found = try await store.read { transaction throws(AppError) in
        guard let entry = try transaction.outboxEntry(number), entry.state == .ambiguous else { return nil }
        return (entry, try transaction.resource(entry.key)?.base)
      }
    } catch { return DrainAnswer(subject: .failed(error)) }
    guard let (entry, base) = found else { return DrainAnswer(subject: .nothing(number)) }
    let finding = await Resolver(client: client, server: server).find(entry, base: base)
    FailPoint.resolveAnswered.pass()
    let decision = Resolver.decide(entry, base: base, finding, circumstances)
    return DrainAnswer(subject: .entry(number, attempt: entry.attempt?.id, decision))
  }

  /// Reads a resource whose next update must know what the server has.
  func refresh(_ key: ResourceKey) async -> DrainAnswer {
    let asked: ReadMark
    do throws(AppError) {
      asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
    } catch {
      return DrainAnswer(subject: .failed(error))
    }
    do throws(TransportError) {
      let answer = try await client.read(key.description)
      if let document = answer.resource(type: key.type, id: key.id), answer.status == 200 {
        let found = ServerDocument(key: key, document: document, etag: answer.etag?.text)
        return DrainAnswer(subject: .document(key, found, asked: asked, halt: nil))
      }
      if answer.status == 404 || answer.status == 410, answer.isEmpty || answer.outcome != nil {
        return DrainAnswer(
          subject: .document(key, ServerDocument(key: key, document: nil, version: nil), asked: asked, halt: nil))
      }
      return DrainAnswer(subject: .document(key, nil, asked: nil, halt: ServerWords.halt(answer)))
    } catch {
      return DrainAnswer(
        subject: .document(key, nil, asked: nil, halt: error.sentNothing ? .unreachable(AppError(error)) : nil))
    }
  }

  /// Commits what answers decided, all in one transaction.
  func commit(_ answers: [DrainAnswer]) async throws(AppError) -> (events: [Engine.Event], learned: Bool) {
    guard !answers.isEmpty else { return ([], false) }
    let unit = store.effects.random.unitInterval()
    // Also when the pass was told to stop: the answers have cost a request.
    let result = try await store.write(evenIfCancelled: true) { transaction throws(AppError) in
      var events: [Engine.Event] = []
      var learned = false
      for answer in answers {
        switch answer.subject {
        case .entry(let number, let attempt, let decision):
          try transaction.settle(decision.settlement, attempt: attempt)
          if case .createByPost = decision.settlement { learned = true }
          if decision.showsNoTransactions {
            try transaction.noteNoTransactions()
            learned = true
          }
          if decision.showsIfMatch {
            try transaction.noteIfMatchHonoured()
            learned = true
          }
          if case .throttled(let until)? = decision.halt { try transaction.throttle(until: until) }
          if let halt = decision.halt { events.append(.halted(halt)) }
          events.append(.finished(number))
        case .document(let key, let document, let asked, let halt):
          if let document {
            _ = try transaction.receive(document, asked: asked)
          } else {
            try transaction.postpone(key, unit: unit, countsAttempt: halt == nil)
          }
          if let halt { events.append(.halted(halt)) }
          events.append(.refreshed(key))
        case .nothing(let number): events.append(.finished(number))
        case .failed(let error): throw error
        }
      }
      return (events, learned)
    }
    FailPoint.settleCommitted.pass()
    return result
  }

  var circumstances: SendDecision.Circumstances {
    SendDecision.Circumstances(
      now: store.effects.clock.now().milliseconds, unit: store.effects.random.unitInterval())
  }

  func pause(_ entry: OutboxEntry) -> Int64 {
    circumstances.now + Backoff.delay(attempts: entry.attempts + 1, unit: circumstances.unit)
  }
}

extension StoreTransaction {
  /// Whether a person has said that a registration is to be sent whoever is alike.
  func isCompared(_ number: OutboxNumber) throws(AppError) -> Bool {
    try first("SELECT compared FROM outbox WHERE number = ?", [.integer(number)]) { row throws(SQLiteError) in
      row.flag(0)
    } ?? false
  }

  /// The entries of a resource that could not be read wait for a while.
  func postpone(_ key: ResourceKey, unit: Double, countsAttempt: Bool) throws(AppError) {
    guard let entry = try outboxEntries(on: key).first, entry.state == .pending else { return }
    try retry(
      entry, notBefore: nowMilliseconds + Backoff.delay(attempts: entry.attempts + 1, unit: unit),
      countsAttempt: countsAttempt, reason: "the server's version could not be read")
  }
}
