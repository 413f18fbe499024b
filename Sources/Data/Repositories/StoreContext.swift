import Domain
import JSON

/// What every repository works with.
struct StoreContext: Sendable {
  let store: Store
  /// Asks the server; `nil` when none is configured, or the session is offline.
  let revalidator: Revalidator?
  let windows: FreshnessWindows
  /// Which scopes stand behind what is read.
  var plan = PullPlan(selection: nil)
  /// Who writes.
  let author: @Sendable () -> Author
  /// Whether edits join those that were never sent.
  var squashes = true

  // MARK: Reading

  /// One resource of a model, as a live read.
  func one<Model: StoredModel, Value: Equatable & Sendable>(
    _ id: Model.ID, policy: ReadPolicy, types: Set<String> = [],
    _ present: @escaping @Sendable (Model, ResourceRecord, StoreTransaction) throws(AppError) -> Value
  ) -> Snapshots<Value> {
    let key = id.key
    return LiveQuery(
      store: store, types: types.union([key.type]), policy: policy,
      read: { [windows] transaction throws(AppError) in
        guard let record = try transaction.resource(key) else { return Snapshot(value: nil, freshness: .missing) }
        var warnings: [String] = []
        var value: Value?
        if let view = record.view, let model = Model.decode(view, warnings: &warnings) {
          value = try present(model, record, transaction)
        }
        if record.state == .deleted { warnings.append("\(record.key) was deleted at the server") }
        if let withheld = record.withheld {
          warnings.append(
            "the server does not show \(record.key) to this account since \(Instant(milliseconds: withheld).utcText); "
              + "this is what was known then")
        }
        return Snapshot(
          value: value,
          freshness: windows.freshness(
            type: key.type, confirmed: record.confirmed, now: transaction.nowMilliseconds),
          pendingWrites: record.pending, writesInReview: record.inReview, serverVersion: record.version,
          isDeleted: record.state == .deleted, warnings: warnings)
      },
      revalidate: question { revalidator async throws(AppError) in try await revalidator.revalidate(key) }
    ).snapshots()
  }

  /// A list read from scopes, as a live read.
  ///
  /// - Parameters:
  ///   - type: the type of its elements.
  ///   - scopes: what a pull brings up to date for it. It is as fresh as the one that was pulled longest ago.
  func list<Element: Hashable & Sendable>(
    _ type: String, types: Set<String> = [], policy: ReadPolicy,
    scopes: @escaping @Sendable (StoreTransaction) throws(AppError) -> PullPlan.Scopes,
    _ read: @escaping @Sendable (StoreTransaction, inout ListNotes) throws(AppError) -> [Element]
  ) -> Snapshots<[Element]> {
    query(type, types: types, policy: policy, scopes: scopes, read).snapshots()
  }

  private func query<Element: Hashable & Sendable>(
    _ type: String, types: Set<String>, policy: ReadPolicy,
    scopes: @escaping @Sendable (StoreTransaction) throws(AppError) -> PullPlan.Scopes,
    _ read: @escaping @Sendable (StoreTransaction, inout ListNotes) throws(AppError) -> [Element]
  ) -> LiveQuery<[Element]> {
    LiveQuery(
      store: store, types: types.union([type]), followsSync: true, policy: policy,
      read: { [windows] transaction throws(AppError) in
        var notes = ListNotes()
        let elements = try read(transaction, &notes)
        let behind = try scopes(transaction)
        let completed = try transaction.completed(behind.scopes)
        return Snapshot(
          value: elements,
          freshness: windows.freshness(type: type, confirmed: completed, now: transaction.nowMilliseconds),
          pendingWrites: notes.pendingWrites, writesInReview: notes.writesInReview,
          mayBeIncomplete: behind.isPartial || (completed == nil && !behind.scopes.isEmpty), warnings: notes.warnings)
      },
      revalidate: question { [store] revalidator async throws(AppError) in
        var warnings: [String] = []
        let behind = try await store.read { transaction throws(AppError) in try scopes(transaction).scopes }
        for scope in behind where !scope.isFollowed { warnings += try await revalidator.revalidate(scope) }
        return warnings
      })
  }

  /// A list of all records of a type, to be read live.
  func query<Element: Hashable & Sendable>(
    all type: String, policy: ReadPolicy,
    _ read: @escaping @Sendable (StoreTransaction, inout ListNotes) throws(AppError) -> [Element]
  ) -> LiveQuery<[Element]> {
    let behind = plan.all(type)
    return query(type, types: [], policy: policy, scopes: { _ in behind }, read)
  }

  /// A list of all records of a type, as a live read.
  func list<Element: Hashable & Sendable>(
    all type: String, types: Set<String> = [], policy: ReadPolicy,
    _ read: @escaping @Sendable (StoreTransaction, inout ListNotes) throws(AppError) -> [Element]
  ) -> Snapshots<[Element]> {
    let behind = plan.all(type)
    return list(type, types: types, policy: policy, scopes: { _ in behind }, read)
  }

