import Chart
import DesignSystem
import Domain
import Patients
import Scheduling
import Sync
import Visits

/// Where everything meets: one of each, put together once.
///
/// A new feature is one line here: its features' value, mounted on its coordinator.
final class DependencyContainer {
  let settings: Settings
  let repositories: Repositories
  let shell: RouteShell
  let errors: ErrorRouter
  let context: ClinicContext

  let patients: PatientsFeature
  let scheduling: SchedulingFeature
  let visits: VisitsFeature
  let chart: ChartFeature
  let sync: SyncFeature
  let upkeep: StoreUpkeep

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
    let shell = RouteShell()
    let errors = ErrorRouter()
    let context = ClinicContext(zone: settings.zone, clock: clock, author: settings.author, reading: reading)
    self.shell = shell
    self.errors = errors
    self.context = context
    patients = PatientsFeature(
      patients: repositories.patients, resolver: repositories.resolver, coordinator: shell.patients, errors: errors,
      context: context)
    scheduling = SchedulingFeature(
      repositories: SchedulingRepositories(
        appointments: repositories.appointments, patients: repositories.patients,
        practitioners: repositories.practitioners, locations: repositories.locations, resolver: repositories.resolver),
      coordinator: shell.scheduling, errors: errors, context: context, defaults: settings.bookingDefaults)
    visits = VisitsFeature(
      repositories: VisitsRepositories(
        patients: repositories.patients, observations: repositories.observations, encounters: repositories.encounters,
        notes: repositories.notes, appointments: repositories.appointments, resolver: repositories.resolver,
        files: files), coordinator: shell.visits, errors: errors, context: context, currentPatient: currentPatient)
    chart = ChartFeature(
      repositories: ChartRepositories(
        patients: repositories.patients, observations: repositories.observations, encounters: repositories.encounters,
        conditions: repositories.conditions, allergies: repositories.allergies, medications: repositories.medications,
        immunizations: repositories.immunizations, notes: repositories.notes, resolver: repositories.resolver,
        files: files), coordinator: shell.chart, errors: errors, context: context, currentPatient: currentPatient)
    sync = SyncFeature(
      sync: repositories.sync, outbox: repositories.outbox, review: repositories.review,
      resolver: repositories.resolver, coordinator: shell.sync, errors: errors, context: context,
      allowsRequests: !settings.isOffline, progress: progress, announce: announce)
    upkeep = StoreUpkeep(stores: repositories.stores, errors: errors, context: context)
  }

  /// What the lines of all features and of the shell look like, before there is a container.
  nonisolated static let specs =
    PatientsCommands.specs + SchedulingCommands.specs + VisitsCommands.specs + ChartCommands.specs + SyncCommands.specs
    + StoreCommands.specs + ShellCommands.specs

  /// The commands of all features and of the shell.
  var commands: [Command] {
    PatientsCommands.commands(of: patients) + SchedulingCommands.commands(of: scheduling)
      + VisitsCommands.commands(of: visits) + ChartCommands.commands(of: chart) + SyncCommands.commands(of: sync)
      + StoreCommands.commands(of: upkeep) + ShellCommands.commands(of: self)
  }

  /// The page of a place.
  ///
  /// - Parameter opens: Whether someone goes there; a patient is then one of the recent ones.
  /// - Throws: Why there is nothing to show.
  func page(at place: Place, reading: ReadMode, opens: Bool = true) async throws(AppError) -> Page {
    switch place {
    case .patients(let route): try await patients.page(at: route, reading: reading, opens: opens)
    case .scheduling(let route): try await scheduling.page(at: route, reading: reading)
    case .visits(let route): try await visits.page(at: route, reading: reading)
    case .chart(let route): try await chart.page(at: route, reading: reading)
    case .sync(let route): try await sync.page(at: route, reading: reading)
    }
  }

  /// The patient who is open at a place, if one is.
  func patient(at place: Place) async -> Patient.ID? {
    if case .visits(let route) = place { return await visits.patient(at: route) }
    return place.patient
  }
}
