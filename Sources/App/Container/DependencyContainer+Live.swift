import Domain

extension DependencyContainer {
  /// Opens the store and all that stands on it.
  ///
  /// - Throws: Why the store cannot be used.
  nonisolated static func openLive(_ settings: Settings) async throws(AppError) -> Repositories {
    throw AppError(.storeUnavailable, "this build has no data layer, so \(settings.storeDirectory) cannot be opened")
  }
}
