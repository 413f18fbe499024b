public import DesignSystem
public import Domain

/// The visits feature with all that it needs: pages of its routes, and its commands.
public struct VisitsFeature {
  let patients: any PatientRepository
  let observations: any ObservationRepository
  let resolver: any RecordResolving
  let coordinator: any VisitsCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext
  let currentPatient: () -> Patient.ID?

  /// Creates the feature.
  ///
  /// - Parameter currentPatient: The patient whom a line means that names none; `nil` where none is visible to who types.
  public init(
    patients: any PatientRepository, observations: any ObservationRepository, resolver: any RecordResolving,
    coordinator: any VisitsCoordinating, errors: any ErrorRouting, context: ClinicContext,
    currentPatient: @escaping () -> Patient.ID?
  ) {
    self.patients = patients
    self.observations = observations
    self.resolver = resolver
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.currentPatient = currentPatient
  }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: VisitsRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .overview:
      return VisitsScreen.overview
    case .vitals(let id):
      let model = vitals(of: id)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    case .observation(let id):
      let model = observation(id)
      await model.load(reading: reading)
      return try model.state.page(VisitsScreen.page)
    }
  }

  func vitals(of patient: Patient.ID) -> VitalsViewModel {
    VitalsViewModel(
      patient: patient, patients: patients, observations: observations, errors: errors, context: context)
  }

  func observation(_ id: ClinicalObservation.ID) -> ObservationViewModel {
    ObservationViewModel(id: id, observations: observations, errors: errors, context: context)
  }
}
