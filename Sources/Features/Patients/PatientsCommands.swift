public import DesignSystem
import Domain

/// The lines of the patients feature.
public nonisolated enum PatientsCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = [searchSpec, recentSpec, showSpec, registerSpec, editSpec, mergeSpec]

  /// All commands, bound to a feature.
  @MainActor
  public static func commands(of feature: PatientsFeature) -> [Command] {
    [
      Command(searchSpec) { invocation throws(AppError) in
        let text = invocation.text("text")
        let asksServer = invocation.flag("remote")
        let page = try await feature.search(
          text, limit: try limit(invocation, default: 50), asksServer: asksServer,
          reading: asksServer ? .settled : feature.context.reading(for: invocation))
        feature.coordinator.showPatientSearch(text)
        return page
      },
      Command(recentSpec) { invocation throws(AppError) in
        try await feature.recent(
          limit: try limit(invocation, default: 20), reading: feature.context.reading(for: invocation))
      },
      Command(showSpec) { invocation throws(AppError) in
        let id = try await feature.resolver.resolve(invocation.ref("ref"), as: Patient.self)
        let page = try await feature.page(at: .patient(id), reading: feature.context.reading(for: invocation))
        feature.coordinator.showPatient(id)
        return page
      },
      Command(registerSpec) { invocation throws(AppError) in
        let model = RegistrationViewModel(
          patients: feature.patients, coordinator: feature.coordinator, errors: feature.errors,
          context: feature.context)
        await model.register(try draft(invocation), entered: invocation.line, confirmed: invocation.confirmed)
        return try model.state.page { $0.page() }
      },
      Command(editSpec) { invocation throws(AppError) in
        let id = try await feature.resolver.resolve(invocation.ref("ref"), as: Patient.self)
        let model = PatientViewModel(
          id: id, patients: feature.patients, errors: feature.errors, context: feature.context)
        await model.edit(try changes(invocation))
        return try model.change.page { $0.page() }
      },
      Command(mergeSpec) { invocation throws(AppError) in
        let registration = try await feature.resolver.resolve(invocation.ref("ref"), as: Patient.self)
        let known = try await feature.resolver.resolve(invocation.ref("into"), as: Patient.self)
        let model = PatientMergeViewModel(
          patients: feature.patients, coordinator: feature.coordinator, errors: feature.errors,
          context: feature.context)
        await model.merge(registration, into: known, confirmed: invocation.confirmed)
        return try model.state.page { $0.page() }
      },
    ]
  }

  static let searchSpec = CommandSpec(
    path: ["patients", "search"], summary: "find patients by name, birth date, identifier or phone number",
    arguments: [
      ArgumentSpec("text", .text, .rest(atLeast: 1), summary: "parts of names, birth dates, identifiers, numbers")
    ],
    options: [OptionSpec("limit", .integer, summary: "how many to show at most; 50 if not given")],
    flags: [FlagSpec("remote", summary: "ask the server too, and wait for its answer")],
    examples: [
      "patients search ana", "patients search MRN-0909", "patients search pérez 1980-05-17", "patients search -- -Near",
    ],
    discussion: [
      "All words must be found, in any order, each as the beginning of one; case and accents do not count. Former and "
        + "other names are found too, and it is said which. Nothing in the text is an operator. Text that begins with a "
        + "dash stands behind \"--\"."
    ])

  static let recentSpec = CommandSpec(
    path: ["patients", "recent"], summary: "list the patients last used here",
    options: [OptionSpec("limit", .integer, summary: "how many to show at most; 20 if not given")],
    examples: ["patients recent"])

  static let showSpec = CommandSpec(
    path: ["patients", "show"], summary: "show one patient", arguments: [patientArgument],
    examples: ["patients show MRN-0909", "patients show 3", "patients show Patient/3"])

  static let registerSpec = CommandSpec(
    path: ["patients", "register"], summary: "register a new patient",
    options: nameOptions + [
      OptionSpec(
        "identifier", repeats: true, placeholder: "SYSTEM|VALUE", summary: "a number that others gave the patient")
    ] + demographicOptions,
    examples: [
      "patients register --family Pérez --given Ana --birth 1980-05-17 --gender female --phone 555-0100",
      "patients register --family Solo --birth 1951 --identifier 'urn:oid:1.2.3|MRN-0910'",
    ],
    effects: .write,
    discussion: [
      "A patient who is probably registered already is pointed out first; --yes registers all the same."
    ])

  static let editSpec = CommandSpec(
    path: ["patients", "edit"], summary: "change a patient", arguments: [patientArgument],
    options: nameOptions + partOptions + demographicOptions,
    examples: [
      "patients edit MRN-0909 --phone 555-0199", "patients edit 3 --email ''",
      "patients edit 3 --name-use maiden --family Solo --name-until 2010-05",
      "patients edit 3 --phone 555-0142 --phone-use work --identifier 'urn:oid:1.2.3|MRN-0910'",
      "patients edit 3 --deceased 2026-11",
    ], effects: .write,
    discussion: [
      "Only what is given changes. The name that is shown, the phone that is called first and the first address are "
        + "meant, unless a use says which; where there is none of that use, it is added. An empty text removes an element."
    ])

  static let mergeSpec = CommandSpec(
    path: ["patients", "merge"], summary: "join an unsent registration to a patient who is known",
    arguments: [ArgumentSpec("ref", .patient, summary: "the registration that was not sent")],
    options: [OptionSpec("into", .patient, required: true, placeholder: "REF", summary: "the patient who is known")],
    examples: ["patients merge 2 --into MRN-0909 --yes"], effects: .write,
    discussion: [
      "Everything that was written about the registration is then about the patient who is known, and the registration "
        + "is not sent. Records that are at the server already are merged there."
    ])

  private static let patientArgument = ArgumentSpec("ref", .patient, summary: "an id, an identifier or a row's number")

  private static let nameOptions = [
    OptionSpec("family", placeholder: "NAME", summary: "the family name"),
    OptionSpec("given", repeats: true, placeholder: "NAME", summary: "a given name"),
    OptionSpec("birth", .partialDate, summary: "the date of birth, as precise as it is known"),
    OptionSpec(
      "gender", .choice(AdministrativeGender.allCases.map(\.rawValue)), summary: "the gender used for administration"),
  ]

  private static let partOptions = [
    OptionSpec("name-use", .choice(NameUse.allCases.map(\.rawValue)), summary: "which name is meant"),
    OptionSpec("name-from", .partialDate, summary: "since when the name is in use"),
    OptionSpec("name-until", .partialDate, summary: "until when the name was in use"),
    OptionSpec("phone-use", .choice(ContactUse.allCases.map(\.rawValue)), summary: "which phone is meant"),
    OptionSpec("address-use", .choice(AddressUse.allCases.map(\.rawValue)), summary: "which address is meant"),
    OptionSpec("address-from", .partialDate, summary: "since when the patient lives there"),
    OptionSpec("address-until", .partialDate, summary: "until when the patient lived there"),
    OptionSpec("identifier", repeats: true, placeholder: "SYSTEM|VALUE", summary: "a number that is added"),
    OptionSpec(
      "remove-identifier", repeats: true, placeholder: "SYSTEM|VALUE", summary: "a number that was never the patient's"),
    OptionSpec("deceased", placeholder: "yes|no|DATE", summary: "whether, or when, the patient died"),
  ]

  private static let demographicOptions = [
    OptionSpec("phone", placeholder: "NUMBER", summary: "a phone number"),
    OptionSpec("email", placeholder: "ADDRESS", summary: "an e-mail address"),
    OptionSpec("address-line", repeats: true, placeholder: "TEXT", summary: "street and number"),
    OptionSpec("address-city", placeholder: "TEXT", summary: "the city or village"),
    OptionSpec("address-district", placeholder: "TEXT", summary: "the district or county"),
    OptionSpec("address-state", placeholder: "TEXT", summary: "the state or province"),
    OptionSpec("address-postal-code", placeholder: "TEXT", summary: "the postal code"),
    OptionSpec("address-country", placeholder: "TEXT", summary: "the country"),
  ]

  private static func limit(_ invocation: Invocation, default standard: Int) throws(AppError) -> Int {
    let limit = invocation.integer("limit") ?? standard
    guard (1...1000).contains(limit) else {
      throw AppError(.invalidInput, "--limit \(limit) is not between 1 and 1000", field: "limit")
    }
    return limit
  }

  private static func changes(_ invocation: Invocation) throws(AppError) -> PatientChanges {
    var changes = PatientChanges()
    changes.name.use = invocation.option("name-use").flatMap(NameUse.init(rawValue:))
    changes.name.family = invocation.option("family")
    changes.name.given = invocation.all("given").isEmpty ? nil : invocation.all("given")
    changes.name.from = invocation.partialDate("name-from")
    changes.name.until = invocation.partialDate("name-until")
    changes.birthDate = invocation.partialDate("birth")
    changes.gender = invocation.option("gender").flatMap(AdministrativeGender.init(rawValue:))
    changes.deceased = try invocation.option("deceased").map(deceased)
    changes.phone = invocation.option("phone")
    changes.phoneUse = invocation.option("phone-use").flatMap(ContactUse.init(rawValue:))
    changes.email = invocation.option("email")
    changes.address.use = invocation.option("address-use").flatMap(AddressUse.init(rawValue:))
    changes.address.lines = invocation.all("address-line").isEmpty ? nil : invocation.all("address-line")
    changes.address.city = invocation.option("address-city")
    changes.address.district = invocation.option("address-district")
    changes.address.state = invocation.option("address-state")
    changes.address.postalCode = invocation.option("address-postal-code")
    changes.address.country = invocation.option("address-country")
    changes.address.from = invocation.partialDate("address-from")
    changes.address.until = invocation.partialDate("address-until")
    changes.identifiers = try identifiers(invocation, "identifier")
    changes.removedIdentifiers = try identifiers(invocation, "remove-identifier")
    return changes
  }

  private static func deceased(_ text: String) throws(AppError) -> PatientChanges.DeceasedChange {
    switch text.lowercased() {
    case "": return .removed
    case "yes": return .said(.boolean(true))
    case "no": return .said(.boolean(false))
    default:
      guard let time = DateTime(text) else {
        throw AppError(
          .invalidInput, "\"\(text)\" does not say whether or when the patient died",
          hint: "write yes, no, or a date as precise as it is known", field: "deceased")
      }
      return .said(.dateTime(time))
    }
  }

  private static func draft(_ invocation: Invocation) throws(AppError) -> Patient {
    var patient = Patient(id: Patient.ID(""), active: true)
    try changes(invocation).apply(to: &patient)
    return patient
  }

  private static func identifiers(_ invocation: Invocation, _ option: String) throws(AppError) -> [Identifier] {
    try invocation.all(option).map { text throws(AppError) in
      guard let bar = text.firstIndex(of: "|"), text.index(after: bar) < text.endIndex else {
        throw AppError(
          .invalidInput, "the identifier \"\(text)\" has no system", hint: "write it as --\(option) 'SYSTEM|VALUE'",
          field: option)
      }
      let system = String(text[..<bar])
      return Identifier(system: system.isEmpty ? nil : system, value: String(text[text.index(after: bar)...]))
    }
  }
}
