/// A place where care is given (hl7.org/fhir/R4/location.html).
public struct Location: ResourceModel {
  /// The id of a location.
  public typealias ID = ResourceID<Location>

  /// `Location`.
  public static let resourceType = "Location"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Whether the place is in use.
  public var status: OpenCode<Status>?
  /// The name, as people use it.
  public var name: String?
  /// Other names.
  public var alias: [String]
  /// More about the place.
  public var description: String?
  /// What is done there.
  public var type: [CodeableConcept]
  /// Ways to reach the place.
  public var telecom: [ContactPoint]
  /// The address.
  public var address: Address?
  /// The place of which this one is a part.
  public var partOf: Reference<Location>?

  /// Makes a location.
  public init(
    id: ID, identifier: [Identifier] = [], status: OpenCode<Status>? = nil, name: String? = nil, alias: [String] = [],
    description: String? = nil, type: [CodeableConcept] = [], telecom: [ContactPoint] = [], address: Address? = nil,
    partOf: Reference<Location>? = nil
  ) {
    self.id = id
    self.identifier = identifier
    self.status = status
    self.name = name
    self.alias = alias
    self.description = description
    self.type = type
    self.telecom = telecom
    self.address = address
    self.partOf = partOf
  }

  /// What tells this place apart on a screen: the name, else another name, an identifier, or the id. Never empty.
  public var displayName: String {
    name?.nonBlank ?? alias.lazy.compactMap(\.nonBlank).first ?? identifier.preferred?.displayText
      ?? id.rawValue.nonBlank ?? Self.resourceType
  }

  /// Whether a place is in use (hl7.org/fhir/R4/valueset-location-status.html).
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// In use.
    case active
    /// Closed for the time being.
    case suspended
    /// No longer in use.
    case inactive
  }
}
