public import DesignSystem
public import Domain
public import Observation

/// The visits that are open.
@Observable
public final class VisitsViewModel {
  /// What is shown.
  public private(set) var state: LoadState<VisitsDisplay> = .idle
  /// What the last answer changed in the entries.
  public private(set) var changes = ListChanges<Encounter.ID>()

  private let encounters: any EncounterRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of the list.
  public init(encounters: any EncounterRepository, errors: any ErrorRouting, context: ClinicContext) {
    self.encounters = encounters
    self.errors = errors
    self.context = context
  }

  /// Shows who is here, in the order of their coming.
  public func load(reading: ReadMode) async {
    state = .loading
    var entries: [VisitEntry] = []
    await encounters.openEncounters(policy: reading.policy).listen(reading) { snapshot in
      changes = entries.update(to: (snapshot.value ?? []).map { VisitEntry($0, context: context) })
      state = .showing(VisitsDisplay(entries: entries, status: AnswerStatus(snapshot, context)))
      if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
    }
  }
}

/// The open visits, ready to be shown.
public nonisolated struct VisitsDisplay: Hashable, Sendable {
  /// By the time of their beginning.
  public var entries: [VisitEntry]
  /// The answer's age and state.
  public var status: AnswerStatus
}
