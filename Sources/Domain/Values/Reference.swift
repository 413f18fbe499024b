/// A reference to another resource, kept as written (hl7.org/fhir/R4/references.html).
///
/// `Target` says what it points at, or ``AnyResource`` where several types may stand.
public struct Reference<Target>: Hashable, Sendable {
  /// The literal reference exactly as written: relative, absolute, versioned, contained (`#id`) or a urn.
  public var reference: String?
  /// The type of the target, where it is said apart.
  public var type: String?
  /// A logical reference: known by an identifier, with nothing to fetch.
  public var identifier: Identifier?
  /// Text for people. Alone it is a legal reference too.
  public var display: String?

  /// Makes a reference from its elements.
  public init(
    reference: String? = nil, type: String? = nil, identifier: Identifier? = nil, display: String? = nil
  ) {
    self.reference = reference
    self.type = type
    self.identifier = identifier
    self.display = display
  }

  /// Makes a relative reference to a key.
  public init(_ key: ResourceKey, display: String? = nil) {
    self.init(reference: key.description, display: display)
  }

  /// The type and the id that a literal reference names, without base and version; `nil` for every other kind.
  public var key: ResourceKey? { reference.flatMap(ResourceKey.init(reference:)) }

  /// What to show: the display, else the identifier, else the key or the text of the reference; `nil` when empty.
  public var displayText: String? {
    display?.nonBlank ?? identifier?.displayText ?? key?.description ?? reference?.nonBlank
  }
}

extension Reference where Target: ResourceModel {
  /// Makes a relative reference to a resource by its id.
  public init(id: ResourceID<Target>, display: String? = nil) {
    self.init(id.key, display: display)
  }

  /// The id of the target; `nil` when the reference does not name a resource of that type.
  public var id: ResourceID<Target>? {
    guard let key, key.type == Target.resourceType else { return nil }
    return ResourceID(key.id)
  }
}
