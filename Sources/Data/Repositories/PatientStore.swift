import Domain
import JSON
import Synchronization

/// ``PatientRepository`` over the store.
struct PatientStore: PatientRepository {
  let context: StoreContext

  func patient(_ id: Patient.ID, policy: ReadPolicy) -> Snapshots<Patient> {
    context.one(id, policy: policy) { patient, _, _ in patient }
  }

  func patients(matching query: PatientQuery, policy: ReadPolicy) -> Snapshots<[PatientMatch]> {
    let question = SearchQuestion(query.text)
    let finds = ServerFinds()
    var answers = context.query(all: Patient.resourceType, policy: policy) {
      transaction, notes throws(AppError) -> [PatientMatch] in
      guard !question.isEmpty else { return [] }
      return try transaction.patients(
        answering: question, limit: query.limit, alsoFound: finds.keys, &notes)
    }
    if query.asksServer, !question.isEmpty, let revalidator = context.revalidator {
      answers.revalidate = { () async throws(AppError) in
        finds.set(try await revalidator.search(RemoteSearch(query.text)))
        return []
      }
    }
    return answers.snapshots()
  }

  func recentPatients(limit: Int) -> Snapshots<[Patient]> {
    context.list(all: Patient.resourceType, policy: .localOnly) { transaction, notes throws(AppError) in
      let rows = try transaction.all(
        "SELECT rowid FROM resource WHERE type = 'Patient' AND opened IS NOT NULL ORDER BY opened DESC LIMIT ?",
        [SQLValue(limit)]
      ) { row throws(SQLiteError) in row.integer(0) }
      return try transaction.matches(rows, &notes).map(\.patient)
    }
  }

  func register(_ patient: Patient) async throws(AppError) -> WriteReceipt {
    guard patient.nameText != nil || patient.identifier.contains(where: { $0.value?.isEmpty == false }) else {
      throw AppError(
        .invalidInput, "a patient needs a name or an identifier", hint: "give --family, --given or --identifier")
    }
    let action = context.newAction()
    FailPoint.writeBegun.pass()
    let receipt = try await context.store.write { transaction throws(AppError) in
      let receipt = try context.create(patient, verb: "register", in: transaction, action)
      try transaction.markOpened(receipt.key)
      return receipt
    }
    FailPoint.writeCommitted.pass()
    return receipt
  }

  func candidates(for registration: Patient) async throws(AppError) -> [PatientCandidate] {
    try await context.store.read { transaction throws(AppError) in try transaction.candidates(for: registration) }
  }

  func merge(_ registration: Patient.ID, into known: Patient.ID) async throws(AppError) -> PatientMerge {
    let author = context.author()
    return try await context.store.write { transaction throws(AppError) in
      try transaction.merge(registration, into: known, by: author)
    }
  }

  func edit(_ id: Patient.ID, _ change: @escaping @Sendable (inout Patient) throws(AppError) -> Void)
    async throws(AppError) -> WriteReceipt
  {
    try await context.edit(id, change)
  }

  func markOpened(_ id: Patient.ID) async throws(AppError) {
    try await context.store.write(durability: .normal) { transaction throws(AppError) in
      try transaction.markOpened(id.key)
    }
  }
}

/// Whom the server named in answer to one reader's question.
private final class ServerFinds: Sendable {
  private let found = Mutex<[ResourceKey]>([])

  var keys: [ResourceKey] { found.withLock { $0 } }
  func set(_ keys: [ResourceKey]) { found.withLock { $0 = keys } }
}

extension StoreTransaction {
  /// Moves a resource to the front of those last opened.
  func markOpened(_ key: ResourceKey) throws(AppError) {
    guard let record = try resource(key) else { return }
    try run(
      """
      UPDATE resource SET opened = 1 + (SELECT coalesce(max(opened), 0) FROM resource WHERE type = ? AND opened IS NOT NULL)
      WHERE rowid = ?
      """, [.text(key.type), .integer(record.rowID)])
  }

  /// The patients of rows, in their order.
  func matches(_ rows: [Int64], _ notes: inout ListNotes) throws(AppError) -> [PatientMatch] {
    var found: [PatientMatch] = []
    for row in rows {
      guard let record = try resource(rowID: row), let view = record.view,
        let patient = Patient.decode(view, warnings: &notes.warnings)
      else { continue }
      notes.count(record)
      found.append(PatientMatch(patient: patient, isPending: record.pending > 0))
    }
    return found
  }
}