  /// A list of one patient's records of a type, as a live read.
  func list<Element: Hashable & Sendable>(
    _ type: String, of patient: Patient.ID, types: Set<String> = [], policy: ReadPolicy,
    _ read: @escaping @Sendable (StoreTransaction, inout ListNotes) throws(AppError) -> [Element]
  ) -> Snapshots<[Element]> {
    list(
      type, types: types, policy: policy,
      scopes: { [plan] transaction throws(AppError) in
        plan.chart(type, of: try transaction.serverID(of: patient.key))
      }, read)
  }

  /// What a read may ask the server; `nil` when there is none to ask.
  private func question(
    _ ask: @escaping @Sendable (Revalidator) async throws(AppError) -> [String]
  ) -> (@Sendable () async throws(AppError) -> [String])? {
    guard let revalidator else { return nil }
    return { () async throws(AppError) in try await ask(revalidator) }
  }

  // MARK: Writing

  /// A fresh action of the present author.
  func newAction() -> WriteContext {
    var context = WriteContext(author: author(), action: store.effects.ids.next())
    context.squashes = squashes
    context.recordsAuthor = true
    return context
  }

  /// Writes a new resource.
  func create<Model: StoredModel>(
    _ model: Model, verb: String, in transaction: StoreTransaction, _ context: WriteContext
  ) throws(AppError) -> WriteReceipt {
    try transaction.create(
      model.projection, type: Model.resourceType, summary: "\(verb) \(model.subjectLine)", context)
  }

  /// Changes a resource through its model, in one write transaction.
  ///
  /// - Parameter check: called with the model before and after the change.
  func edit<Model: StoredModel>(
    _ id: Model.ID, verb: String = "change",
    check: @escaping @Sendable (Model, Model, StoreTransaction) throws(AppError) -> Void = { _, _, _ in },
    _ change: @escaping @Sendable (inout Model) throws(AppError) -> Void
  ) async throws(AppError) -> WriteReceipt {
    let context = newAction()
    FailPoint.writeBegun.pass()
    let receipt = try await store.write { transaction throws(AppError) in
      try self.change(id, verb: verb, in: transaction, context, check: check, change).receipt
    }
    FailPoint.writeCommitted.pass()
    return receipt
  }

  /// Changes a resource through its model, inside a write transaction of the caller's.
  ///
  /// - Returns: the model before and after, and the receipt.
  func change<Model: StoredModel>(
    _ id: Model.ID, verb: String, in transaction: StoreTransaction, _ context: WriteContext,
    check: (Model, Model, StoreTransaction) throws(AppError) -> Void = { _, _, _ in },
    _ change: (inout Model) throws(AppError) -> Void
  ) throws(AppError) -> (before: Model, after: Model, receipt: WriteReceipt) {
    let record = try transaction.visibleResource(id.key)
    var warnings: [String] = []
    guard let view = record.view, let old = Model.decode(view, warnings: &warnings) else {
      throw AppError(.internalFault, "\(record.key) cannot be read as a \(Model.resourceType)")
    }
    var new = old
    try change(&new)
    try check(old, new, transaction)
    let edits = PatchDiff.edits(from: view, to: Model.edited(view, from: old, to: new))
    let receipt = try transaction.update(record, edits: edits, summary: "\(verb) \(new.subjectLine)", context)
    return (old, new, receipt)
  }
}

/// What a list tells besides its elements.
struct ListNotes: Sendable {
  var pendingWrites = 0
  var writesInReview = 0
  var warnings: [String] = []

  mutating func count(_ record: ResourceRecord) {
    pendingWrites += record.pending
    writesInReview += record.inReview
  }
}

extension StoreTransaction {
  /// A resource that readers see.
  ///
  /// - Throws: `notFound`, `deleted`.
  func visibleResource(_ key: ResourceKey) throws(AppError) -> ResourceRecord {
    guard let record = try resource(key) else {
      throw AppError(
        .notFound, "\(key) is not known here",
        hint: "open it once with --fresh while the server can be reached")
    }
    if record.state == .deleted { throw AppError(.deleted, "\(record.key) was deleted at the server") }
    guard record.isVisible else { throw AppError(.notFound, "\(record.key) is not known here any more") }
    return record
  }

  /// The model of a resource that is known; `nil` when it is not, or not visible.
  func model<Model: StoredModel>(_ id: Model.ID?) throws(AppError) -> Model? {
    guard let id, let view = try resource(id.key)?.view else { return nil }
    var warnings: [String] = []
    return Model.decode(view, warnings: &warnings)
  }
}

extension StoreTransaction {
  /// When the scope that was pulled longest ago was; `nil` when there is none, or one never was to its end.
  func completed(_ scopes: [PullScope]) throws(AppError) -> Int64? {
    var oldest: Int64?
    for scope in scopes {
      guard let completed = try self.scope(scope).completed else { return nil }
      oldest = min(oldest ?? completed, completed)
    }
    return oldest
  }

  /// The id under which the server has, or may have, a record; `nil` for one that was made here and never sent.
  func serverID(of key: ResourceKey) throws(AppError) -> String? {
    guard let record = try resource(key) else { return key.id }
    return record.state == .unknown && record.pending > 0 ? nil : record.key.id
  }
}
