/// One code of a code system (hl7.org/fhir/R4/datatypes.html#Coding).
public struct Coding: Hashable, Sendable {
  /// The code system's URI.
  public var system: String?
  /// The code system's version.
  public var version: String?
  /// The code.
  public var code: String?
  /// The code system's own words for the code.
  public var display: String?
  /// Whether a person chose this coding.
  public var userSelected: Bool?

  /// Makes a coding.
  public init(
    system: String? = nil, version: String? = nil, code: String? = nil, display: String? = nil,
    userSelected: Bool? = nil
  ) {
    self.system = system
    self.version = version
    self.code = code
    self.display = display
    self.userSelected = userSelected
  }
}
