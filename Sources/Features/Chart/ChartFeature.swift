public import DesignSystem
public import Domain

/// The chart feature with all that it needs: pages of its routes, and its commands.
public struct ChartFeature: Feature {
  /// What its lines look like.
  public nonisolated static let specs = ChartCommands.specs

  let repositories: ChartRepositories
  let coordinator: any ChartCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext
  let currentPatient: () -> Patient.ID?

  /// Creates the feature.
  ///
  /// - Parameter currentPatient: The patient whom a line means that names none; `nil` where none is visible to who types.
  public init(
    repositories: ChartRepositories, coordinator: any ChartCoordinating, errors: any ErrorRouting,
    context: ClinicContext, currentPatient: @escaping () -> Patient.ID?
  ) {
    self.repositories = repositories
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.currentPatient = currentPatient
  }

  /// Its lines.
  public var commands: [Command] { ChartCommands.commands(of: self) }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: ChartRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .overview: return ChartScreen.overview
    case .chart(let id): return try await chart(of: id, reading: reading).page { ChartScreen.page($0, limit: 30) }
    case .trend(let id, let code):
      let model = TrendViewModel(repositories: repositories, errors: errors, context: context)
      await model.load(id, code: code, reading: reading)
      return try model.state.page(ChartScreen.page)
    }
  }

  func chart(of id: Patient.ID, reading: ReadMode) async -> LoadState<ChartDisplay> {
    let model = ChartViewModel(patient: id, repositories: repositories, errors: errors, context: context)
    await model.load(reading: reading)
    return model.state
  }

  var entries: ChartEntryViewModel {
    ChartEntryViewModel(repositories: repositories, errors: errors, context: context)
  }
}
