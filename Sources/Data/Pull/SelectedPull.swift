import Domain

/// Everything that one sync pulls, in order.
struct SelectedPull: Sendable {
  let store: Store
  let client: FHIRClient
  let plan: PullPlan
  let puller: Puller
  /// Whether it may have to end early: what was pulled longest ago comes first then, so that nothing starves.
  var isBudgeted = false

  /// How many patients' records one request asks for.
  private static let together = 25

  /// How many of the patients last opened here are followed.
  private static let opened = 50

  /// Pulls, and hands the result of every part to `body`, which tells whether to go on.
  func run(
    mayGoOn: @Sendable () -> Bool, _ body: (String, Puller.Result) -> Bool
  ) async throws(AppError) {
    let now = store.effects.clock.now()
    for pass in try await inOrder(plan.opening(at: now)) {
      guard body(pass.type, try await puller.pull(pass, mayGoOn: mayGoOn)) else { return }
    }
    let offered = try await store.read { transaction throws(AppError) in try transaction.offeredTypes() }
    for pass in plan.planned(at: now) where offered.contains(pass.type) {
      guard body(pass.type, try await puller.pull(pass, mayGoOn: mayGoOn)) else { return }
    }
    if plan.selection != nil {
      let patients = try await store.read { [plan] transaction throws(AppError) in
        try transaction.followedPatients(plan, at: now, opened: Self.opened)
      }
      let recheck = Recheck(store: store, client: client)
      let followed = try await recheck.follow(patients, mayGoOn: mayGoOn)
      if followed.failure == nil { try await noteFollowed() }
      guard body(Patient.resourceType, followed) else { return }
      for type in PullPlan.chartTypes {
        for pass in try await chartPasses(type, of: patients) {
          guard body(type, try await puller.pull(pass, mayGoOn: mayGoOn)) else { return }
        }
      }
    }
    let reconcile = Reconcile(store: store, client: client)
    for type in PullPlan.types {
      guard body(type, try await reconcile.run(type: type, mayGoOn: mayGoOn)) else { return }
    }
  }

  private func inOrder(_ passes: [PullPass]) async throws(AppError) -> [PullPass] {
    guard isBudgeted else { return passes }
    let completed = try await store.read { transaction throws(AppError) in
      var completed: [Int64] = []
      for pass in passes { completed.append(try transaction.scopes(of: pass).first?.completed ?? 0) }
      return completed
    }
    return zip(passes, completed).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }

  private func noteFollowed() async throws(AppError) {
    try await store.write(durability: .normal) { transaction throws(AppError) in
      var scope = try transaction.scope(.followedPatients)
      scope.completed = transaction.nowMilliseconds
      try transaction.store(scope)
    }
  }

  /// The passes over one kind of record: patients who are new apart from those whose records are here.
  private func chartPasses(_ type: String, of patients: [ResourceKey]) async throws(AppError) -> [PullPass] {
    let scopes = patients.map { PullScope.chart(type, of: $0.id) }
    let (known, new) = try await store.read { transaction throws(AppError) in
      var known: [PullScope] = []
      var new: [PullScope] = []
      for scope in scopes {
        if try transaction.scope(scope).watermark == nil { new.append(scope) } else { known.append(scope) }
      }
      return (known, new)
    }
    return (new.batches(of: Self.together) + known.batches(of: Self.together)).map { PullPass(charts: $0) }
  }
}

extension StoreTransaction {
  /// The patients whose charts are kept here: of the panel, of the days of the schedule, of open visits, and those last
  /// opened.
  ///
  /// - Parameter opened: how many of the last.
  func followedPatients(_ plan: PullPlan, at now: Instant, opened: Int) throws(AppError) -> [ResourceKey] {
    var ids = Set(plan.selection?.panelPatients ?? [])
    for panel in plan.all(Patient.resourceType).scopes {
      ids.formUnion(try memberIDs(of: panel.name, type: Patient.resourceType))
    }
    if let span = plan.span(at: now) { ids.formUnion(try scheduledPatients(in: span)) }
    ids.formUnion(try presentPatients())
    ids.formUnion(try lastOpenedPatients(limit: opened))
    var keys: Set<ResourceKey> = []
    for id in ids {
      let key = ResourceKey(type: Patient.resourceType, id: id)
      if let served = try serverID(of: key) { keys.insert(ResourceKey(type: key.type, id: served)) }
    }
    return keys.sorted { $0.id < $1.id }
  }

  fileprivate func memberIDs(of scope: String, type: String) throws(AppError) -> [String] {
    try all("SELECT id FROM scope_member WHERE scope = ? AND type = ?", [.text(scope), .text(type)]) {
      row throws(SQLiteError) in row.text(0)
    }
  }

  fileprivate func scheduledPatients(in span: Range<Instant>) throws(AppError) -> [String] {
    try all(
      "SELECT patient FROM appointment WHERE start >= ? AND start < ? AND patient IS NOT NULL",
      [.integer(span.lowerBound.milliseconds), .integer(span.upperBound.milliseconds)]
    ) { row throws(SQLiteError) in row.text(0) }
  }

  fileprivate func presentPatients() throws(AppError) -> [String] {
    try all("SELECT patient FROM chart WHERE is_open = 1") { row throws(SQLiteError) in row.text(0) }
  }

  fileprivate func lastOpenedPatients(limit: Int) throws(AppError) -> [String] {
    try all(
      "SELECT id FROM resource WHERE type = 'Patient' AND opened IS NOT NULL ORDER BY opened DESC LIMIT ?",
      [SQLValue(limit)]
    ) { row throws(SQLiteError) in row.text(0) }
  }
}
