public import DesignSystem
public import Domain
public import Observation

/// Clinical notes: shown, written, signed, added to and withdrawn.
@Observable
public final class NotesViewModel {
  /// What is shown.
  public private(set) var state: LoadState<NoteDisplay> = .idle
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  /// A note is no longer than this, in bytes of UTF-8.
  public static let longest = 256 * 1_024

  private let repositories: VisitsRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of notes.
  public init(repositories: VisitsRepositories, errors: any ErrorRouting, context: ClinicContext) {
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// Shows a note with its addenda.
  public func load(_ id: DocumentReference.ID, reading: ReadMode) async {
    state = .loading
    for await snapshot in repositories.notes.entry(id, policy: reading.policy) {
      if let value = snapshot.value {
        state = .showing(
          NoteDisplay(
            entry: NoteEntry(value, context: context), addenda: await addenda(to: value.entry),
            status: AnswerStatus(snapshot, context)))
        if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
      } else if snapshot.isDeleted {
        fail(AppError(.deleted, "\(id.key) was deleted at the server"))
      } else if snapshot.revalidation != .running || reading != .settled {
        fail(.unknown(id.key, mode: reading, revalidation: snapshot.revalidation))
      }
      if reading.isSatisfied(by: snapshot.revalidation) { return }
    }
  }

  /// Writes a note of a patient, in the open visit if there is one.
  ///
  /// - Parameter signs: False keeps it a draft, which may be edited.
  public func add(_ text: String, of patient: Patient.ID, signs: Bool, reading: ReadMode) async {
    await perform { () async throws(AppError) -> WriteEcho in
      try Self.check(text)
      let person = try await repositories.patients.current(patient, for: "note", mode: reading)
      let visits = await repositories.encounters.openVisits(of: person.id)
      var note = draft(text, subject: Reference(person.key, display: person.nameText))
      note.docStatus = .known(signs ? .final : .preliminary)
      if signs { note.authenticator = context.authorReference }
      note.encounter = visits.first.map { [Reference($0.key)] } ?? []
      let receipt = try await repositories.notes.add(note)
      note.id = DocumentReference.ID(receipt.key.id)
      return echo(
        signs ? "Note signed" : "Note drafted", Charted(note, patient: person, isPending: true), receipt,
        warnings: visits.isEmpty ? ["no visit is open, so the note belongs to none"] : [])
    }
  }

  /// Adds to a note that is signed.
  public func append(_ text: String, to id: DocumentReference.ID) async {
    await perform { () async throws(AppError) -> WriteEcho in
      try Self.check(text)
      let original = try await stored(id)
      if original.entry.isEnteredInError { throw AppError(.notAllowed, "\(id.key) was entered in error") }
      guard original.entry.isSigned else {
        throw AppError(
          .notAllowed, "the note is not signed, so it is edited rather than added to",
          hint: "notes edit \(id.key) TEXT")
      }
      var note = draft(text, subject: original.entry.subject)
      note.docStatus = .known(.final)
      note.authenticator = context.authorReference
      note.type = original.entry.type ?? note.type
      note.relatesTo = [
        DocumentReference.Relation(code: .known(.appends), target: Reference(original.entry.key))
      ]
      note.encounter = original.entry.encounter
      let receipt = try await repositories.notes.add(note)
      note.id = DocumentReference.ID(receipt.key.id)
      return echo("Addendum signed", Charted(note, patient: original.patient, isPending: true), receipt)
    }
  }

  /// Puts another text in the place of a draft's.
  public func rewrite(_ id: DocumentReference.ID, _ text: String) async {
    let now = context.now
    await perform { () async throws(AppError) -> WriteEcho in
      try Self.check(text)
      return try await edit(id, "Note changed") { note throws(AppError) in try note.rewrite(text, at: now) }
    }
  }

  /// Signs a draft.
  public func sign(_ id: DocumentReference.ID) async {
    let author = context.authorReference
    await perform { () async throws(AppError) -> WriteEcho in
      try await edit(id, "Note signed") { note throws(AppError) in try note.sign(by: author) }
    }
  }

  /// Marks a note as entered in error.
  ///
  /// - Parameter confirmed: False refuses, naming the note.
  public func retract(_ id: DocumentReference.ID, confirmed: Bool) async {
    await perform { () async throws(AppError) -> WriteEcho in
      let original = try await stored(id)
      var trial = original.entry
      try trial.retract()
      let entry = NoteEntry(original, context: context)
      if !confirmed {
        throw AppError(
          .needsConfirmation,
          "mark the note \"\(entry.summary)\" of \(entry.patient?.text ?? entry.patientText) as entered in error? It "
            + "cannot be taken back")
      }
      return try await edit(id, "Note marked as entered in error") { note throws(AppError) in try note.retract() }
    }
  }

  private func perform(_ body: () async throws(AppError) -> WriteEcho) async {
    change = .working
    do throws(AppError) {
      change = .done(try await body())
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  private func stored(_ id: DocumentReference.ID) async throws(AppError) -> Charted<DocumentReference> {
    guard let answer = await repositories.notes.entry(id, policy: .localOnly).first() else { throw .interrupted }
    if answer.isDeleted { throw AppError(.deleted, "\(id.key) was deleted at the server") }
    guard let value = answer.value else { throw .unknown(id.key, mode: .local, revalidation: answer.revalidation) }
    return value
  }

  private func edit(
    _ id: DocumentReference.ID, _ done: String,
    _ change: @escaping @Sendable (inout DocumentReference) throws(AppError) -> Void
  ) async throws(AppError) -> WriteEcho {
    let receipt = try await repositories.notes.edit(id, change)
    return echo(done, try await stored(DocumentReference.ID(receipt.key.id)), receipt)
  }

  private func draft(_ text: String, subject: Reference<AnyResource>?) -> DocumentReference {
    DocumentReference(
      id: DocumentReference.ID(""), type: DocumentReference.progressNote, category: [DocumentReference.clinicalNote],
      subject: subject, date: context.now, author: [context.authorReference],
      content: [DocumentReference.Attachment(text: text, creation: .instant(context.now))])
  }

  private func echo(
    _ done: String, _ note: Charted<DocumentReference>, _ receipt: WriteReceipt, warnings: [String] = []
  ) -> WriteEcho {
    let entry = NoteEntry(note, context: context)
    var details = [
      WriteEcho.Detail("note", entry.summary), WriteEcho.Detail("state", entry.state),
      WriteEcho.Detail("written", entry.when),
    ]
    if entry.patient == nil { details.append(WriteEcho.Detail("about", entry.patientText)) }
    if let visit = entry.visit { details.append(WriteEcho.Detail("visit", visit.key.description)) }
    if let original = entry.appendedTo { details.append(WriteEcho.Detail("adds to", original.key.description)) }
    return WriteEcho(
      done, patient: entry.patient, receipts: [receipt], fallback: note.entry.key, details: details,
      warnings: warnings)
  }

  private func addenda(to note: DocumentReference) async -> [NoteEntry] {
    guard let patient = note.patientID else { return [] }
    let all = await repositories.notes.entries(of: patient, policy: .localOnly).first()?.value ?? []
    return all.filter { $0.entry.appendedTo == note.id }.reversed().map { NoteEntry($0, context: context) }
  }

  private static func check(_ text: String) throws(AppError) {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw AppError(.invalidInput, "the note is empty", field: "text")
    }
    guard text.utf8.count <= longest else {
      throw AppError(
        .invalidInput, "the note has \(text.utf8.count) bytes; it may have \(longest)", hint: "write several notes",
        field: "text")
    }
  }

  private func fail(_ error: AppError) {
    errors.present(error)
    state = .failed(error)
  }
}

/// One note, ready to be shown.
public nonisolated struct NoteDisplay: Hashable, Sendable {
  /// The note.
  public var entry: NoteEntry
  /// What was added to it, oldest first.
  public var addenda: [NoteEntry]
  /// The answer's age and state.
  public var status: AnswerStatus
}
