/// The people who give care.
public protocol PractitionerRepository: Sendable {
  /// One practitioner.
  func practitioner(_ id: Practitioner.ID, policy: ReadPolicy) -> Snapshots<Practitioner>
  /// All practitioners known here, by name.
  func practitioners(policy: ReadPolicy) -> Snapshots<[Practitioner]>
}

/// The places where care is given.
public protocol LocationRepository: Sendable {
  /// One location.
  func location(_ id: Location.ID, policy: ReadPolicy) -> Snapshots<Location>
  /// All locations known here, by name.
  func locations(policy: ReadPolicy) -> Snapshots<[Location]>
}

/// Finds the record that a person means by a word.
public protocol RecordResolving: Sendable {
  /// The record of a type that an id, a former id (`Type/id` too) or an identifier's value names.
  ///
  /// An id that is not known locally is returned as it is, when it has the form of one: opening it asks the server.
  ///
  /// - Throws: `notFound` when nothing can have that name; `ambiguous`, naming the candidates; store errors.
  func resolve(_ word: String, type: String) async throws(AppError) -> ResourceKey
}
