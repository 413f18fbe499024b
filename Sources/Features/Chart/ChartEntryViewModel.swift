public import DesignSystem
public import Domain
public import Observation

/// Records are added to a chart, and led through their states.
@Observable
public final class ChartEntryViewModel {
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  private let repositories: ChartRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model.
  public init(repositories: ChartRepositories, errors: any ErrorRouting, context: ClinicContext) {
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// Adds a record.
  ///
  /// - Parameter confirmed: False refuses what is listed already, and a medication or vaccine that matches a recorded
  ///   allergy, naming what matched and that matching is by recorded code and text only.
  public func add(_ draft: ChartDraft, of patient: Patient.ID, confirmed: Bool, reading: ReadMode) async {
    change = .working
    do throws(AppError) {
      let person = try await repositories.patients.current(patient, for: "record", mode: reading)
      let visit = await repositories.encounters.openVisits(of: person.id).first
      let writer = ChartWriter(
        repositories: repositories, context: context, patient: person, visit: visit, isConfirmed: confirmed)
      change = .done(try await writer.add(draft))
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  /// Leads a record into another state.
  ///
  /// - Parameter confirmed: False refuses what cannot be taken back, naming it.
  public func perform(_ action: ChartAction, confirmed: Bool) async {
    change = .working
    let now = context.now
    do throws(AppError) {
      switch action {
      case .resolveProblem(let id):
        try await edit(repositories.conditions, id, action, confirmed, { $0.row($1) }) { problem throws(AppError) in
          try problem.resolve(at: .instant(now))
        }
      case .retractProblem(let id):
        try await edit(repositories.conditions, id, action, confirmed, { $0.row($1) }) { problem throws(AppError) in
          try problem.retract()
        }
      case .resolveAllergy(let id):
        try await edit(repositories.allergies, id, action, confirmed, { $0.row($1) }) { allergy throws(AppError) in
          try allergy.become(.resolved)
        }
      case .refuteAllergy(let id):
        try await edit(repositories.allergies, id, action, confirmed, { $0.row($1) }) { allergy throws(AppError) in
          try allergy.refute()
        }
      case .retractAllergy(let id):
        try await edit(repositories.allergies, id, action, confirmed, { $0.row($1) }) { allergy throws(AppError) in
          try allergy.retract()
        }
      case .stopMedication(let id, let reason):
        try await edit(repositories.medications, id, action, confirmed, { $0.row($1) }) { request throws(AppError) in
          try request.become(.stopped, reason: reason)
        }
      case .holdMedication(let id, let reason):
        try await edit(repositories.medications, id, action, confirmed, { $0.row($1) }) { request throws(AppError) in
          try request.become(.onHold, reason: reason)
        }
      case .resumeMedication(let id):
        try await edit(repositories.medications, id, action, confirmed, { $0.row($1) }) { request throws(AppError) in
          try request.become(.active)
        }
      case .retractMedication(let id):
        try await edit(repositories.medications, id, action, confirmed, { $0.row($1) }) { request throws(AppError) in
          try request.become(.enteredInError)
        }
      case .retractImmunization(let id):
        try await edit(repositories.immunizations, id, action, confirmed, { $0.row($1) }) {
          vaccination throws(AppError) in
          try vaccination.retract()
        }
      }
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  private func edit<Entry: ChartEntry>(
    _ repository: any ChartRepository<Entry>, _ id: Entry.ID, _ action: ChartAction, _ confirmed: Bool,
    _ row: (ChartRowMaker, Charted<Entry>) -> ChartRow,
    _ body: @escaping @Sendable (inout Entry) throws(AppError) -> Void
  ) async throws(AppError) {
    let before = try await stored(repository, id)
    var trial = before.entry
    try body(&trial)
    let identity = before.patient.map { PatientIdentity($0, today: context.today) }
    let maker = ChartRowMaker(patient: before.entry.patientID ?? Patient.ID(""), context: context)
    if let question = action.question, !confirmed {
      let who = identity?.text ?? before.entry.patientID?.key.description ?? "nobody who is named"
      throw AppError(.needsConfirmation, "mark \(row(maker, before).title) of \(who) \(question)")
    }
    let receipt = try await repository.edit(id, body)
    let after = row(maker, try await stored(repository, Entry.ID(receipt.key.id)))
    change = .done(
      WriteEcho(
        action.done, patient: identity, receipts: [receipt], fallback: id.key, details: after.details))
  }

  private func stored<Entry: ChartEntry>(
    _ repository: any ChartRepository<Entry>, _ id: Entry.ID
  ) async throws(AppError) -> Charted<Entry> {
    guard let answer = await repository.entry(id, policy: .localOnly).first() else { throw .interrupted }
    if answer.isDeleted { throw AppError(.deleted, "\(id.key) was deleted at the server") }
    guard let value = answer.value else { throw .unknown(id.key, mode: .local, revalidation: answer.revalidation) }
    return value
  }
}

extension ChartRow {
  /// What every write on it echoes.
  nonisolated var details: [WriteEcho.Detail] {
    [WriteEcho.Detail("what", title), WriteEcho.Detail("state", state)]
      + facts.map { WriteEcho.Detail($0.label, $0.value) }
  }
}
