/// A note by someone (hl7.org/fhir/R4/datatypes.html#Annotation).
public struct Annotation: Hashable, Sendable {
  /// Who wrote it.
  public var author: Author?
  /// When it was written.
  public var time: DateTime?
  /// The note, in Markdown.
  public var text: String

  /// Makes a note.
  public init(author: Author? = nil, time: DateTime? = nil, text: String) {
    self.author = author
    self.time = time
    self.text = text
  }

  /// The author of a note.
  public enum Author: Hashable, Sendable {
    /// A resource: a practitioner, a patient, a related person or an organization.
    case reference(Reference<AnyResource>)
    /// A name as text.
    case string(String)
  }
}
