/// A concept, as codes, as text, or both (hl7.org/fhir/R4/datatypes.html#CodeableConcept).
public struct CodeableConcept: Hashable, Sendable {
  /// The codes, best first.
  public var coding: [Coding]
  /// The concept in the words of who recorded it.
  public var text: String?

  /// Makes a concept.
  public init(coding: [Coding] = [], text: String? = nil) {
    self.coding = coding
    self.text = text
  }

  /// What to show: the text, else the display that a person selected or the first one, else a code; `nil` when empty.
  public var displayText: String? {
    let selected = coding.filter { $0.userSelected == true } + coding
    return text?.nonBlank
      ?? selected.lazy.compactMap { $0.display?.nonBlank }.first
      ?? selected.lazy.compactMap { $0.code?.nonBlank }.first
  }

  /// Whether one of the codings is this code of this system.
  public func contains(system: String, code: String) -> Bool {
    coding.contains { $0.system == system && $0.code == code }
  }

  /// The first code of a system; `nil` when it has none.
  public func code(in system: String) -> String? {
    coding.first { $0.system == system && $0.code != nil }?.code
  }

  /// The first code of all, whatever its system.
  public var firstCode: String? { coding.lazy.compactMap(\.code).first }
}
