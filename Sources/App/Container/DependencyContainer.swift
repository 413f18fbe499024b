import Chart
import DesignSystem
import Domain
import Patients
import Scheduling
import Sync
import Visits

/// Where everything meets: one of each, put together once.
final class DependencyContainer {
  let settings: Settings
  let repositories: Repositories
  let shell = RouteShell()
  let errors: ErrorRouter
  let context: ClinicContext
  /// Sends what `--sync` asks for. It goes nowhere.
  let sync: SyncFeature
  private let features: [MountedFeature]
  private let upkeep: StoreUpkeep
  /// Whether lines follow each other here, so that what one begins another can end.
  var isSession = false
  /// Whether someone is there who would lose what is not saved.
  var guardsUnsaved = false
  /// Where the present user was when it was last written down.
  var remembered: RememberedPlace?
  /// Told when someone else sits down: what was shown to one means nothing to the other.
  var onUserChange: () -> Void = {}

  /// The features. A new one is an entry here.
  static let entries: [FeatureEntry] = [
    FeatureEntry("patients", PatientsCoordinator.init) { its, coordinator in
      PatientsFeature(
        patients: its.repositories.patients, resolver: its.repositories.resolver, coordinator: coordinator,
        errors: its.errors, context: its.context)
    },
    FeatureEntry("schedule", SchedulingCoordinator.init) { its, coordinator in
      SchedulingFeature(
        repositories: its.repositories.scheduling, coordinator: coordinator, errors: its.errors, context: its.context,
        defaults: its.settings.bookingDefaults)
    },
    FeatureEntry("visits", VisitsCoordinator.init) { its, coordinator in
      VisitsFeature(
        repositories: its.repositories.visits(its.files), coordinator: coordinator, errors: its.errors,
        context: its.context, currentPatient: its.currentPatient)
    },
    FeatureEntry("chart", ChartCoordinator.init) { its, coordinator in
      ChartFeature(
        repositories: its.repositories.chart(its.files), coordinator: coordinator, errors: its.errors,
        context: its.context, currentPatient: its.currentPatient)
    },
    FeatureEntry("sync", SyncCoordinator.init) { its, coordinator in its.sync(coordinator) },
  ]

  /// - Parameters:
  ///   - files: The files that lines name.
  ///   - currentPatient: The patient whom the prompt shows, if any.
  ///   - progress: Told how far a sync has come.
  ///   - announce: Shows what comes before a result; false when nobody reads it any more.
  init(
    settings: Settings, repositories: Repositories, files: any TextFiles, clock: WallClock, reading: ReadMode,
    currentPatient: @escaping () -> Patient.ID?, progress: @escaping (SyncProgress) -> Void,
    announce: @escaping (Page) async -> Bool = { _ in true }
  ) {
    self.settings = settings
    self.repositories = repositories
    errors = ErrorRouter()
    context = ClinicContext(
      zone: settings.zone, clock: clock, reading: reading,
      author: { [identity = repositories.identity] in identity.author })
    let surroundings = Surroundings(
      settings: settings, repositories: repositories, files: files, errors: errors, context: context,
      currentPatient: currentPatient, progress: progress, announce: announce)
    features = Self.entries.map { $0.mount(surroundings) }
    sync = surroundings.sync(SyncCoordinator())
    upkeep = StoreUpkeep(stores: repositories.stores, errors: errors, context: context)
    for feature in features { shell.mount(feature.tab, feature.coordinator) }
  }

  /// What the lines of all features and of the shell look like, before there is a container.
  static let specs = entries.flatMap(\.specs) + StoreCommands.specs + ShellCommands.specs

  /// The commands of all features and of the shell.
  var commands: [Command] {
    let namesakes = Namesakes(patients: repositories.patients, context: context)
    return features.flatMap(\.commands).map(namesakes.watching) + StoreCommands.commands(of: upkeep)
      + ShellCommands.commands(of: self)
  }

  /// The page of a place.
  ///
  /// - Parameter opens: Whether someone goes there; a patient is then one of the recent ones.
  /// - Throws: Why there is nothing to show.
  func page(at place: Place, reading: ReadMode, opens: Bool = true) async throws(AppError) -> Page {
    guard let feature = features.first(where: { $0.tab == place.tab }) else {
      throw AppError(.notFound, "\(place.link.text) leads nowhere")
    }
    return try await feature.page(place.link, reading, opens)
  }

  /// The patient who is open at a place, if one is.
  func patient(at place: Place) async -> Patient.ID? {
    await features.first { $0.tab == place.tab }?.patient(place.link)
  }
}

extension Surroundings {
  fileprivate func sync(_ coordinator: SyncCoordinator) -> SyncFeature {
    SyncFeature(
      sync: repositories.sync, outbox: repositories.outbox, review: repositories.review,
      resolver: repositories.resolver, coordinator: coordinator, errors: errors, context: context,
      allowsRequests: !settings.isOffline, progress: progress, announce: announce)
  }
}

extension Repositories {
  @MainActor fileprivate var scheduling: SchedulingRepositories {
    SchedulingRepositories(
      appointments: appointments, schedules: schedules, patients: patients, practitioners: practitioners,
      locations: locations, resolver: resolver)
  }

  @MainActor fileprivate func visits(_ files: any TextFiles) -> VisitsRepositories {
    VisitsRepositories(
      patients: patients, observations: observations, encounters: encounters, notes: notes,
      appointments: appointments, resolver: resolver, files: files)
  }

  @MainActor fileprivate func chart(_ files: any TextFiles) -> ChartRepositories {
    ChartRepositories(
      patients: patients, observations: observations, encounters: encounters, conditions: conditions,
      allergies: allergies, medications: medications, immunizations: immunizations, notes: notes, resolver: resolver,
      files: files)
  }
}
