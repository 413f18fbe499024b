/// The visits of patients.
public protocol EncounterRepository: Sendable {
  /// One visit.
  func encounter(_ id: Encounter.ID, policy: ReadPolicy) -> Snapshots<Charted<Encounter>>

  /// One patient's visits, newest first, withdrawn ones among them; those of records that were merged into the patient's
  /// come along.
  func encounters(of patient: Patient.ID, policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]>

  /// The visits that are open: of patients who are here, or will be back. Oldest first.
  func openEncounters(policy: ReadPolicy) -> Snapshots<[Charted<Encounter>]>

  /// Starts a visit. Its id is ignored: the first receipt names the new one. An appointment that led to it and whose
  /// patient was not noted as arrived becomes `arrived`, in the same action; its receipt follows.
  ///
  /// - Throws: `invalidInput` without a patient; `notFound`; `deleted`; `notAllowed` for an appointment that is over or
  ///   called off; store errors. All or nothing is written.
  func start(_ encounter: Encounter) async throws(AppError) -> [WriteReceipt]

  /// Changes a visit: `change` gets the current local view, inside the write's transaction. When it becomes `finished`, the
  /// appointment that led to it becomes `fulfilled`, in the same action; its receipt follows.
  ///
  /// - Throws: `notFound`, `deleted`; what `change` throws; `notAllowed`; store errors. All or nothing is written.
  func edit(
    _ id: Encounter.ID, _ change: @escaping @Sendable (inout Encounter) throws(AppError) -> Void
  ) async throws(AppError) -> [WriteReceipt]
}
