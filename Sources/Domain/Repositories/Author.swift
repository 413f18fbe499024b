/// Who writes: the name under which an edit is kept, sent and audited.
public struct Author: Hashable, Sendable {
  /// Who vouches for the subject: an issuer's URL, or `os` for the operating system.
  public var issuer: String
  /// The user's name at the issuer.
  public var subject: String
  /// The practitioner who the user is, if known.
  public var practitioner: Practitioner.ID?

  /// Creates an author.
  public init(issuer: String, subject: String, practitioner: Practitioner.ID? = nil) {
    self.issuer = issuer
    self.subject = subject
    self.practitioner = practitioner
  }

  /// The user of the operating system, before any sign-in.
  public static func operatingSystemUser(_ name: String) -> Author {
    Author(issuer: "os", subject: name)
  }

  /// For display, e.g. `nora`.
  public var displayName: String { subject }
}
