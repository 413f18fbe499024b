import Domain

/// Everything that one sync pulls, in order.
struct SelectedPull: Sendable {
  let store: Store
  let client: FHIRClient
  let plan: PullPlan
  let puller: Puller

  /// How many patients' records one request asks for.
  private static let together = 25

  /// How many of the patients last opened here are followed.
  private static let opened = 50

  /// Pulls, and hands the result of every part to `body`, which tells whether to go on.
  func run(
    mayGoOn: @Sendable () -> Bool, _ body: (String, Puller.Result) -> Bool
  ) async throws(AppError) {
    let now = store.effects.clock.now()
    for pass in plan.opening(at: now) {
      guard body(pass.type, try await puller.pull(pass, mayGoOn: mayGoOn)) else { return }
    }
    if plan.selection != nil {
      let patients = try await followedPatients(at: now)
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

  /// The patients whose charts are kept here: of the panel, of the days of the schedule, of open visits, and those last
  /// opened.
  private func followedPatients(at now: Instant) async throws(AppError) -> [ResourceKey] {
    let (selection, span) = (plan.selection, plan.span(at: now))
    let panels = plan.all(Patient.resourceType).scopes.map(\.name)
    return try await store.read { transaction throws(AppError) in
      var ids = Set(selection?.panelPatients ?? [])
      for panel in panels { ids.formUnion(try transaction.memberIDs(of: panel, type: Patient.resourceType)) }
      if let span { ids.formUnion(try transaction.scheduledPatients(in: span)) }
      ids.formUnion(try transaction.presentPatients())
      ids.formUnion(try transaction.lastOpenedPatients(limit: Self.opened))
      var keys: Set<ResourceKey> = []
      for id in ids {
        let key = ResourceKey(type: Patient.resourceType, id: id)
        if let served = try transaction.serverID(of: key) { keys.insert(ResourceKey(type: key.type, id: served)) }
      }
      return keys.sorted { $0.id < $1.id }
    }
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
