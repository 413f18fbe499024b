import Foundation

/// A document about a patient: here, a clinical note (hl7.org/fhir/R4/documentreference.html).
public struct DocumentReference: ResourceModel, ChartEntry {
  /// The id of a document.
  public typealias ID = ResourceID<DocumentReference>

  /// `DocumentReference`.
  public static let resourceType = "DocumentReference"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// The state of this record of the document; `nil` when withheld.
  public var status: OpenCode<Status>?
  /// The state of the document itself.
  public var docStatus: OpenCode<DocumentStatus>?
  /// What kind of document it is.
  public var type: CodeableConcept?
  /// Its category.
  public var category: [CodeableConcept]
  /// Whom it is about.
  public var subject: Reference<AnyResource>?
  /// When this record was made.
  public var date: Instant?
  /// Who wrote it.
  public var author: [Reference<AnyResource>]
  /// Who vouches for it.
  public var authenticator: Reference<AnyResource>?
  /// Other documents that it belongs to.
  public var relatesTo: [Relation]
  /// What it is, in words.
  public var description: String?
  /// The document, in one or more formats.
  public var content: [Attachment]
  /// The visits in which it was written. FHIR's element is `context.encounter`.
  public var encounter: [Reference<AnyResource>]

  /// Makes a document.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<Status>? = .known(.current),
    docStatus: OpenCode<DocumentStatus>? = nil, type: CodeableConcept? = nil, category: [CodeableConcept] = [],
    subject: Reference<AnyResource>? = nil, date: Instant? = nil, author: [Reference<AnyResource>] = [],
    authenticator: Reference<AnyResource>? = nil, relatesTo: [Relation] = [], description: String? = nil,
    content: [Attachment], encounter: [Reference<AnyResource>] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.docStatus = docStatus
    self.type = type
    self.category = category
    self.subject = subject
    self.date = date
    self.author = author
    self.authenticator = authenticator
    self.relatesTo = relatesTo
    self.description = description
    self.content = content
    self.encounter = encounter
  }
}

extension DocumentReference {
  /// The state of the record (hl7.org/fhir/R4/valueset-document-reference-status.html).
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// In use.
    case current
    /// Another one is used instead.
    case superseded
    /// Should never have been recorded.
    case enteredInError = "entered-in-error"
  }

  /// The state of the document (hl7.org/fhir/R4/valueset-composition-status.html).
  public enum DocumentStatus: String, CaseIterable, Hashable, Sendable {
    /// Not signed yet: may still be edited.
    case preliminary
    /// Signed.
    case final
    /// Signed, and changed afterwards.
    case amended
    /// Should never have been written.
    case enteredInError = "entered-in-error"
  }

  /// How a document belongs to another.
  public struct Relation: Hashable, Sendable {
    /// How.
    public var code: OpenCode<RelationCode>?
    /// The other document.
    public var target: Reference<DocumentReference>

    /// Makes a relation.
    public init(code: OpenCode<RelationCode>?, target: Reference<DocumentReference>) {
      self.code = code
      self.target = target
    }
  }

  /// How a document belongs to another (hl7.org/fhir/R4/valueset-document-relationship-type.html).
  public enum RelationCode: String, CaseIterable, Hashable, Sendable {
    /// Stands in its place.
    case replaces
    /// Is made from it.
    case transforms
    /// Signs it.
    case signs
    /// Adds to it.
    case appends
  }

  /// A document's content (hl7.org/fhir/R4/datatypes.html#Attachment).
  public struct Attachment: Hashable, Sendable {
    /// The media type, with its parameters.
    public var contentType: String?
    /// The language.
    public var language: String?
    /// The content in base64, as written.
    public var data: String?
    /// Where the content lies, when it is not here.
    public var url: String?
    /// A name for it.
    public var title: String?
    /// When it was made.
    public var creation: DateTime?

    /// Makes an attachment.
    public init(
      contentType: String? = nil, language: String? = nil, data: String? = nil, url: String? = nil,
      title: String? = nil, creation: DateTime? = nil
    ) {
      self.contentType = contentType
      self.language = language
      self.data = data
      self.url = url
      self.title = title
      self.creation = creation
    }

    /// Makes an attachment of a text, in UTF-8.
    public init(text: String, creation: DateTime? = nil) {
      self.init(
        contentType: "text/plain; charset=utf-8", data: Foundation.Data(text.utf8).base64EncodedString(),
        creation: creation)
    }

    /// The text of an inline plain text; `nil` for every other content, and for what is no valid UTF-8.
    public var text: String? {
      guard contentType?.lowercased().hasPrefix("text/plain") ?? false, let data,
        let bytes = Foundation.Data(base64Encoded: data, options: .ignoreUnknownCharacters)
      else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }

  /// The type of a progress note.
  public static let progressNote = CodeableConcept(
    coding: [Coding(system: CodeSystem.loinc, code: "11506-3", display: "Progress note")], text: "Progress note")

  /// The category of clinical notes.
  public static let clinicalNote = CodeableConcept(
    coding: [Coding(system: CodeSystem.documentCategory, code: "clinical-note", display: "Clinical Note")])

  /// The document's plain text, if there is one here.
  public var text: String? { content.lazy.compactMap(\.text).first }

  /// Whether it is signed: then it is not edited, and what is new is added by an addendum.
  public var isSigned: Bool { docStatus == .known(.final) || docStatus == .known(.amended) }

  /// The document that this one adds to; `nil` when it stands for itself.
  public var appendedTo: DocumentReference.ID? {
    relatesTo.first { $0.code == .known(.appends) }?.target.id
  }

  /// What it counts as.
  public var standing: ChartStanding {
    if status == .known(.enteredInError) || docStatus == .known(.enteredInError) { return .enteredInError }
    return status == .known(.superseded) ? .past : .current
  }

  /// The patient; `nil` when it is about something else or nothing is said.
  public var patientID: Patient.ID? { subject?.id(of: Patient.self) }

  /// The first visit in which it was written.
  public var visitID: Encounter.ID? { encounter.lazy.compactMap { $0.id(of: Encounter.self) }.first }

  /// When it was written.
  public var sortTime: DateTime? {
    date.map(DateTime.instant) ?? content.lazy.compactMap(\.creation).first
  }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { standing == .enteredInError }

  /// Puts another text in the place of this one.
  ///
  /// - Throws: `notAllowed` after it was signed or withdrawn.
  public mutating func rewrite(_ text: String, at time: Instant) throws(AppError) {
    try checkMutable()
    content = [Attachment(text: text, creation: .instant(time))]
  }

  /// Signs it.
  ///
  /// - Throws: `notAllowed` after it was signed or withdrawn.
  public mutating func sign(by author: Reference<AnyResource>?) throws(AppError) {
    try checkMutable()
    docStatus = .known(.final)
    if let author { authenticator = author }
  }

  /// Withdraws it.
  ///
  /// - Throws: `notAllowed` when it is withdrawn already.
  public mutating func retract() throws(AppError) {
    guard !isEnteredInError else { throw AppError(.notAllowed, "\(key) is already marked as entered in error") }
    status = .known(.enteredInError)
  }

  private func checkMutable() throws(AppError) {
    if isEnteredInError { throw AppError(.notAllowed, "the note was entered in error") }
    if isSigned {
      throw AppError(.notAllowed, "the note is signed", hint: "add to it: notes addendum \(key) TEXT")
    }
  }
}
