public import DesignSystem
public import Domain
public import Observation

/// One patient: shown, and changed.
@Observable
public final class PatientViewModel {
  /// What is shown.
  public private(set) var state: LoadState<PatientDisplay> = .idle
  /// What became of the last change.
  public private(set) var change: ActionState<WriteEcho> = .idle

  private let id: Patient.ID
  private let patients: any PatientRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of one patient.
  public init(id: Patient.ID, patients: any PatientRepository, errors: any ErrorRouting, context: ClinicContext) {
    self.id = id
    self.patients = patients
    self.errors = errors
    self.context = context
  }

  /// Shows the patient, and remembers who was opened.
  ///
  /// - Parameter opens: Whether to remember it.
  public func load(reading: ReadMode, opens: Bool = true) async {
    state = .loading
    var isMarked = !opens
    for await snapshot in patients.patient(id, policy: reading.policy) {
      show(snapshot, reading: reading)
      if !isMarked, state.display != nil {
        isMarked = true
        // The list of recent patients is a convenience: that it could not be written is no reason to fail a look.
        try? await patients.markOpened(id)
      }
      if reading.isSatisfied(by: snapshot.revalidation) { return }
    }
  }

  /// Changes the patient, and shows the result.
  public func edit(_ changes: PatientChanges) async {
    change = .working
    do throws(AppError) {
      try changes.validate(today: context.today)
      let receipt = try await patients.edit(id) { patient throws(AppError) in try changes.apply(to: &patient) }
      let after = await patients.patient(Patient.ID(receipt.key.id), policy: .localOnly).first()
      change = .done(
        WriteEcho(
          "Patient changed", patient: after?.value.map { PatientIdentity($0, today: context.today) },
          receipts: [receipt], fallback: id.key, details: changes.details))
    } catch {
      errors.present(error)
      change = .failed(error)
    }
  }

  private func show(_ snapshot: Snapshot<Patient>, reading: ReadMode) {
    let status = AnswerStatus(snapshot, context)
    if let patient = snapshot.value {
      state = .showing(PatientDisplay(patient, status: status, context: context))
      if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
    } else if snapshot.isDeleted {
      fail(AppError(.deleted, "\(id.key) was deleted at the server"))
    } else if snapshot.revalidation != .running || reading != .settled {
      fail(.unknown(id.key, mode: reading, revalidation: snapshot.revalidation))
    }
  }

  private func fail(_ error: AppError) {
    errors.present(error)
    state = .failed(error)
  }
}
