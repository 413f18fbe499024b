public import DesignSystem
public import Domain

/// The patients feature with all that it needs: pages of its routes, and its commands.
public struct PatientsFeature: Feature {
  /// What its lines look like.
  public nonisolated static let specs = PatientsCommands.specs

  let patients: any PatientRepository
  let resolver: any RecordResolving
  let coordinator: any PatientsCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext

  /// Creates the feature.
  public init(
    patients: any PatientRepository, resolver: any RecordResolving, coordinator: any PatientsCoordinating,
    errors: any ErrorRouting, context: ClinicContext
  ) {
    self.patients = patients
    self.resolver = resolver
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
  }

  /// Its lines.
  public var commands: [Command] { PatientsCommands.commands(of: self) }

  /// The page of a place to which someone goes.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: PatientsRoute, reading: ReadMode) async throws(AppError) -> Page {
    try await page(at: route, reading: reading, opens: true)
  }

  /// The page of a place.
  ///
  /// - Parameter opens: Whether someone goes there; a patient is then one of the recent ones.
  /// - Throws: Why there is nothing to show.
  public func page(at route: PatientsRoute, reading: ReadMode, opens: Bool) async throws(AppError) -> Page {
    switch route {
    case .recent:
      return try await recent(limit: 20, reading: reading)
    case .search(let text):
      return try await search(text, limit: 50, reading: reading)
    case .patient(let id):
      let model = PatientViewModel(id: id, patients: patients, errors: errors, context: context)
      await model.load(reading: reading, opens: opens)
      return try model.state.page(PatientsScreen.page)
    case .registration:
      return PatientsScreen.registration(coordinator.unsavedEntry)
    }
  }

  func recent(limit: Int, reading: ReadMode) async throws(AppError) -> Page {
    let model = PatientsViewModel(patients: patients, errors: errors, context: context)
    await model.showRecent(limit: limit, reading: reading)
    return try model.state.page(PatientsScreen.page)
  }

  func search(_ text: String, limit: Int, asksServer: Bool = false, reading: ReadMode) async throws(AppError) -> Page {
    let model = PatientsViewModel(patients: patients, errors: errors, context: context)
    await model.search(text, limit: limit, asksServer: asksServer, reading: reading)
    return try model.state.page(PatientsScreen.page)
  }
}
