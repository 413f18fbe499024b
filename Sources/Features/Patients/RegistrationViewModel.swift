public import DesignSystem
public import Domain
public import Observation

/// The registration of a new patient.
@Observable
public final class RegistrationViewModel {
  /// What became of the registration.
  public private(set) var state: ActionState<WriteEcho> = .idle

  private let patients: any PatientRepository
  private let coordinator: any PatientsCoordinating
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of a registration.
  public init(
    patients: any PatientRepository, coordinator: any PatientsCoordinating, errors: any ErrorRouting,
    context: ClinicContext
  ) {
    self.patients = patients
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
  }

  /// Registers a patient, and opens the new record.
  ///
  /// - Parameters:
  ///   - entered: What was entered, to be kept as long as it is not saved.
  ///   - confirmed: False refuses a patient who is likely to be registered already, naming that record.
  public func register(_ draft: Patient, entered: String, confirmed: Bool) async {
    state = .working
    do throws(AppError) {
      try validate(draft)
      let alike = try await patients.candidates(for: draft).map { Similar($0, today: context.today) }
      let likely = alike.filter { $0.likelihood == .likely }
      if !confirmed, let first = likely.first {
        let others = likely.dropFirst().prefix(2).map { "; or \($0.text)" }.joined()
        throw AppError(
          .needsConfirmation, "\(first.text) is probably the same person\(others); register anyway?",
          hint: "patients show \(first.identity.id)")
      }
      let receipt = try await patients.register(draft)
      var registered = draft
      registered.id = Patient.ID(receipt.key.id)
      state = .done(
        WriteEcho(
          "Patient registered", patient: PatientIdentity(registered, today: context.today), receipts: [receipt],
          fallback: receipt.key,
          warnings: alike.map { "a similar patient is registered: \($0.text)" }))
      coordinator.dismissPresented()
      coordinator.showPatient(registered.id)
    } catch {
      errors.present(error)
      state = .failed(error)
      coordinator.presentRegistration()
      let who = draft.nameText ?? draft.identifier.preferred?.displayText ?? "a patient"
      coordinator.keepUnsaved(UnsavedEntry(what: "the registration of \(who)", entered: entered))
    }
  }

  private func validate(_ draft: Patient) throws(AppError) {
    if draft.name.preferred == nil, draft.identifier.preferred == nil {
      throw AppError(
        .invalidInput, "a patient needs a name or an identifier", hint: "give --family, --given or --identifier",
        field: "name")
    }
    if let birthDate = draft.birthDate.value, birthDate.lowerDay > context.today {
      throw AppError(.invalidInput, "the birth date \(birthDate) lies in the future", field: "birthDate")
    }
  }

  /// Someone known here who may be the same person.
  private struct Similar {
    var identity: PatientIdentity
    var likelihood: RegistrationMatch.Likelihood
    /// Who it is, and what speaks for it.
    var text: String

    init(_ candidate: PatientCandidate, today: CalendarDay) {
      identity = PatientIdentity(candidate.patient, today: today)
      likelihood = candidate.match.likelihood
      text = "\(identity.text) (\(candidate.match.reasons.map(\.rawValue).joined(separator: ", ")))"
    }
  }
}
