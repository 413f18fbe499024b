public import DesignSystem
public import Domain
public import Observation

/// A patient's chart.
@Observable
public final class ChartViewModel {
  /// What is shown.
  public private(set) var state: LoadState<ChartDisplay> = .idle
  /// What the last answer changed in the sections.
  public private(set) var changes = ChartChanges()

  private let patient: Patient.ID
  private let repositories: ChartRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext
  @ObservationIgnored private var parts = Parts()
  @ObservationIgnored private var rows = ChartRows()

  /// How many observations a chart reads.
  static let observationLimit = 200

  /// Creates the model of one patient's chart.
  public init(
    patient: Patient.ID, repositories: ChartRepositories, errors: any ErrorRouting, context: ClinicContext
  ) {
    self.patient = patient
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// The answers so far.
  private nonisolated struct Parts: Sendable {
    var patient: Snapshot<Patient>?
    var allergies: Snapshot<[Charted<AllergyIntolerance>]>?
    var problems: Snapshot<[Charted<Condition>]>?
    var medications: Snapshot<[Charted<MedicationRequest>]>?
    var immunizations: Snapshot<[Charted<Immunization>]>?
    var observations: Snapshot<[RecordedObservation]>?
    var visits: Snapshot<[Charted<Encounter>]>?
    var notes: Snapshot<[Charted<DocumentReference>]>?
  }

  /// Shows the chart as soon as every part of it has answered, and again at every change.
  public func load(reading: ReadMode) async {
    state = .loading
    parts = Parts()
    rows = ChartRows()
    let policy = reading.policy
    let query = ObservationQuery(patient: patient, limit: Self.observationLimit)
    async let a: Void = follow(repositories.patients.patient(patient, policy: policy), reading) { $0.patient = $1 }
    async let b: Void = follow(repositories.allergies.entries(of: patient, policy: policy), reading) {
      $0.allergies = $1
    }
    async let c: Void = follow(repositories.conditions.entries(of: patient, policy: policy), reading) {
      $0.problems = $1
    }
    async let d: Void = follow(repositories.medications.entries(of: patient, policy: policy), reading) {
      $0.medications = $1
    }
    async let e: Void = follow(repositories.immunizations.entries(of: patient, policy: policy), reading) {
      $0.immunizations = $1
    }
    async let f: Void = follow(repositories.observations.observations(matching: query, policy: policy), reading) {
      $0.observations = $1
    }
    async let g: Void = follow(repositories.encounters.encounters(of: patient, policy: policy), reading) {
      $0.visits = $1
    }
    async let h: Void = follow(repositories.notes.entries(of: patient, policy: policy), reading) { $0.notes = $1 }
    _ = await (a, b, c, d, e, f, g, h)
    if reading == .settled, let failure = state.display?.statuses.lazy.compactMap(\.status.failure).first {
      errors.present(failure)
    }
  }

  private func follow<Value>(
    _ snapshots: Snapshots<Value>, _ reading: ReadMode,
    _ set: @escaping @Sendable (inout Parts, Snapshot<Value>) -> Void
  ) async {
    await snapshots.listen(reading) { snapshot in
      set(&parts, snapshot)
      show(reading)
    }
  }

  private func show(_ reading: ReadMode) {
    guard let person = parts.patient else { return }
    guard let value = person.value else {
      guard person.revalidation != .running || reading != .settled else { return }
      fail(
        person.isDeleted
          ? AppError(.deleted, "\(patient.key) was deleted at the server")
          : .unknown(patient.key, mode: reading, revalidation: person.revalidation))
      return
    }
    guard let allergies = parts.allergies, let problems = parts.problems, let medications = parts.medications,
      let immunizations = parts.immunizations, let observations = parts.observations, let visits = parts.visits,
      let notes = parts.notes
    else { return }
    let maker = ChartRowMaker(patient: value.id, context: context)
    let picture = AllergyPicture((allergies.value ?? []).map(\.entry))
    let byDanger = (allergies.value ?? []).sorted { $0.entry.precedes($1.entry) }
    changes = rows.update(
      to: ChartRows(
        allergies: byDanger.map(maker.row), problems: (problems.value ?? []).map(maker.row),
        medications: (medications.value ?? []).map(maker.row),
        immunizations: (immunizations.value ?? []).map(maker.row),
        observations: (observations.value ?? []).map { ObservationEntry($0, context: context) },
        visits: (visits.value ?? []).map { VisitEntry($0, context: context) },
        notes: (notes.value ?? []).map { NoteEntry($0, context: context) }))
    state = .showing(
      ChartDisplay(
        patient: PatientIdentity(value, today: context.today), notices: notices(value, person),
        allergyHeadline: picture.headline, allergiesContradict: picture.contradictsItself,
        allergies: section(allergies, rows.allergies, \.isWithdrawn),
        problems: section(problems, rows.problems, \.isWithdrawn),
        medications: section(medications, rows.medications, \.isWithdrawn),
        immunizations: section(immunizations, rows.immunizations, \.isWithdrawn),
        observations: section(observations, rows.observations, \.isWithdrawn),
        visits: section(visits, rows.visits, \.isWithdrawn), notes: section(notes, rows.notes, \.isWithdrawn),
        madeAt: context.zone.text(context.clock.now()), zone: context.zone))
  }

  private func section<Value, Entry>(
    _ snapshot: Snapshot<Value>, _ entries: [Entry], _ isWithdrawn: (Entry) -> Bool
  ) -> ChartDisplay.Section<Entry> {
    ChartDisplay.Section(
      entries: entries.filter { !isWithdrawn($0) }, withdrawn: entries.filter(isWithdrawn),
      status: AnswerStatus(snapshot, context))
  }

  private func notices(_ patient: Patient, _ snapshot: Snapshot<Patient>) -> [ChartDisplay.Notice] {
    var notices: [ChartDisplay.Notice] = []
    if snapshot.isDeleted {
      notices.append(.init(text: "this patient's record was deleted at the server; it takes nothing new"))
    }
    if let replacement = patient.replacedBy {
      notices.append(
        .init(text: "this record was merged into another one, whose chart shows both", next: "chart \(replacement.key)")
      )
    } else if patient.isReplaced {
      notices.append(.init(text: "this record was merged into another one that it does not name"))
    } else if patient.active == false {
      notices.append(.init(text: "this record is out of use"))
    }
    if patient.deceased?.isDeceased == true { notices.append(.init(text: "the patient is recorded as dead")) }
    return notices
  }

  private func fail(_ error: AppError) {
    guard state != .failed(error) else { return }
    errors.present(error)
    state = .failed(error)
  }
}
