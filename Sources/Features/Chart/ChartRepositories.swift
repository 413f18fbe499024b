public import Domain

/// What the chart reads and writes.
public struct ChartRepositories {
  /// Whose charts they are.
  public var patients: any PatientRepository
  /// What was measured.
  public var observations: any ObservationRepository
  /// The visits.
  public var encounters: any EncounterRepository
  /// The problems.
  public var conditions: any ChartRepository<Condition>
  /// The allergies.
  public var allergies: any ChartRepository<AllergyIntolerance>
  /// The medications.
  public var medications: any ChartRepository<MedicationRequest>
  /// The vaccinations.
  public var immunizations: any ChartRepository<Immunization>
  /// The notes.
  public var notes: any ChartRepository<DocumentReference>
  /// Finds the record that a word names.
  public var resolver: any RecordResolving
  /// Where charts are written to.
  public var files: any TextFiles

  /// Puts them together.
  public init(
    patients: any PatientRepository, observations: any ObservationRepository, encounters: any EncounterRepository,
    conditions: any ChartRepository<Condition>, allergies: any ChartRepository<AllergyIntolerance>,
    medications: any ChartRepository<MedicationRequest>, immunizations: any ChartRepository<Immunization>,
    notes: any ChartRepository<DocumentReference>, resolver: any RecordResolving, files: any TextFiles
  ) {
    self.patients = patients
    self.observations = observations
    self.encounters = encounters
    self.conditions = conditions
    self.allergies = allergies
    self.medications = medications
    self.immunizations = immunizations
    self.notes = notes
    self.resolver = resolver
    self.files = files
  }
}
