public import DesignSystem
public import Domain

/// What scheduling reads and writes.
public struct SchedulingRepositories {
  /// The appointments.
  public var appointments: any AppointmentRepository
  /// The patients who are booked.
  public var patients: any PatientRepository
  /// The people who see them.
  public var practitioners: any PractitionerRepository
  /// The places.
  public var locations: any LocationRepository
  /// Finds the record that a word names.
  public var resolver: any RecordResolving

  /// Puts them together.
  public init(
    appointments: any AppointmentRepository, patients: any PatientRepository,
    practitioners: any PractitionerRepository, locations: any LocationRepository, resolver: any RecordResolving
  ) {
    self.appointments = appointments
    self.patients = patients
    self.practitioners = practitioners
    self.locations = locations
    self.resolver = resolver
  }
}

/// Whom and where to book when a line does not say it: from the profile.
public nonisolated struct BookingDefaults: Hashable, Sendable {
  /// The practitioner's id, identifier or name of the profile.
  public var practitioner: String?
  /// The location's.
  public var location: String?

  /// Creates defaults.
  public init(practitioner: String? = nil, location: String? = nil) {
    self.practitioner = practitioner
    self.location = location
  }
}

/// The scheduling feature with all that it needs: pages of its routes, and its commands.
public struct SchedulingFeature {
  let repositories: SchedulingRepositories
  let coordinator: any SchedulingCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext
  let defaults: BookingDefaults

  /// Creates the feature.
  public init(
    repositories: SchedulingRepositories, coordinator: any SchedulingCoordinating, errors: any ErrorRouting,
    context: ClinicContext, defaults: BookingDefaults = BookingDefaults()
  ) {
    self.repositories = repositories
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.defaults = defaults
  }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: SchedulingRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .today: return try await day(context.today, reading: reading)
    case .day(let day): return try await self.day(day, reading: reading)
    case .appointment(let id):
      let model = AppointmentViewModel(
        id: id, appointments: repositories.appointments, errors: errors, context: context)
      await model.load(reading: reading)
      return try model.state.page(SchedulingScreen.page)
    case .booking(let id):
      let patient = try await repositories.patients.subject(id, for: "appointment", mode: reading)
      return SchedulingScreen.booking(for: PatientIdentity(patient, today: context.today))
    }
  }

  func day(
    _ day: CalendarDay, patient: Patient.ID? = nil, practitioner: Practitioner.ID? = nil, location: Location.ID? = nil,
    reading: ReadMode
  ) async throws(AppError) -> Page {
    let model = ScheduleViewModel(appointments: repositories.appointments, errors: errors, context: context)
    await model.load(day, patient: patient, practitioner: practitioner, location: location, reading: reading)
    return try model.state.page(SchedulingScreen.page)
  }
}
