import DesignSystem
import Domain

/// Adds records to one patient's chart.
struct ChartWriter {
  let repositories: ChartRepositories
  let context: ClinicContext
  let patient: Patient
  /// The patient's open visit: what is recorded belongs to it.
  let visit: Encounter?
  let isConfirmed: Bool

  private var subject: Reference<AnyResource> { Reference(patient.key, display: patient.nameText) }
  private var encounter: Reference<AnyResource>? { visit.map { Reference($0.key) } }
  private var now: DateTime { .instant(context.now) }
  private var maker: ChartRowMaker { ChartRowMaker(patient: patient.id, context: context) }

  func add(_ draft: ChartDraft) async throws(AppError) -> WriteEcho {
    switch draft {
    case .problem(let concept, let onset, let severity, let verification):
      return try await addProblem(
        Condition(
          id: "", clinicalStatus: Condition.ClinicalStatus.active.concept, verificationStatus: verification.concept,
          category: [Condition.problemListItem], severity: severity.map { CodeableConcept(text: $0) }, code: concept,
          subject: subject, encounter: encounter, onset: onset.map { .dateTime(.date($0)) }, recordedDate: now,
          recorder: context.authorReference))
    case .allergy(let concept, let criticality, let category, let reaction, let severity, let verification):
      var allergy = newAllergy(concept, verification)
      allergy.criticality = criticality.map(OpenCode.known)
      allergy.category = category.map { [.known($0)] } ?? []
      if let reaction {
        allergy.reaction = [
          AllergyIntolerance.Reaction(
            manifestation: [CodeableConcept(text: reaction)], severity: severity.map(OpenCode.known))
        ]
      }
      return try await addAllergy(allergy)
    case .noKnownAllergies:
      return try await addAbsence()
    case .medication(let concept, let dose, let reason):
      return try await addMedication(
        MedicationRequest(
          id: "", status: .known(.active), medication: .codeableConcept(concept), subject: subject,
          encounter: encounter, authoredOn: now, requester: context.authorReference,
          reasonCode: reason.map { [CodeableConcept(text: $0)] } ?? [],
          dosageInstruction: dose.map { [MedicationRequest.Dosage(text: $0)] } ?? []))
    case .immunization(let concept, let day, let lot, let isReported):
      return try await addImmunization(
        Immunization(
          id: "", status: .known(.completed), vaccineCode: concept, patient: subject, encounter: encounter,
          occurrence: .dateTime(day.map(DateTime.date) ?? now), recorded: now, primarySource: !isReported,
          lotNumber: lot, performer: isReported ? [] : [Immunization.Performer(actor: context.authorReference)]))
    }
  }

  private func addProblem(_ problem: Condition) async throws(AppError) -> WriteEcho {
    if let onset = problem.onset?.time, onset.sortBounds(in: context.zone).lowerBound > context.clock.now() {
      throw AppError(.invalidInput, "\(onset) lies in the future", field: "onset")
    }
    let listed = await repositories.conditions.entries(of: patient.id, policy: .localOnly).first()?.value ?? []
    let alike = listed.map(\.entry).first { $0.standing == .current && Self.names($0.code, problem.code) }
    if let alike { try ask("\(alike.code?.displayText ?? "it") is listed already (\(alike.key))") }
    let receipt = try await repositories.conditions.add(problem)
    return echo("Problem recorded", problem, receipt, dated: problem.onset == nil ? nil : "since") { $0.row($1) }
  }

  private func newAllergy(
    _ concept: CodeableConcept, _ verification: AllergyIntolerance.VerificationStatus
  ) -> AllergyIntolerance {
    AllergyIntolerance(
      id: "", clinicalStatus: AllergyIntolerance.ClinicalStatus.active.concept,
      verificationStatus: verification.concept, code: concept, patient: subject, encounter: encounter,
      recordedDate: now, recorder: context.authorReference)
  }

  private func addAllergy(_ allergy: AllergyIntolerance) async throws(AppError) -> WriteEcho {
    let picture = AllergyPicture(await allergies().entries)
    if let alike = picture.current.first(where: { Self.names($0.code, allergy.code) }) {
      try ask("\(alike.code?.displayText ?? "it") is listed already (\(alike.key))")
    }
    let receipt = try await repositories.allergies.add(allergy)
    let statements = picture.absences.map {
      "\($0.key) still says \($0.code?.displayText ?? "that there are none"): allergies resolve \($0.key)"
    }
    return echo("Allergy recorded", allergy, receipt, warnings: statements) { $0.row($1) }
  }

