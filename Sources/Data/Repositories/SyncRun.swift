import Domain

/// One sync as it goes on.
struct SyncRun: Sendable {
  let startedAt: Duration
  let limit: Duration?
  /// How many bytes may go over the wire; `nil` without a limit.
  var byteLimit: Int?
  let meter = ByteMeter()
  /// The journal before the run: what comes after it was settled by it.
  var before: Int64 = 0
  /// The entries' transitions before the run: what comes after them was tried by it.
  var attemptsBefore: Int64 = 0
  var halt: Engine.Halt?
  var isStopped = false
  var pulled: [String: Puller.Result] = [:]
  var warnings: [String] = []

  init(startedAt: Duration, limit: Duration?, byteLimit: Int? = nil) {
    self.startedAt = startedAt
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// What is left of the time; `nil` without a limit.
  func left(_ now: Duration) -> Duration? {
    limit.map { max(.zero, $0 - (now - startedAt)) }
  }

  /// Whether there are time and bytes left for another request.
  func mayGoOn(_ now: Duration) -> Bool {
    (left(now).map { $0 > .zero } ?? true) && (byteLimit.map { meter.count < $0 } ?? true)
  }
}

extension SyncReport {
  /// What the run met, for the store's record of it; `nil` after a good one.
  var error: AppError? {
    switch outcome {
    case .complete, .needsReview: nil
    case .unreachable(let error): error
    case .throttled(let until): Engine.Halt.throttled(until: until.milliseconds).error
    case .signInNeeded: Engine.Halt.signIn.error
    case .unfinished: AppError(.budgetSpent, "the sync ended with work left")
    }
  }
}

extension StoreTransaction {
  /// When the server's capabilities were last asked for, in milliseconds since 1970.
  func capabilitiesReadAt() throws(AppError) -> Int64? {
    try first("SELECT capabilities_read FROM server") { row throws(SQLiteError) in row.optionalInteger(0) } ?? nil
  }

  func outboxCount() throws(AppError) -> Int {
    Int(try first("SELECT count(*) FROM outbox") { row throws(SQLiteError) in row.integer(0) } ?? 0)
  }

  /// The report of a run, counted from the store.
  func report(_ run: SyncRun) throws(AppError) -> SyncReport {
    let status = try syncStatus(server: nil, runningElsewhere: nil)
    let sent = try all(
      """
      SELECT type, count(*) FROM journal
      WHERE serial > ? AND outcome NOT IN ('discarded', 'undone here before it was sent') GROUP BY type
      """, [.integer(run.before)]
    ) { row throws(SQLiteError) in (row.text(0), Int(row.integer(1))) }
    var counts: [String: SyncReport.TypeCounts] = [:]
    for (type, number) in sent { counts[type, default: SyncReport.TypeCounts(type: type)].sent = number }
    for (type, result) in run.pulled {
      counts[type, default: SyncReport.TypeCounts(type: type)].pulled = result.changed
      counts[type]?.deleted = result.deleted
    }
    for left in try entriesLeft(since: run.attemptsBefore) {
      counts[left.type, default: SyncReport.TypeCounts(type: left.type)].unsent = left.unsent
      counts[left.type]?.failed = left.failed
      counts[left.type]?.inReview = left.inReview
      counts[left.type]?.oldest = left.oldest
    }
    let warnings = run.warnings + run.pulled.sorted { $0.key < $1.key }.flatMap(\.value.warnings)
    return SyncReport(
      outcome: outcome(run, status), types: counts.values.sorted { $0.type < $1.type }, unsent: status.unsent,
      ambiguous: status.ambiguous, inReview: status.inReview, oldestUnsent: status.oldestUnsent, warnings: warnings)
  }

