public import Domain

extension RecordResolving {
  /// The patient whom a line means: by its option, else the one whom the prompt shows.
  ///
  /// - Throws: `invalidInput` when there is neither; whatever looking up the word throws.
  public func patient(
    _ invocation: Invocation, current: Patient.ID?, option: String = "patient"
  ) async throws(AppError) -> Patient.ID {
    if let reference = invocation.optionalRef(option) {
      return try await resolve(reference, as: Patient.self)
    }
    guard let current else {
      throw AppError(.invalidInput, "no patient is named", hint: "add --patient REF", field: "patient")
    }
    return current
  }
}

extension OptionSpec {
  /// Whose record a line means.
  public static let patient = OptionSpec(
    "patient", .patient, summary: "whose; at the prompt, the patient who is open if not given")
}

extension PatientRepository {
  /// A patient for whom something is about to be written, and whose record was not merged into another.
  ///
  /// - Throws: `notFound`, `deleted`; `notAllowed` for a merged record, naming the one that stands.
  public func current(_ id: Patient.ID, for what: String, mode: ReadMode) async throws(AppError) -> Patient {
    let patient = try await subject(id, for: what, mode: mode)
    if let replacement = patient.replacedBy {
      throw AppError(
        .notAllowed, "\(patient.displayName) was merged into another record",
        hint: "use \(replacement.key) instead")
    }
    return patient
  }
}

extension ClinicContext {
  /// The present time, written with the clinic's offset.
  public var now: Instant { zone.written(clock.now()) }

  /// Who writes, for a record's author elements: the profile's practitioner, else the user's name alone.
  public var authorReference: Reference<AnyResource> {
    author.practitioner.map { Reference($0.key) } ?? Reference(display: author.displayName)
  }
}

extension EncounterRepository {
  /// A patient's open visits, as known here, newest first.
  public func openVisits(of patient: Patient.ID) async -> [Encounter] {
    let answer = await encounters(of: patient, policy: .localOnly).first()
    return (answer?.value ?? []).map(\.entry).filter(\.isOpen)
  }
}
