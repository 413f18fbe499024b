/// What a server claims to do, from its CapabilityStatement.
package struct ServerCapabilities: Hashable, Sendable {
  /// The FHIR version, such as `4.0.1`.
  package var fhirVersion: String?
  /// The server's product, with its version where given.
  package var software: String?
  /// What it does by resource type.
  package var types: [String: TypeCapabilities] = [:]
  /// Whether it takes transactions.
  package var transaction = false
  /// Whether it takes batches.
  package var batch = false
  /// Whether it gives the history of all resources at once.
  package var historySystem = false

  /// Whether it speaks R4, or does not say.
  package var isR4: Bool { fhirVersion.map { $0.hasPrefix("4.0") } ?? true }

  package init() {}
}

/// What a server claims to do with one resource type (hl7.org/fhir/R4/capabilitystatement.html).
package struct TypeCapabilities: Hashable, Sendable {
  /// The codes of the interactions, such as `read` and `search-type`.
  package var interactions: Set<String> = []
  /// Whether a `PUT` to an unknown id makes the resource; `nil` when not said.
  package var updateCreate: Bool?
  /// Whether `If-None-Exist` is honoured; `nil` when not said.
  package var conditionalCreate: Bool?
  /// Whether updates and deletes by a search are taken; `nil` when not said.
  package var conditionalUpdate: Bool?
  /// `no-version`, `versioned` or `versioned-update`; `nil` when not said.
  package var versioning: String?
  /// Whether earlier versions can be read; `nil` when not said.
  package var readHistory: Bool?
  /// Which conditional reads are answered: `not-supported`, `modified-since`, `not-match` or `full-support`.
  package var conditionalRead: String?
  /// The names of the search parameters.
  package var searchParameters: Set<String> = []

  /// Whether the server claims an interaction.
  package func allows(_ interaction: String) -> Bool { interactions.contains(interaction) }

  package init() {}
}
