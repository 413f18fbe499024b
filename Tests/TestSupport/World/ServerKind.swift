package import MockServer

/// The kinds of server that tests go through, with names that read well in a report.
package enum ServerKind: String, CaseIterable, Sendable {
  /// As the standard has it.
  case standard
  /// Chooses the ids; keeps instance history.
  case serverIds
  /// Keeps no history.
  case noHistory
  /// As HAPI's JPA server.
  case hapiLike
  /// Chooses the ids, keeps no history, says nothing of itself.
  case silent

  package var profile: MockProfile {
    switch self {
    case .standard: return .standard
    case .serverIds: return .serverIds
    case .noHistory: return .noHistory
    case .hapiLike: return .hapiLike
    case .silent:
      var profile = MockProfile.noHistory
      profile.clientIds = .refused(status: 405)
      profile.metadata = .notFound
      return profile
    }
  }
}
