/// For whom, or for which place, time is planned (hl7.org/fhir/R4/schedule.html). Its ``Slot``s say when.
public struct Schedule: ResourceModel {
  /// The id of a schedule.
  public typealias ID = ResourceID<Schedule>

  /// `Schedule`.
  public static let resourceType = "Schedule"

  /// The logical id.
  public var id: ID
  /// Business identifiers.
  public var identifier: [Identifier]
  /// Whether it is in use; `nil` when not said, which counts as in use.
  public var active: Bool?
  /// What may be booked.
  public var serviceType: [CodeableConcept]
  /// The people, places and things whose time it is.
  public var actor: [Reference<AnyResource>]
  /// The time for which slots are planned.
  public var planningHorizon: Period?
  /// More about it.
  public var comment: String?

  /// Makes a schedule.
  public init(
    id: ID, identifier: [Identifier] = [], active: Bool? = nil, serviceType: [CodeableConcept] = [],
    actor: [Reference<AnyResource>] = [], planningHorizon: Period? = nil, comment: String? = nil
  ) {
    self.id = id
    self.identifier = identifier
    self.active = active
    self.serviceType = serviceType
    self.actor = actor
    self.planningHorizon = planningHorizon
    self.comment = comment
  }

  /// Whether it is the schedule of a person, place or thing, perhaps with others.
  public func isOf(_ key: ResourceKey) -> Bool { actor.contains { $0.key == key } }
}
