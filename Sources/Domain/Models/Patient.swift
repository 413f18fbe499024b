/// Someone who receives care (hl7.org/fhir/R4/patient.html).
public struct Patient: ResourceModel {
  /// The id of a patient.
  public typealias ID = ResourceID<Patient>

  /// `Patient`.
  public static let resourceType = "Patient"

  /// The logical id.
  public var id: ID
  /// Business identifiers, such as the medical record number.
  public var identifier: [Identifier]
  /// Whether the record is in use; `nil` when not said, which counts as in use.
  public var active: Bool?
  /// Names, in the record's order.
  public var name: [HumanName]
  /// Ways to reach the patient.
  public var telecom: [ContactPoint]
  /// The administrative gender.
  public var gender: OpenCode<AdministrativeGender>?
  /// Why the record gives no gender, when it says so.
  public var genderAbsentReason: OpenCode<DataAbsentReason>?
  /// The date of birth, as precise as recorded, or why it is withheld.
  public var birthDate: Recorded<PartialDate>
  /// Whether, and when, the patient died.
  public var deceased: Deceased?
  /// Addresses, in the record's order.
  public var address: [Address]
  /// Other records of the same person.
  public var link: [Link]

  /// Makes a patient.
  public init(
    id: ID, identifier: [Identifier] = [], active: Bool? = nil, name: [HumanName] = [], telecom: [ContactPoint] = [],
    gender: OpenCode<AdministrativeGender>? = nil, genderAbsentReason: OpenCode<DataAbsentReason>? = nil,
    birthDate: Recorded<PartialDate> = .notRecorded,
    deceased: Deceased? = nil, address: [Address] = [], link: [Link] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.active = active
    self.name = name
    self.telecom = telecom
    self.gender = gender
    self.genderAbsentReason = genderAbsentReason
    self.birthDate = birthDate
    self.deceased = deceased
    self.address = address
    self.link = link
  }
}

extension Patient {
  /// Whether, and when, a patient died.
  public enum Deceased: Hashable, Sendable {
    /// Said without a date.
    case boolean(Bool)
    /// The date of death, as precise as recorded.
    case dateTime(DateTime)

    /// Whether the patient is dead.
    public var isDeceased: Bool {
      if case .boolean(let flag) = self { flag } else { true }
    }
  }

  /// A link to another record of the same person.
  public struct Link: Hashable, Sendable {
    /// The other record: a patient or a related person.
    public var other: Reference<AnyResource>
    /// How the two are related.
    public var type: OpenCode<LinkType>

    /// Makes a link.
    public init(other: Reference<AnyResource>, type: OpenCode<LinkType>) {
      self.other = other
      self.type = type
    }
  }

  /// How two records of one person are related (hl7.org/fhir/R4/valueset-link-type.html).
  public enum LinkType: String, CaseIterable, Hashable, Sendable {
    /// The other record must be used instead of this one.
    case replacedBy = "replaced-by"
    /// This record replaces the other.
    case replaces
    /// The other record holds more about the same person.
    case refer
    /// Both records may be used.
    case seeAlso = "seealso"
  }
}
