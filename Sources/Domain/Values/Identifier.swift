/// A business identifier, such as a medical record number (hl7.org/fhir/R4/datatypes.html#Identifier).
public struct Identifier: Hashable, Sendable {
  /// The purpose.
  public var use: OpenCode<IdentifierUse>?
  /// What kind of identifier it is.
  public var type: CodeableConcept?
  /// The namespace in which the value is unique.
  public var system: String?
  /// The identifier itself.
  public var value: String?
  /// When it is or was valid.
  public var period: Period?

  /// Makes an identifier.
  public init(
    use: OpenCode<IdentifierUse>? = nil, type: CodeableConcept? = nil, system: String? = nil, value: String? = nil,
    period: Period? = nil
  ) {
    self.use = use
    self.type = type
    self.system = system
    self.value = value
    self.period = period
  }
}
