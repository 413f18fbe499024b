import DesignSystem
import Domain

/// What a feature is put together from.
struct Surroundings {
  let settings: Settings
  let repositories: Repositories
  let files: any TextFiles
  let errors: ErrorRouter
  let context: ClinicContext
  /// The patient whom the prompt shows, if any.
  let currentPatient: () -> Patient.ID?
  /// Told how far a sync has come.
  let progress: (SyncProgress) -> Void
  /// Shows what comes before a result; false when nobody reads it any more.
  let announce: (Page) async -> Bool
}

/// A feature before there is anything to put it together from: its tab, its lines, and how it is made.
struct FeatureEntry {
  let tab: Tab
  let specs: [CommandSpec]
  let mount: @MainActor (Surroundings) -> MountedFeature

  /// - Parameters:
  ///   - coordinator: makes its coordinator.
  ///   - make: puts it together.
  init<Mounted: Feature, Coordinator: TabCoordinator<Mounted.Route>>(
    _ tab: Tab, _ coordinator: @escaping @MainActor () -> Coordinator,
    _ make: @escaping @MainActor (Surroundings, Coordinator) -> Mounted
  ) {
    self.tab = tab
    specs = Mounted.specs
    mount = { surroundings in
      let own = coordinator()
      return MountedFeature(tab, make(surroundings, own), own)
    }
  }
}

/// A feature as the shell shows it, whatever its routes are.
struct MountedFeature {
  let tab: Tab
  let coordinator: any ShellTab
  let commands: [Command]
  /// The page of a link of the feature's.
  let page: (DeepLink, ReadMode, Bool) async throws(AppError) -> Page
  /// The patient who is open at a link of the feature's.
  let patient: (DeepLink) async -> Patient.ID?

  init<Mounted: Feature>(_ tab: Tab, _ feature: Mounted, _ coordinator: TabCoordinator<Mounted.Route>) {
    self.tab = tab
    self.coordinator = coordinator
    commands = feature.commands
    page = { link, reading, opens throws(AppError) in
      try await feature.page(at: try Mounted.Route(link), reading: reading, opens: opens)
    }
    patient = { link in
      guard let route = try? Mounted.Route(link) else { return nil }
      return await feature.patient(at: route)
    }
  }
}
