public import DesignSystem
public import Domain
public import Observation

/// One observation: shown, noted on, and withdrawn.
@Observable
public final class ObservationViewModel {
  /// What is shown.
  public private(set) var state: LoadState<ObservationDisplay> = .idle
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  private let id: ClinicalObservation.ID
  private let observations: any ObservationRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of one observation.
  public init(
    id: ClinicalObservation.ID, observations: any ObservationRepository, errors: any ErrorRouting,
    context: ClinicContext
  ) {
    self.id = id
    self.observations = observations
    self.errors = errors
    self.context = context
  }

  /// Shows the observation.
  public func load(reading: ReadMode) async {
    state = .loading
    await observations.observation(id, policy: reading.policy).listen(reading) { snapshot in
      if let value = snapshot.value {
        state = .showing(
          ObservationDisplay(
            entry: ObservationEntry(value, context: context), status: AnswerStatus(snapshot, context),
            zone: context.zone))
        if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
      } else if snapshot.isDeleted {
        fail(AppError(.deleted, "\(id.key) was deleted at the server"))
      } else if snapshot.revalidation != .running || reading != .settled {
        fail(.unknown(id.key, mode: reading, revalidation: snapshot.revalidation))
      }
    }
  }

  /// Adds a note.
  public func addNote(_ text: String) async {
    change = .working
    do throws(AppError) {
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw AppError(.invalidInput, "the note is empty", field: "text")
      }
      let author: Annotation.Author =
        context.author.practitioner.map { .reference(Reference($0.key)) } ?? .string(context.author.displayName)
      let note = Annotation(author: author, time: .instant(context.zone.written(context.clock.now())), text: text)
      try await write("Note added", extra: WriteEcho.Detail("note", text)) { $0.note.append(note) }
    } catch {
      failChange(error)
    }
  }

  /// Marks the observation as entered in error.
  ///
  /// - Parameter confirmed: False refuses, naming what would be withdrawn.
  public func retract(confirmed: Bool) async {
    change = .working
    do throws(AppError) {
      guard let answer = await observations.observation(id, policy: .localOnly).first() else { throw .interrupted }
      guard let value = answer.value else { throw .unknown(id.key, mode: .local, revalidation: answer.revalidation) }
      let entry = ObservationEntry(value, context: context)
      if entry.isWithdrawn { throw AppError(.notAllowed, "\(id.key) is already marked as entered in error") }
      if !confirmed {
        let who = entry.patient?.text ?? entry.subjectText
        throw AppError(
          .needsConfirmation,
          "mark \(entry.title) \(entry.result) of \(who) as entered in error? It cannot be taken back")
      }
      try await write("Marked as entered in error", extra: nil) { $0.status = .known(.enteredInError) }
    } catch {
      failChange(error)
    }
  }

  private func write(
    _ done: String, extra: WriteEcho.Detail?, _ body: @escaping @Sendable (inout ClinicalObservation) -> Void
  ) async throws(AppError) {
    let receipt = try await observations.edit(id) { observation throws(AppError) in body(&observation) }
    let after = await observations.observation(ClinicalObservation.ID(receipt.key.id), policy: .localOnly).first()
    let entry = after?.value.map { ObservationEntry($0, context: context) }
    var details = entry.map { [WriteEcho.Detail($0.title, $0.result), WriteEcho.Detail("measured", $0.when)] } ?? []
    if entry?.patient == nil, let subject = entry?.subjectText { details.append(WriteEcho.Detail("about", subject)) }
    if let extra { details.append(extra) }
    change = .done(
      WriteEcho(done, patient: entry?.patient, receipts: [receipt], fallback: id.key, details: details))
  }

  private func fail(_ error: AppError) {
    errors.present(error)
    state = .failed(error)
  }

  private func failChange(_ error: AppError) {
    errors.present(error)
    change = .failed(error)
  }
}

/// One observation, ready to be shown.
public nonisolated struct ObservationDisplay: Hashable, Sendable {
  /// The observation.
  public var entry: ObservationEntry
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone
}
