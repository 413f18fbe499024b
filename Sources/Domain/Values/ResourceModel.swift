/// A model of one FHIR resource type, with an identity of its own.
public protocol ResourceModel: Identifiable, Hashable, Sendable where ID == ResourceID<Self> {
  /// The name of the FHIR resource type, such as `Patient` or `Observation`.
  static var resourceType: String { get }
}

extension ResourceModel {
  /// Type and id together: what a reference to this resource points at.
  public var key: ResourceKey { ResourceKey(type: Self.resourceType, id: id.rawValue) }
}

/// Stands for a target of unknown or mixed type in ``Reference``, such as the actor of an appointment's participant.
public enum AnyResource {}