  private func addAbsence() async throws(AppError) -> WriteEcho {
    let picture = AllergyPicture(await allergies().entries)
    if !picture.current.isEmpty {
      throw AppError(
        .notAllowed,
        "the chart names allergies: "
          + picture.current.map { $0.code?.displayText ?? "not named" }.joined(separator: ", "),
        hint: "resolve, refute or retract them first")
    }
    if picture.headline == .noneKnown {
      throw AppError(.notAllowed, "the chart says already that no allergies are known")
    }
    let statement = newAllergy(AllergyIntolerance.noKnownAllergy, .confirmed)
    let receipt = try await repositories.allergies.add(statement)
    return echo("No known allergies recorded", statement, receipt) { $0.row($1) }
  }

  private func addMedication(_ request: MedicationRequest) async throws(AppError) -> WriteEcho {
    let listed = await repositories.medications.entries(of: patient.id, policy: .localOnly).first()?.value ?? []
    let alike = listed.map(\.entry).first {
      $0.standing == .current && Self.names($0.medication?.concept, request.medication?.concept)
    }
    if let alike { try ask("\(alike.medication?.displayText ?? "it") is listed already (\(alike.key))") }
    let checked = try await checkAllergies(request.medication?.concept)
    let receipt = try await repositories.medications.add(request)
    return echo("Medication recorded", request, receipt, checked: checked) { $0.row($1) }
  }

  private func addImmunization(_ vaccination: Immunization) async throws(AppError) -> WriteEcho {
    if let time = vaccination.sortTime, time.sortBounds(in: context.zone).lowerBound > context.clock.now() {
      throw AppError(.invalidInput, "\(time) lies in the future", field: "on")
    }
    let checked = try await checkAllergies(vaccination.vaccineCode)
    let receipt = try await repositories.immunizations.add(vaccination)
    return echo("Immunization recorded", vaccination, receipt, dated: "given", checked: checked) { $0.row($1) }
  }

  // MARK: Safety

  private func allergies() async -> (entries: [AllergyIntolerance], mayBeIncomplete: Bool) {
    let answer = await repositories.allergies.entries(of: patient.id, policy: .localOnly).first()
    return ((answer?.value ?? []).map(\.entry), answer?.mayBeIncomplete ?? true)
  }

  /// Compares what is to be given with the recorded allergies.
  ///
  /// - Returns: What was found, to be said beside the write.
  /// - Throws: `needsConfirmation` naming what matches, unless that was confirmed.
  private func checkAllergies(_ concept: CodeableConcept?) async throws(AppError) -> (text: String, warnings: [String])
  {
    let (entries, mayBeIncomplete) = await allergies()
    var warnings = mayBeIncomplete ? ["the allergies stored here may be incomplete: sync"] : []
    let matches = AllergyMatch.all(in: entries, for: concept ?? CodeableConcept())
    guard !matches.isEmpty else {
      return ("none of the recorded allergies matches; \(AllergyMatch.limits)", warnings)
    }
    let found = matches.map { match in
      let row = maker.row(Charted(match.allergy))
      let more = [row.state, row.factText].filter { !$0.isEmpty }.joined(separator: "; ")
      return "\(row.title) (\(more)) \(match.basis.text)"
    }
    let name = concept?.displayText ?? "it"
    if !isConfirmed {
      throw AppError(
        .needsConfirmation,
        "\(name) matches the recorded allergy \(found.joined(separator: " and ")) (\(AllergyMatch.limits)): "
          + "record it all the same?")
    }
    warnings += found.map { "\(name) matches the recorded allergy \($0)" }
    return ("confirmed although it matches \(found.joined(separator: " and ")); \(AllergyMatch.limits)", warnings)
  }

  private func ask(_ doubt: String) throws(AppError) {
    if !isConfirmed { throw AppError(.needsConfirmation, "\(doubt): record it all the same?") }
  }

  private static func names(_ left: CodeableConcept?, _ right: CodeableConcept?) -> Bool {
    guard let left, let right else { return false }
    let shared = left.coding.contains { one in
      one.code != nil && right.coding.contains { $0.system == one.system && $0.code == one.code }
    }
    guard !shared, let name = left.displayText?.lowercased() else { return shared }
    return name == right.displayText?.lowercased()
  }

  private func echo<Entry: ChartEntry>(
    _ done: String, _ entry: Entry, _ receipt: WriteReceipt, dated label: String? = nil, warnings: [String] = [],
    checked: (text: String, warnings: [String])? = nil, _ row: (ChartRowMaker, Charted<Entry>) -> ChartRow
  ) -> WriteEcho {
    let row = row(maker, Charted(entry, patient: patient, isPending: true))
    var details = row.details
    if let label, let when = row.when { details.append(WriteEcho.Detail(label, when)) }
    if let checked { details.append(WriteEcho.Detail("allergies", checked.text)) }
    if let visit { details.append(WriteEcho.Detail("visit", visit.key.description)) }
    return WriteEcho(
      done, patient: PatientIdentity(patient, today: context.today), receipts: [receipt], fallback: receipt.key,
      details: details, warnings: warnings + (checked?.warnings ?? []))
  }
}
