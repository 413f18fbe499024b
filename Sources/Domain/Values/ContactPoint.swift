/// A way to reach someone (hl7.org/fhir/R4/datatypes.html#ContactPoint).
public struct ContactPoint: Hashable, Sendable {
  /// The kind.
  public var system: OpenCode<ContactSystem>?
  /// The number or the address, as written.
  public var value: String?
  /// The purpose.
  public var use: OpenCode<ContactUse>?
  /// The order of preference: 1 comes first.
  public var rank: Int?
  /// When it is or was in use.
  public var period: Period?
  /// Why the record gives no contact point here, when it says so; such an element holds nothing else to show.
  public var absentReason: OpenCode<DataAbsentReason>?

  /// Makes a contact point.
  public init(
    system: OpenCode<ContactSystem>? = nil, value: String? = nil, use: OpenCode<ContactUse>? = nil, rank: Int? = nil,
    period: Period? = nil,
    absentReason: OpenCode<DataAbsentReason>? = nil
  ) {
    self.system = system
    self.value = value
    self.use = use
    self.rank = rank
    self.period = period
    self.absentReason = absentReason
  }
}
