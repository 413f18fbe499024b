public import DesignSystem
public import Domain

/// What visits read and write.
public struct VisitsRepositories {
  /// The patients who are seen.
  public var patients: any PatientRepository
  /// What was measured.
  public var observations: any ObservationRepository
  /// The visits.
  public var encounters: any EncounterRepository
  /// The notes.
  public var notes: any ChartRepository<DocumentReference>
  /// The appointments that lead to visits.
  public var appointments: any AppointmentRepository
  /// Finds the record that a word names.
  public var resolver: any RecordResolving
  /// Where notes are read from.
  public var files: any TextFiles

  /// Puts them together.
  public init(
    patients: any PatientRepository, observations: any ObservationRepository, encounters: any EncounterRepository,
    notes: any ChartRepository<DocumentReference>, appointments: any AppointmentRepository,
    resolver: any RecordResolving, files: any TextFiles
  ) {
    self.patients = patients
    self.observations = observations
    self.encounters = encounters
    self.notes = notes
    self.appointments = appointments
    self.resolver = resolver
    self.files = files
  }
}

/// The visits feature with all that it needs: pages of its routes, and its commands.
public struct VisitsFeature: Feature {
  /// What its lines look like.
  public nonisolated static let specs = VisitsCommands.specs

  let repositories: VisitsRepositories
  let coordinator: any VisitsCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext
  let currentPatient: () -> Patient.ID?

  var resolver: any RecordResolving { repositories.resolver }

  /// Creates the feature.
  ///
  /// - Parameter currentPatient: The patient whom a line means that names none; `nil` where none is visible to who types.
  public init(
    repositories: VisitsRepositories, coordinator: any VisitsCoordinating, errors: any ErrorRouting,
    context: ClinicContext, currentPatient: @escaping () -> Patient.ID?
  ) {
    self.repositories = repositories
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.currentPatient = currentPatient
  }

  /// Its lines.
  public var commands: [Command] { VisitsCommands.commands(of: self) }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: VisitsRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .overview:
      let model = VisitsViewModel(encounters: repositories.encounters, errors: errors, context: context)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    case .vitals(let id):
      let model = vitals(of: id)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    case .observation(let id):
      let model = observation(id)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    case .visit(let id):
      let model = visit(id)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    case .note(let id):
      let model = notes
      await model.load(id, reading: reading)
      return try model.state.page(VisitsScreen.page)
    }
  }

  /// The patient who is open at a place, as known here.
  public func patient(at route: VisitsRoute) async -> Patient.ID? {
    switch route {
    case .overview: nil
    case .vitals(let id): id
    case .observation(let id):
      await repositories.observations.observation(id, policy: .localOnly).first()?.value?.observation.patientID
    case .visit(let id):
      await repositories.encounters.encounter(id, policy: .localOnly).first()?.value?.entry.patientID
    case .note(let id): await repositories.notes.entry(id, policy: .localOnly).first()?.value?.entry.patientID
    }
  }

  func vitals(of patient: Patient.ID) -> VitalsViewModel {
    VitalsViewModel(patient: patient, repositories: repositories, errors: errors, context: context)
  }

  func observation(_ id: ClinicalObservation.ID) -> ObservationViewModel {
    ObservationViewModel(id: id, observations: repositories.observations, errors: errors, context: context)
  }

  func visit(_ id: Encounter.ID) -> VisitViewModel {
    VisitViewModel(id: id, repositories: repositories, errors: errors, context: context)
  }

  var notes: NotesViewModel {
    NotesViewModel(repositories: repositories, errors: errors, context: context)
  }
}
