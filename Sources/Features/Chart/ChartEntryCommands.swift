import DesignSystem
import Domain

/// The lines that add to a chart and change its records.
nonisolated enum ChartEntryCommands {
  static let specs = adding.map(\.spec) + changing.map(\.spec)

  @MainActor
  static func commands(of feature: ChartFeature) -> [Command] {
    adding.map { one in
      Command(one.spec) { invocation throws(AppError) in
        let draft = try one.draft(invocation)
        let patient = try await feature.repositories.resolver.patient(
          invocation, current: feature.currentPatient())
        let model = feature.entries
        await model.add(
          draft, of: patient, confirmed: invocation.confirmed, reading: feature.context.reading(for: invocation))
        return try model.change.page { $0.page() }
      }
    }
      + changing.map { one in
        Command(one.spec) { invocation throws(AppError) in
          let action = try await one.action(invocation, feature.repositories.resolver)
          let model = feature.entries
          await model.perform(action, confirmed: invocation.confirmed)
          return try model.change.page { $0.page() }
        }
      }
  }

  // MARK: Adding

  struct Adding: Sendable {
    var spec: CommandSpec
    var draft: @Sendable (Invocation) throws(AppError) -> ChartDraft
  }

  static let adding = [
    Adding(
      spec: CommandSpec(
        path: ["problems", "add"], summary: "add a problem to a patient's list",
        arguments: [name("the problem, in words")],
        options: [
          code("SNOMED CT"), OptionSpec("onset", .partialDate, summary: "since when, as precise as known"),
          OptionSpec("severity", summary: "how severe, in words"),
          OptionSpec(
            "verification", .choice(["confirmed", "provisional", "differential", "unconfirmed"]),
            summary: "how sure it is; confirmed if not given"), .patient,
        ],
        examples: ["problems add Asthma --code 195967001 --onset 2019 --patient MRN-0909"], effects: .write)
    ) { invocation throws(AppError) in
      .problem(
        try concept(invocation, CodeSystem.snomed), onset: invocation.partialDate("onset"),
        severity: invocation.option("severity"),
        verification: invocation.option("verification").flatMap(Condition.VerificationStatus.init(rawValue:))
          ?? .confirmed)
    },
    Adding(
      spec: CommandSpec(
        path: ["allergies", "add"], summary: "record an allergy or intolerance",
        arguments: [name("the substance, in words")],
        options: [
          code("SNOMED CT"),
          OptionSpec(
            "criticality", .choice(["high", "low", "unable-to-assess"]),
            summary: "how dangerous the next exposure may be"),
          OptionSpec(
            "category", .choice(["food", "medication", "environment", "biologic"]), summary: "what kind of substance"),
          OptionSpec("reaction", summary: "what happened, in words"),
          OptionSpec("severity", .choice(["mild", "moderate", "severe"]), summary: "how severe the reaction was"),
          OptionSpec(
            "verification", .choice(["unconfirmed", "confirmed"]), summary: "how sure it is; unconfirmed if not given"),
          .patient,
        ],
        examples: [
          "allergies add Penicillin --criticality high --reaction hives --severity severe --patient MRN-0909"
        ], effects: .write)
    ) { invocation throws(AppError) in
      if invocation.option("severity") != nil, invocation.option("reaction") == nil {
        throw AppError(.invalidInput, "a severity belongs to a reaction", hint: "add --reaction", field: "reaction")
      }
      return .allergy(
        try concept(invocation, CodeSystem.snomed),
        criticality: invocation.option("criticality").flatMap(AllergyIntolerance.Criticality.init(rawValue:)),
        category: invocation.option("category").flatMap(AllergyIntolerance.Category.init(rawValue:)),
        reaction: invocation.option("reaction"),
        severity: invocation.option("severity").flatMap(AllergyIntolerance.Severity.init(rawValue:)),
        verification: invocation.option("verification").flatMap(AllergyIntolerance.VerificationStatus.init(rawValue:))
          ?? .unconfirmed)
    },
    Adding(
      spec: CommandSpec(
        path: ["allergies", "none"], summary: "record that no allergies are known", options: [.patient],
        examples: ["allergies none --patient MRN-0909"], effects: .write,
        discussion: ["Recorded by its SNOMED CT code, 716186003. Refused while the chart names an allergy."])
    ) { _ throws(AppError) in .noKnownAllergies },
    Adding(
      spec: CommandSpec(
        path: ["medications", "add"], summary: "record a medication that the patient takes from now on",
        arguments: [name("the medication, in words")],
        options: [
          code("RxNorm"), OptionSpec("dose", summary: "how it is taken; kept as written"),
          OptionSpec("reason", summary: "what it is taken for, in words"), .patient,
        ],
        examples: ["medications add 'Ibuprofen 400 mg' --dose '1-0-1 after meals' --patient MRN-0909"],
        effects: .write,
        discussion: [
          "Asks when a recorded allergy names what the medication names; --yes is the answer in scripts. Matching is by "
            + "recorded code and text only: it is no check of interactions or of related substances."
        ])
    ) { invocation throws(AppError) in
      .medication(
        try concept(invocation, CodeSystem.rxNorm), dose: invocation.option("dose"),
        reason: invocation.option("reason"))
    },
    Adding(
      spec: CommandSpec(
        path: ["immunizations", "add"], summary: "record a vaccination that was given",
        arguments: [name("the vaccine, in words")],
        options: [
          code("CVX"), OptionSpec("on", .partialDate, summary: "when, as precise as known; now if not given"),
          OptionSpec("lot", summary: "the lot number"), .patient,
        ],
        flags: [FlagSpec("reported", summary: "it was given elsewhere, and is only reported here")],
        examples: ["immunizations add 'Tetanus toxoid' --code 112 --lot A1 --patient MRN-0909"], effects: .write,
        discussion: ["Asks when a recorded allergy names what the vaccine names, as for medications."])
    ) { invocation throws(AppError) in
      .immunization(
        try concept(invocation, CodeSystem.cvx), on: invocation.partialDate("on"), lot: invocation.option("lot"),
        isReported: invocation.flag("reported"))
    },
  ]

  private static func name(_ summary: String) -> ArgumentSpec {
    ArgumentSpec("name", .text, .rest(atLeast: 1), summary: summary)
  }

  private static func code(_ system: String) -> OptionSpec {
    OptionSpec("code", placeholder: "CODE", summary: "its \(system) code, or SYSTEM|CODE of another system")
  }

  /// The words of a line as a concept, with its code.
  ///
  /// - Throws: `invalidInput` for a code without a system's URI or short name.
  static func concept(_ invocation: Invocation, _ system: String) throws(AppError) -> CodeableConcept {
    let text = invocation.text("name")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw AppError(.invalidInput, "the name is empty", field: "name")
    }
    guard let given = invocation.option("code") else { return CodeableConcept(text: text) }
    let parts = given.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let named = parts.count == 2 ? systems[parts[0].lowercased()] ?? parts[0] : system
    let code = parts.last ?? ""
    guard named.contains(":"), !code.isEmpty, !code.contains(where: \.isWhitespace) else {
      throw AppError(
        .invalidInput, "\"\(given)\" is no code",
        hint: "write it as CODE or SYSTEM|CODE; systems are \(systems.keys.sorted().joined(separator: ", ")) or a URI",
        field: "code")
    }
    return CodeableConcept(coding: [Coding(system: named, code: code)], text: text)
  }

  private static let systems = [
    "snomed": CodeSystem.snomed, "loinc": CodeSystem.loinc, "rxnorm": CodeSystem.rxNorm, "cvx": CodeSystem.cvx,
    "icd10": "http://hl7.org/fhir/sid/icd-10", "icd10cm": "http://hl7.org/fhir/sid/icd-10-cm",
    "atc": "http://www.whocc.no/atc",
  ]

  // MARK: Changing

  struct Changing: Sendable {
    var spec: CommandSpec
    var action: @MainActor @Sendable (Invocation, any RecordResolving) async throws(AppError) -> ChartAction
  }

  static let changing = [
    changing(["problems", "resolve"], "note that a problem is over") { invocation, resolver throws(AppError) in
      .resolveProblem(try await resolver.resolve(invocation.ref("ref"), as: Condition.self))
    },
    changing(["problems", "retract"], "mark a problem as entered in error", asks: true) {
      invocation, resolver throws(AppError) in
      .retractProblem(try await resolver.resolve(invocation.ref("ref"), as: Condition.self))
    },
    changing(
      ["allergies", "resolve"], "note that an allergy, or a statement of none, does not hold any more", asks: true
    ) { invocation, resolver throws(AppError) in
      .resolveAllergy(try await resolver.resolve(invocation.ref("ref"), as: AllergyIntolerance.self))
    },
    changing(["allergies", "refute"], "note that an allergy was shown not to be so", asks: true) {
      invocation, resolver throws(AppError) in
      .refuteAllergy(try await resolver.resolve(invocation.ref("ref"), as: AllergyIntolerance.self))
    },
    changing(["allergies", "retract"], "mark an allergy as entered in error", asks: true) {
      invocation, resolver throws(AppError) in
      .retractAllergy(try await resolver.resolve(invocation.ref("ref"), as: AllergyIntolerance.self))
    },
    changing(["medications", "stop"], "note that a medication ends", reason: true) {
      invocation, resolver throws(AppError) in
      .stopMedication(
        try await resolver.resolve(invocation.ref("ref"), as: MedicationRequest.self),
        reason: invocation.option("reason"))
    },
    changing(["medications", "hold"], "note that a medication pauses", reason: true) {
      invocation, resolver throws(AppError) in
      .holdMedication(
        try await resolver.resolve(invocation.ref("ref"), as: MedicationRequest.self),
        reason: invocation.option("reason"))
    },
    changing(["medications", "resume"], "note that a medication goes on") { invocation, resolver throws(AppError) in
      .resumeMedication(try await resolver.resolve(invocation.ref("ref"), as: MedicationRequest.self))
    },
    changing(["medications", "retract"], "mark a medication as entered in error", asks: true) {
      invocation, resolver throws(AppError) in
      .retractMedication(try await resolver.resolve(invocation.ref("ref"), as: MedicationRequest.self))
    },
    changing(["immunizations", "retract"], "mark a vaccination as entered in error", asks: true) {
      invocation, resolver throws(AppError) in
      .retractImmunization(try await resolver.resolve(invocation.ref("ref"), as: Immunization.self))
    },
  ]

  private static func changing(
    _ path: [String], _ summary: String, reason: Bool = false, asks: Bool = false,
    _ action: @escaping @MainActor @Sendable (Invocation, any RecordResolving) async throws(AppError) -> ChartAction
  ) -> Changing {
    let line = path.joined(separator: " ") + " 2"
    return Changing(
      spec: CommandSpec(
        path: path, summary: summary,
        arguments: [ArgumentSpec("ref", .ref, summary: "the record: an id or a row's number of the chart")],
        options: reason ? [OptionSpec("reason", summary: "why, in words")] : [],
        examples: [line + (reason ? " --reason rash" : "") + (asks ? " --yes" : "")], effects: .write,
        discussion: asks ? ["Asks first; --yes is the answer in scripts."] : []), action: action)
  }
}
