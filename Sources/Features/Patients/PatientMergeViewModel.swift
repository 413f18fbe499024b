public import DesignSystem
public import Domain
public import Observation

/// Joining a registration that was never sent to a patient who is known.
@Observable
public final class PatientMergeViewModel {
  /// What became of it.
  public private(set) var state: ActionState<WriteEcho> = .idle

  private let patients: any PatientRepository
  private let coordinator: any PatientsCoordinating
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model.
  public init(
    patients: any PatientRepository, coordinator: any PatientsCoordinating, errors: any ErrorRouting,
    context: ClinicContext
  ) {
    self.patients = patients
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
  }

  /// Joins, and opens the patient who is known.
  ///
  /// - Parameter confirmed: False refuses, naming both.
  public func merge(_ registration: Patient.ID, into known: Patient.ID, confirmed: Bool) async {
    state = .working
    do throws(AppError) {
      if !confirmed {
        let names = try await (text(of: registration, isUnsent: true), text(of: known))
        throw AppError(
          .needsConfirmation,
          "give up the registration of \(names.0), and put all that hangs on it to \(names.1)?",
          hint: "patients show \(known)")
      }
      let merge = try await patients.merge(registration, into: known)
      let count = merge.moved.count
      state = .done(
        WriteEcho(
          count == 0
            ? "Registration given up; nothing else was written about it"
            : "Registration joined, with \(count == 1 ? "1 unsent write" : "\(count) unsent writes")",
          patient: PatientIdentity(merge.known, today: context.today),
          receipts: [WriteReceipt(key: merge.known.id.key, entries: merge.moved)], fallback: merge.known.id.key,
          warnings: Self.leftBehind(merge)))
      coordinator.showPatient(merge.known.id)
    } catch {
      errors.present(error)
      state = .failed(error)
    }
  }

  /// Who someone is. What is at the server already is not asked about: it cannot be given up here.
  private func text(of id: Patient.ID, isUnsent: Bool = false) async throws(AppError) -> String {
    let answer = await patients.patient(id, policy: .localOnly).first()
    guard let answer, let patient = answer.value else { throw .unknown(id.key, mode: .local, revalidation: .idle) }
    if isUnsent, answer.serverVersion != nil {
      throw AppError(.notAllowed, "\(id.key) is at the server already: records that are there are merged there")
    }
    return PatientIdentity(patient, today: context.today).text
  }

  /// What the registration says and the record does not: it is not written there by itself.
  private static func leftBehind(_ merge: PatientMerge) -> [String] {
    let (left, right) = (merge.registration, merge.known)
    let contacts = left.telecom.filter { point in !right.telecom.contains { $0.value == point.value } }
      .compactMap(\.displayText)
    let identifiers = left.identifier.filter { identifier in
      !right.identifier.contains { $0.system == identifier.system && $0.value == identifier.value }
    }.compactMap(\.displayText)
    return (contacts + identifiers).map { "not in the record, and not taken over: \($0)" }
  }
}
