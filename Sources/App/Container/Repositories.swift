import Domain

/// Everything that the app gets from below, as Domain's contracts. Tests fill it with fakes.
nonisolated struct Repositories: Sendable {
  var patients: any PatientRepository
  var appointments: any AppointmentRepository
  var schedules: any ScheduleRepository
  var observations: any ObservationRepository
  var encounters: any EncounterRepository
  var conditions: any ChartRepository<Condition>
  var allergies: any ChartRepository<AllergyIntolerance>
  var medications: any ChartRepository<MedicationRequest>
  var immunizations: any ChartRepository<Immunization>
  var notes: any ChartRepository<DocumentReference>
  var practitioners: any PractitionerRepository
  var locations: any LocationRepository
  var resolver: any RecordResolving
  var sync: any SyncRepository
  var outbox: any OutboxRepository
  var review: any ReviewRepository
  var stores: any StoreMaintaining
  var identity: any IdentityRepository
  var places: any PlaceRepository
  /// An element whenever the store may have changed; `nil` where that is not told.
  var changes: (@Sendable () -> AsyncStream<Void>)?
  /// Starts what runs behind a session: sending, receiving, and hearing of other processes. Returns how to end it.
  var beginSession: @Sendable () -> @Sendable () async -> Void = { {} }
  /// Ends what runs behind, and closes the store. Called once, last.
  var close: @Sendable () async -> Void = {}
}
