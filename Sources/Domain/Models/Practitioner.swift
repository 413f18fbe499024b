/// Someone who gives care (hl7.org/fhir/R4/practitioner.html).
public struct Practitioner: ResourceModel {
  /// The id of a practitioner.
  public typealias ID = ResourceID<Practitioner>

  /// `Practitioner`.
  public static let resourceType = "Practitioner"

  /// The logical id.
  public var id: ID
  /// Business identifiers, such as a licence number.
  public var identifier: [Identifier]
  /// Whether the record is in use; `nil` when not said, which counts as in use.
  public var active: Bool?
  /// Names, in the record's order.
  public var name: [HumanName]
  /// Ways to reach the practitioner.
  public var telecom: [ContactPoint]
  /// Addresses, in the record's order.
  public var address: [Address]
  /// The administrative gender.
  public var gender: OpenCode<AdministrativeGender>?
  /// The date of birth, as precise as recorded, or why it is withheld.
  public var birthDate: Recorded<PartialDate>

  /// Makes a practitioner.
  public init(
    id: ID, identifier: [Identifier] = [], active: Bool? = nil, name: [HumanName] = [], telecom: [ContactPoint] = [],
    address: [Address] = [], gender: OpenCode<AdministrativeGender>? = nil,
    birthDate: Recorded<PartialDate> = .notRecorded
  ) {
    self.id = id
    self.identifier = identifier
    self.active = active
    self.name = name
    self.telecom = telecom
    self.address = address
    self.gender = gender
    self.birthDate = birthDate
  }

  /// What tells this practitioner apart on a screen: the spoken name, else an identifier, else the id. Never empty.
  public var displayName: String {
    name.preferred?.spokenText ?? identifier.preferred?.displayText ?? id.rawValue.nonBlank ?? Self.resourceType
  }
}