  /// What is left of each type, and since when; and what of it was tried after a transition, without success.
  private func entriesLeft(since mark: Int64) throws(AppError) -> [SyncReport.TypeCounts] {
    let rows = try all(
      """
      SELECT type, sum(state != 'review'), sum(state = 'review'), min(number), sum(state != 'review' AND EXISTS (
        SELECT 1 FROM transition t
        WHERE t.number = outbox.number AND t.serial > ? AND t.old_state = 'sending'))
      FROM outbox GROUP BY type
      """, [.integer(mark)]
    ) { row throws(SQLiteError) in
      (row.text(0), Int(row.integer(1)), Int(row.integer(2)), row.integer(3), Int(row.integer(4)))
    }
    var left: [SyncReport.TypeCounts] = []
    for (type, unsent, inReview, oldest, failed) in rows {
      left.append(
        SyncReport.TypeCounts(
          type: type, unsent: unsent, failed: failed, inReview: inReview,
          oldest: try outboxEntry(oldest).flatMap { Instant($0.written) }))
    }
    return left
  }

  /// The last transition of an entry so far.
  func transitionMark() throws(AppError) -> Int64 {
    try first("SELECT coalesce(max(serial), 0) FROM transition") { row throws(SQLiteError) in row.integer(0) } ?? 0
  }

  /// The first that applies: sign-in, no server, a person, later, done.
  private func outcome(_ run: SyncRun, _ status: SyncStatus) -> SyncReport.Outcome {
    switch run.halt {
    case .signIn?: return .signInNeeded
    case .unreachable(let error)?, .notFHIR(let error)?: return .unreachable(error)
    case .throttled(let until)?:
      return status.inReview > 0 ? .needsReview : .throttled(until: Instant(milliseconds: until))
    case nil: break
    }
    if status.inReview > 0 { return .needsReview }
    return status.unsent > 0 || run.isStopped ? .unfinished : .complete
  }

  func syncStatus(server: String?, runningElsewhere: String?) throws(AppError) -> SyncStatus {
    let row = try first(
      """
      SELECT count(*), coalesce(sum(state IN ('ambiguous', 'sending')), 0), min(number) FROM outbox WHERE state != 'review'
      """
    ) { row throws(SQLiteError) in (Int(row.integer(0)), Int(row.integer(1)), row.optionalInteger(2)) }
    let inReview = Int(
      try first("SELECT count(*) FROM review WHERE decision IS NULL") { row throws(SQLiteError) in row.integer(0) } ?? 0
    )
    let oldest = try row?.2.map { number throws(AppError) in try outboxEntry(number)?.written } ?? nil
    let marks = try syncMarks()
    let knowledge = try serverKnowledge()
    return SyncStatus(
      server: server, unsent: row?.0 ?? 0, ambiguous: row?.1 ?? 0, inReview: inReview,
      oldestUnsent: oldest.flatMap(Instant.init), lastComplete: marks.complete, lastAttempt: marks.attempt,
      lastError: marks.error,
      throttledUntil: knowledge.throttledUntil.flatMap {
        $0 > nowMilliseconds ? Instant(milliseconds: $0) : nil
      }, runningElsewhere: runningElsewhere,
      guarantees: knowledge.guarantees(types: ["Patient", "Appointment", "Observation"]))
  }

  /// What a sync would send now, in order, and why.
  func plan(sender: Engine.Sender, passes: [PullPass]) throws(AppError) -> [PlannedRequest] {
    let knowledge = try serverKnowledge()
    var requests = try plannedQuestions() + plannedWrites(sender: sender, server: knowledge)
    for pass in passes {
      guard let scope = try scopes(of: pass).first else { continue }
      let kind = PullRequest.Kind(
        watermark: scope.watermark, type: pass.type, isWhole: pass.isWhole, server: knowledge)
      requests.append(
        PlannedRequest(
          entry: nil, method: "GET", target: PullRequest.target(kind, type: pass.type, filter: pass.query),
          reason: scope.cursor != nil ? "goes on where an earlier pull was cut" : "pulls what changed"))
    }
    requests += try plannedReadings()
    guard let until = knowledge.throttledUntil, until > nowMilliseconds else { return requests }
    return requests.map { request in
      var request = request
      request.notBefore = Instant(milliseconds: until)
      return request
    }
  }
}
