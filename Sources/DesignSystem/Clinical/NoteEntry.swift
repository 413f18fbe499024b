public import Domain

/// One clinical note, ready to be shown.
public struct NoteEntry: Hashable, Sendable, Identifiable {
  /// The local id.
  public var id: DocumentReference.ID
  /// What kind of note it is.
  public var title: String
  /// What it says; `nil` when its content is not a text that is here.
  public var text: String?
  /// Why there is no text.
  public var missing: String?
  /// `draft`, `signed`, `amended`, `superseded`, `entered in error`, or as recorded.
  public var state: String
  /// The FHIR code of the document's state.
  public var docStatus: String?
  /// When it was written, on the clinic's clock.
  public var when: String
  /// When it was written, for programs.
  public var date: String?
  /// Who wrote it.
  public var authors: [String]
  /// The patient, when known here.
  public var patient: PatientIdentity?
  /// The patient's record, as the note names it.
  public var patientID: Patient.ID?
  /// Whom it is about, when that is no patient who is known here.
  public var patientText: String
  /// The visit in which it was written.
  public var visit: Encounter.ID?
  /// The note that it adds to.
  public var appendedTo: DocumentReference.ID?
  /// Whether it may no longer be edited.
  public var isSigned: Bool
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether it was entered in error.
  public var isWithdrawn: Bool
  /// By what it is ordered.
  public var sortTime: DateTime?

  /// Makes a note ready to be shown, on the clinic's clock.
  public init(_ charted: Charted<DocumentReference>, context: ClinicContext) {
    let note = charted.entry
    id = note.id
    title = note.type?.displayText ?? note.description ?? "document"
    text = note.text
    if text == nil { missing = Self.missing(note.content) }
    state = Self.state(note)
    docStatus = note.docStatus?.rawValue
    when = note.sortTime.map { context.zone.clinicText($0) } ?? "time not recorded"
    date = note.sortTime.map { context.zone.recorded($0) }
    authors = note.author.compactMap(\.displayText)
    patient = charted.patient.map { PatientIdentity($0, today: context.today) }
    patientID = note.patientID
    patientText = patient?.displayName ?? note.subject?.displayText ?? "not said whom"
    visit = note.visitID
    appendedTo = note.appendedTo
    isSigned = note.isSigned
    isPending = charted.isPending
    isWithdrawn = note.isEnteredInError
    sortTime = note.sortTime
  }

  /// What it says, or why that is not shown.
  public var shownText: String { text ?? missing ?? "no content" }

  /// The first line of what it says.
  public var summary: String {
    let line = shownText.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(59)) + "…" : line
  }

  /// For programs.
  public var record: Record {
    Record(
      "note",
      [
        "id": .string(id.rawValue), "title": .string(title), "text": .optional(text), "state": .string(state),
        "docStatus": .optional(docStatus), "date": .optional(date), "authors": .strings(authors),
        "patient": patient?.record ?? .null, "patientText": .string(patientText),
        "visit": .optional(visit?.rawValue), "appendedTo": .optional(appendedTo?.rawValue), "signed": .bool(isSigned),
        "pending": .bool(isPending), "enteredInError": .bool(isWithdrawn),
      ])
  }

  private static func state(_ note: DocumentReference) -> String {
    if note.isEnteredInError { return "entered in error" }
    if note.status == .known(.superseded) { return "superseded" }
    switch note.docStatus?.known {
    case .preliminary: return "draft"
    case .final: return "signed"
    case .amended: return "amended"
    case .enteredInError: return "entered in error"
    case nil: return note.docStatus?.rawValue ?? "not said whether signed"
    }
  }

  private static func missing(_ content: [DocumentReference.Attachment]) -> String {
    guard let first = content.first else { return "no content" }
    let type = first.contentType.map { " of type \($0)" } ?? ""
    return first.data == nil && first.url != nil
      ? "content\(type) that lies elsewhere" : "content\(type) that is not shown here"
  }
}
