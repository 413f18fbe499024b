/// The type and the id of a resource: its identity on one server, whatever form a reference to it was written in.
public struct ResourceKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The FHIR resource type, such as `Patient`.
  public let type: String
  /// The logical id.
  public let id: String

  /// Makes a key from its parts.
  public init(type: String, id: String) {
    self.type = type
    self.id = id
  }

  /// Reads the key out of a literal reference: `Patient/1`, `https://host/fhir/Patient/1`, and either with `/_history/2`.
  ///
  /// `nil` for everything that names no resource by type and id: contained (`#id`), `urn:`, conditional
  /// (`Patient?identifier=…`) and malformed references. A fragment after the id is ignored.
  /// The base of an absolute reference is not looked at: who has more than one server compares it first.
  /// Source: hl7.org/fhir/R4/references.html#literal.
  public init?(reference: String) {
    guard let parts = ReferenceParts(reference) else { return nil }
    self = parts.key
  }

  /// `Patient/p-1`: the relative reference to this resource.
  public var description: String { "\(type)/\(id)" }

  /// Orders by type, then by id, so that listings are stable.
  public static func < (left: ResourceKey, right: ResourceKey) -> Bool {
    (left.type, left.id) < (right.type, right.id)
  }
}
