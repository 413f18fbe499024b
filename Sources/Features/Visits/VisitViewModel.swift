public import DesignSystem
public import Domain
public import Observation

/// One visit: shown with what was measured and written in it, and led through its states.
@Observable
public final class VisitViewModel {
  /// What is shown.
  public private(set) var state: LoadState<VisitDisplay> = .idle
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  private let id: Encounter.ID
  private let repositories: VisitsRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of one visit.
  public init(
    id: Encounter.ID, repositories: VisitsRepositories, errors: any ErrorRouting, context: ClinicContext
  ) {
    self.id = id
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// Shows the visit.
  public func load(reading: ReadMode) async {
    state = .loading
    for await snapshot in repositories.encounters.encounter(id, policy: reading.policy) {
      if let value = snapshot.value {
        let parts = await parts(of: value.entry)
        state = .showing(
          VisitDisplay(
            entry: VisitEntry(value, context: context), vitals: parts.vitals, notes: parts.notes,
            missing: parts.missing, status: AnswerStatus(snapshot, context)))
        if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
      } else if snapshot.isDeleted {
        fail(AppError(.deleted, "\(id.key) was deleted at the server"))
      } else if snapshot.revalidation != .running || reading != .settled {
        fail(.unknown(id.key, mode: reading, revalidation: snapshot.revalidation))
      }
      if reading.isSatisfied(by: snapshot.revalidation) { return }
    }
  }

  /// Leads the visit into another state.
  ///
  /// - Parameter confirmed: False refuses to finish a visit in which something is missing, naming it, and what calls the
  ///   visit off.
  public func perform(_ action: VisitAction, confirmed: Bool) async {
    change = .working
    do throws(AppError) {
      guard let answer = await repositories.encounters.encounter(id, policy: .localOnly).first() else {
        throw .interrupted
      }
      if answer.isDeleted { throw AppError(.deleted, "\(id.key) was deleted at the server") }
      guard let value = answer.value else { throw .unknown(id.key, mode: .local, revalidation: answer.revalidation) }
      let now = context.now
      var trial = value.entry
      try trial.become(action.status, at: now)
      let missing = action == .finish ? await parts(of: value.entry).missing : []
      if !confirmed { try ask(action, VisitEntry(value, context: context), missing) }
      let receipts = try await repositories.encounters.edit(id) { visit throws(AppError) in
        try visit.become(action.status, at: now)
      }
      change = .done(await echo(action, receipts, missing))
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  private func ask(_ action: VisitAction, _ entry: VisitEntry, _ missing: [String]) throws(AppError) {
    let who = entry.patient?.text ?? entry.patientText
    if let question = action.question(who) { throw AppError(.needsConfirmation, question) }
    if !missing.isEmpty {
      throw AppError(
        .needsConfirmation, "finish the visit of \(who)? \(missing.joined(separator: "; "))",
        hint: "vitals add …, notes add …, notes sign …")
    }
  }

  private func echo(_ action: VisitAction, _ receipts: [WriteReceipt], _ missing: [String]) async -> WriteEcho {
    let key = receipts.first?.key ?? id.key
    let after = await repositories.encounters.encounter(Encounter.ID(key.id), policy: .localOnly).first()
    let entry = after?.value.map { VisitEntry($0, context: context) }
    var details = entry.map { [WriteEcho.Detail("when", $0.when), WriteEcho.Detail("status", $0.status)] } ?? []
    if let entry, entry.patient == nil { details.append(WriteEcho.Detail("patient", entry.patientText)) }
    return WriteEcho(
      action.done, patient: entry?.patient, receipts: receipts, fallback: id.key, details: details,
      warnings: missing.map { "finished although \($0)" })
  }

  /// What was measured and written in a visit, and what is missing for it to be finished. As known here.
  private func parts(
    of visit: Encounter
  ) async -> (vitals: [ObservationEntry], notes: [NoteEntry], missing: [String]) {
    guard let patient = visit.patientID else { return ([], [], ["it names no patient"]) }
    let observations = await repositories.observations.observations(
      matching: ObservationQuery(patient: patient, limit: 1_000), policy: .localOnly
    ).first()?.value
    let documents = await repositories.notes.entries(of: patient, policy: .localOnly).first()?.value
    let vitals = (observations ?? []).filter { $0.observation.visitID == visit.id }
      .map { ObservationEntry($0, context: context) }
    let notes = (documents ?? []).filter { $0.entry.encounter.contains { $0.key == visit.key } }
      .map { NoteEntry($0, context: context) }
    var missing: [String] = []
    if vitals.allSatisfy(\.isWithdrawn) { missing.append("no vital signs are recorded") }
    let standing = notes.filter { !$0.isWithdrawn }
    if standing.isEmpty { missing.append("no note is written") }
    missing += standing.filter { $0.state == "draft" }.map { "the note \($0.id.key) is not signed" }
    return (vitals, notes, missing)
  }

  private func fail(_ error: AppError) {
    errors.present(error)
    state = .failed(error)
  }
}

/// One visit, ready to be shown.
public nonisolated struct VisitDisplay: Hashable, Sendable {
  /// The visit.
  public var entry: VisitEntry
  /// What was measured in it, newest first, withdrawn ones among them.
  public var vitals: [ObservationEntry]
  /// What was written in it, newest first, withdrawn ones among them.
  public var notes: [NoteEntry]
  /// What would be asked about if it were finished now.
  public var missing: [String]
  /// The answer's age and state.
  public var status: AnswerStatus
}
