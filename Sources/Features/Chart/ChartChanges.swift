public import DesignSystem
public import Domain

/// What an answer changed in a chart, section by section; positions count the withdrawn records too.
public nonisolated struct ChartChanges: Hashable, Sendable {
  /// In the allergies.
  public var allergies = ListChanges<ResourceKey>()
  /// In the problems.
  public var problems = ListChanges<ResourceKey>()
  /// In the medications.
  public var medications = ListChanges<ResourceKey>()
  /// In the vaccinations.
  public var immunizations = ListChanges<ResourceKey>()
  /// In what was measured.
  public var observations = ListChanges<ClinicalObservation.ID>()
  /// In the visits.
  public var visits = ListChanges<Encounter.ID>()
  /// In the notes.
  public var notes = ListChanges<DocumentReference.ID>()

  /// Creates changes.
  public init() {}
}

/// The rows of a chart's sections as they are shown now.
nonisolated struct ChartRows: Sendable {
  var allergies: [ChartRow] = []
  var problems: [ChartRow] = []
  var medications: [ChartRow] = []
  var immunizations: [ChartRow] = []
  var observations: [ObservationEntry] = []
  var visits: [VisitEntry] = []
  var notes: [NoteEntry] = []

  /// Brings the rows up to date by the differences alone.
  ///
  /// - Returns: what changed.
  mutating func update(to new: ChartRows) -> ChartChanges {
    var changes = ChartChanges()
    changes.allergies = allergies.update(to: new.allergies)
    changes.problems = problems.update(to: new.problems)
    changes.medications = medications.update(to: new.medications)
    changes.immunizations = immunizations.update(to: new.immunizations)
    changes.observations = observations.update(to: new.observations)
    changes.visits = visits.update(to: new.visits)
    changes.notes = notes.update(to: new.notes)
    return changes
  }
}

extension ChartRow {
  /// Whether it was entered in error: it is kept apart and never counted.
  nonisolated var isWithdrawn: Bool { standing == .enteredInError }
}
