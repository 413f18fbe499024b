public import Domain

extension AppError {
  /// Nothing of that id is known, and what a reader in that mode can do about it.
  public static func unknown(_ key: ResourceKey, mode: ReadMode, revalidation: Revalidation) -> AppError {
    if case .failed(let error) = revalidation {
      return AppError(
        error.code, "\(key) is not known here, and the server could not be asked: \(error.message)", hint: error.hint)
    }
    if mode == .settled {
      return AppError(.notFound, "\(key) is not known here, and the server does not have it")
    }
    // Whoever types a name where an id is meant is told where names are looked for.
    let search = key.type == "Patient" ? "a name is looked for with: patients search \(key.id); for an id, " : ""
    return AppError(.notFound, "\(key) is not known here", hint: search + "add --fresh to ask the server")
  }

  /// A record that the server has deleted takes nothing new.
  public static func deleted(_ key: ResourceKey, refusing what: String) -> AppError {
    AppError(.deleted, "\(key) was deleted at the server: no \(what) can be added")
  }
}

extension PatientRepository {
  /// A patient for whom something is about to be written, as known here.
  ///
  /// - Throws: `notFound` when the patient is not known here; `deleted`, naming what cannot be added.
  public func subject(
    _ id: Patient.ID, for what: String, mode: ReadMode
  ) async throws(AppError) -> Patient {
    let snapshots = patient(id, policy: mode.policy)
    let answer = mode == .settled ? await snapshots.settled() : await snapshots.first()
    guard let answer else { throw .interrupted }
    if answer.isDeleted { throw .deleted(id.key, refusing: what) }
    guard let patient = answer.value else {
      throw .unknown(id.key, mode: mode, revalidation: answer.revalidation)
    }
    return patient
  }
}
