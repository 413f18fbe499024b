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
  /// - Parameter confirmed: False refuses a patient who is likely to be registered already, naming that record.
  public func register(_ draft: Patient, confirmed: Bool) async {
    state = .working
    do throws(AppError) {
      try validate(draft)
      let alike = await similar(to: draft)
      if !confirmed, let first = alike.first(where: { $0.match.likelihood == .likely }) {
        throw AppError(
          .needsConfirmation, "\(first.identity.text) is probably the same person (\(first.reasons)); register anyway?",
          hint: "patients show \(first.identity.id)")
      }
      let receipt = try await patients.register(draft)
      var registered = draft
      registered.id = Patient.ID(receipt.key.id)
      state = .done(
        WriteEcho(
          "Patient registered", patient: PatientIdentity(registered, today: context.today), receipts: [receipt],
          fallback: receipt.key,
          warnings: alike.map { "a similar patient is registered: \($0.identity.text) (\($0.reasons))" }))
      coordinator.dismissPresented()
      coordinator.showPatient(registered.id)
    } catch {
      errors.present(error)
      state = .failed(error)
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

  private struct Similar {
    var identity: PatientIdentity
    var match: RegistrationMatch
    var reasons: String { match.reasons.map(\.rawValue).joined(separator: ", ") }
  }

  /// The patients known here who may be the same person, most likely first.
  private func similar(to draft: Patient) async -> [Similar] {
    var texts = draft.identifier.compactMap(\.value)
    texts += draft.name.compactMap { ([$0.family].compactMap(\.self) + $0.given).joined(separator: " ") }
    texts += draft.name.compactMap(\.family)
    var found: [Patient.ID: Patient] = [:]
    for text in Set(texts) where !text.isEmpty {
      let answer = await patients.patients(matching: PatientQuery(text: text, limit: 20), policy: .localOnly).first()
      for match in answer?.value ?? [] { found[match.id] = match.patient }
    }
    return found.values
      .map { Similar(identity: PatientIdentity($0, today: context.today), match: RegistrationMatch(draft, $0)) }
      .filter { $0.match.likelihood != .unlikely }
      .sorted { ($1.match.score, $0.identity.id.rawValue) < ($0.match.score, $1.identity.id.rawValue) }
  }
}
