public import Domain

/// All parts of a patient's chart, in memory.
public struct FakeCharts: Sendable {
  public var encounters = FakeEncounterRepository()
  public var conditions = FakeChartRepository<Condition>()
  public var allergies = FakeChartRepository<AllergyIntolerance>()
  public var medications = FakeChartRepository<MedicationRequest>()
  public var immunizations = FakeChartRepository<Immunization>()
  public var notes = FakeChartRepository<DocumentReference>()
  public var files = FakeTextFiles()

  public init() {}

  /// Lets the lists of one patient be read, as they are stored.
  public static func reading(_ patient: Patient.ID, _ policy: ReadPolicy = .localOnly) -> FakeCharts {
    let charts = FakeCharts()
    charts.encounters.book.expect(.list(patient, policy))
    charts.conditions.book.expect(.list(patient, policy), .add)
    charts.allergies.book.expect(.list(patient, policy), .add)
    charts.medications.book.expect(.list(patient, policy), .add)
    charts.immunizations.book.expect(.list(patient, policy), .add)
    charts.notes.book.expect(.list(patient, policy), .add)
    return charts
  }
}
