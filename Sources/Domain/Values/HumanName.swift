/// A name of a person (hl7.org/fhir/R4/datatypes.html#HumanName).
public struct HumanName: Hashable, Sendable {
  /// The purpose.
  public var use: OpenCode<NameUse>?
  /// The whole name as it should be shown.
  public var text: String?
  /// The family name.
  public var family: String?
  /// Given names, in order.
  public var given: [String]
  /// Titles before the name.
  public var prefix: [String]
  /// What follows the name.
  public var suffix: [String]
  /// When the name is or was in use.
  public var period: Period?
  /// Why the record gives no name here, when it says so; such an element holds nothing else to show.
  public var absentReason: OpenCode<DataAbsentReason>?

  /// Makes a name.
  public init(
    use: OpenCode<NameUse>? = nil, text: String? = nil, family: String? = nil, given: [String] = [],
    prefix: [String] = [], suffix: [String] = [], period: Period? = nil,
    absentReason: OpenCode<DataAbsentReason>? = nil
  ) {
    self.use = use
    self.text = text
    self.family = family
    self.given = given
    self.prefix = prefix
    self.suffix = suffix
    self.period = period
    self.absentReason = absentReason
  }
}
