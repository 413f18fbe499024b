public import DesignSystem
import Domain

/// The lines of the visits feature.
public nonisolated enum VisitsCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = VisitCommands.specs + [addSpec, showSpec, noteSpec, retractSpec] + NoteCommands.specs

  /// All commands, bound to a feature.
  @MainActor
  public static func commands(of feature: VisitsFeature) -> [Command] {
    VisitCommands.commands(of: feature) + vitalsCommands(of: feature) + NoteCommands.commands(of: feature)
  }

  @MainActor
  private static func vitalsCommands(of feature: VisitsFeature) -> [Command] {
    [
      Command(addSpec) { invocation throws(AppError) in
        var readings = try VitalReading.parse(invocation.all("readings"))
        if invocation.flag("convert") { readings = readings.map(\.converted) }
        let model = feature.vitals(of: try await feature.patient(invocation))
        await model.record(
          readings, at: try feature.time(invocation), confirmed: invocation.confirmed,
          reading: feature.context.reading(for: invocation))
        return try model.recording.page(VisitsScreen.page)
      },
      Command(showSpec) { invocation throws(AppError) in
        let reading = feature.context.reading(for: invocation)
        if let reference = invocation.optionalRef("ref") {
          guard invocation.optionalRef("patient") == nil else {
            throw AppError(.invalidInput, "an observation and --patient exclude each other")
          }
          let id = try await feature.resolver.resolve(reference, as: ClinicalObservation.self)
          let page = try await feature.page(at: .observation(id), reading: reading)
          feature.coordinator.showObservation(id)
          return page
        }
        let patient = try await feature.patient(invocation)
        let page = try await feature.page(at: .vitals(patient), reading: reading)
        feature.coordinator.showVitals(of: patient)
        return page
      },
      Command(noteSpec) { invocation throws(AppError) in
        let id = try await feature.resolver.resolve(invocation.ref("ref"), as: ClinicalObservation.self)
        let model = feature.observation(id)
        await model.addNote(invocation.option("text") ?? "")
        return try model.change.page { $0.page() }
      },
      Command(retractSpec) { invocation throws(AppError) in
        let id = try await feature.resolver.resolve(invocation.ref("ref"), as: ClinicalObservation.self)
        let model = feature.observation(id)
        await model.retract(confirmed: invocation.confirmed)
        return try model.change.page { $0.page() }
      },
    ]
  }

  static let addSpec = CommandSpec(
    path: ["vitals", "add"], summary: "record vital signs of a patient",
    arguments: [
      ArgumentSpec(
        "readings", .text, .rest(atLeast: 2), summary: "pairs of a sign and its number: \(VitalReading.knownNames)")
    ],
    options: [
      .patient,
      OptionSpec("at", .dateTime, summary: "when it was measured, on the clinic's clock; now if not given"),
    ],
    flags: [
      FlagSpec("convert", summary: "record in °C, kg and cm what is written in other units"), .earlier, .later,
    ],
    examples: [
      "vitals add pulse 72 --patient MRN-0909", "vitals add temp 98.6F weight 160lb --convert --patient 3",
      "vitals add bp 120/80 pulse 72 temp 37.1C spo2 98% weight 72.50kg height 1.80m --patient 3",
    ],
    effects: .write,
    discussion: [
      "Numbers are recorded as they are written, in the unit in which they are written; --convert rounds them to what was "
        + "written, and keeps that as a note. Impossible ones are refused; "
        + "unusual ones ask first, and --yes is the answer in scripts. They belong to the patient's open visit, if there "
        + "is one."
    ])

  static let showSpec = CommandSpec(
    path: ["vitals", "show"], summary: "show one observation, or all of a patient",
    arguments: [ArgumentSpec("ref", .ref, .optional, summary: "the observation: an id or a row's number")],
    options: [.patient],
    examples: ["vitals show --patient MRN-0909", "vitals show 1"])

  static let noteSpec = CommandSpec(
    path: ["vitals", "note"], summary: "add a note to an observation", arguments: [observationArgument],
    options: [OptionSpec("text", required: true, summary: "what the note says")],
    examples: ["vitals note 1 --text 'after climbing stairs'"], effects: .write)

  static let retractSpec = CommandSpec(
    path: ["vitals", "retract"], summary: "mark an observation as entered in error",
    arguments: [observationArgument], examples: ["vitals retract 1 --yes"], effects: .write,
    discussion: ["It stays in the record, apart from the results. Asks first; --yes is the answer in scripts."])

  private static let observationArgument = ArgumentSpec(
    "ref", .ref, summary: "the observation: an id or a row's number")
}

extension VisitsFeature {
  func patient(_ invocation: Invocation) async throws(AppError) -> Patient.ID {
    try await resolver.patient(invocation, current: currentPatient())
  }

  fileprivate func time(_ invocation: Invocation) throws(AppError) -> Instant? {
    guard let reading = invocation.localDateTime("at", today: context.today) else { return nil }
    return try context.zone.instant(for: reading, choice: try ClockChoice(invocation), field: "at")
  }
}
