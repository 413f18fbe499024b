/// The logical id of a resource of one type. The type parameter keeps an appointment's id out of a patient's place.
///
/// Ids compare by exact spelling: FHIR ids are case-sensitive (hl7.org/fhir/R4/datatypes.html#id).
public struct ResourceID<Resource>: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The id as the server or the local store wrote it.
  public let rawValue: String

  /// Makes an id from its text. Any text is taken: real servers use ids outside the grammar of FHIR.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes an id from its text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The id's text.
  public var description: String { rawValue }
}

extension ResourceID where Resource: ResourceModel {
  /// Type and id together.
  public var key: ResourceKey { ResourceKey(type: Resource.resourceType, id: rawValue) }
}

/// Lets examples and tests write an id as a literal.
extension ResourceID: ExpressibleByStringLiteral {
  /// Makes an id from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
