public import DesignSystem
public import Domain

/// What scheduling reads and writes.
public struct SchedulingRepositories {
  /// The appointments.
  public var appointments: any AppointmentRepository
  /// Planned time, where the server keeps it.
  public var schedules: any ScheduleRepository
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
    appointments: any AppointmentRepository, schedules: any ScheduleRepository, patients: any PatientRepository,
    practitioners: any PractitionerRepository, locations: any LocationRepository, resolver: any RecordResolving
  ) {
    self.appointments = appointments
    self.schedules = schedules
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
  /// When the clinic works, where the server has no schedule.
  public var hours: WorkingHours?

  /// Creates defaults.
  public init(practitioner: String? = nil, location: String? = nil, hours: WorkingHours? = nil) {
    self.practitioner = practitioner
    self.location = location
    self.hours = hours
  }
}

/// The scheduling feature with all that it needs: pages of its routes, and its commands.
public struct SchedulingFeature: Feature {
  /// What its lines look like.
  public nonisolated static let specs = SchedulingCommands.specs

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

  /// Its lines.
  public var commands: [Command] { SchedulingCommands.commands(of: self) }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: SchedulingRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .today: return try await schedule(ScheduleRequest(day: context.today), reading: reading)
    case .day(let day): return try await schedule(ScheduleRequest(day: day), reading: reading)
    case .week(let day): return try await schedule(ScheduleRequest(day: day, isWeek: true), reading: reading)
    case .slots(let day): return try await slots(FreeSlotsRequest(day: day), reading: reading)
    case .appointment(let id):
      let model = AppointmentViewModel(
        id: id, appointments: repositories.appointments, schedules: repositories.schedules,
        errors: errors, context: context, hours: defaults.hours)
      await model.load(reading: reading)
      return try model.state.page(SchedulingScreen.page)
    case .booking(let id):
      let patient = try await repositories.patients.subject(id, for: "appointment", mode: reading)
      return SchedulingScreen.booking(
        for: PatientIdentity(patient, today: context.today), coordinator.unsavedEntry)
    }
  }

  func schedule(_ request: ScheduleRequest, reading: ReadMode) async throws(AppError) -> Page {
    let model = ScheduleViewModel(
      repositories: repositories, errors: errors, context: context, hours: defaults.hours)
    await model.load(request, reading: reading)
    return try model.state.page(SchedulingScreen.page)
  }

  func slots(_ request: FreeSlotsRequest, reading: ReadMode) async throws(AppError) -> Page {
    let model = FreeSlotsViewModel(repositories: repositories, errors: errors, context: context, hours: defaults.hours)
    await model.load(request, reading: reading)
    return try model.state.page(SchedulingScreen.page)
  }
}
