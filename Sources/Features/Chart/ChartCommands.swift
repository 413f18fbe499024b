public import DesignSystem
import Domain

/// The lines of the chart feature.
public nonisolated enum ChartCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = [chartSpec, trendSpec] + ChartEntryCommands.specs

  /// All commands, bound to a feature.
  @MainActor
  public static func commands(of feature: ChartFeature) -> [Command] {
    [
      Command(chartSpec) { invocation throws(AppError) in
        let reading = feature.context.reading(for: invocation)
        let patient = try await feature.patient(invocation)
        let state = await feature.chart(of: patient, reading: reading)
        if let path = invocation.option("export") {
          return try await feature.export(state, to: path, patient)
        }
        let page = try state.page { ChartScreen.page($0, limit: invocation.flag("all") ? nil : 30) }
        feature.coordinator.showChart(of: patient)
        return page
      },
      Command(trendSpec) { invocation throws(AppError) in
        let patient = try await feature.repositories.resolver.resolve(invocation.ref("ref"), as: Patient.self)
        let code = invocation.text("code")
        let page = try await feature.page(
          at: .trend(patient, code: code), reading: feature.context.reading(for: invocation))
        feature.coordinator.showTrend(of: patient, code: code)
        return page
      },
    ] + ChartEntryCommands.commands(of: feature)
  }

  static let chartSpec = CommandSpec(
    path: ["chart"], summary: "show a patient's chart",
    arguments: [
      ArgumentSpec(
        "ref", .patient, .optional,
        summary: "the patient: an id, an identifier or a row's number; at the prompt, the patient who is open")
    ],
    options: [
      OptionSpec("export", .file, summary: "write it to this file as a page for printing, instead of showing it")
    ],
    flags: [FlagSpec("all", summary: "the whole history, not only its newest 30 entries")],
    examples: ["chart MRN-0909", "chart MRN-0909 --export ana.html", "chart 1 --all"],
    discussion: [
      "\"No known allergies\" is said only where that was recorded by its code. What was entered in error stands apart "
        + "and is not counted. An exported page holds everything it needs, runs nothing, and says how old its data is."
    ])

  static let trendSpec = CommandSpec(
    path: ["trend"], summary: "draw the values of one code over time",
    arguments: [
      ArgumentSpec("ref", .patient, summary: "the patient: an id, an identifier or a row's number"),
      ArgumentSpec("code", .text, summary: "a LOINC code, or bp, pulse, temp, spo2, weight, height, resp"),
    ],
    examples: ["trend MRN-0909 weight", "trend MRN-0909 bp", "trend 1 8867-4"],
    discussion: ["Values of different units are drawn apart: nothing is converted."])
}

extension ChartFeature {
  /// The patient whom a line names, else the one whom the prompt shows.
  func patient(_ invocation: Invocation) async throws(AppError) -> Patient.ID {
    if let reference = invocation.optionalRef("ref") {
      return try await repositories.resolver.resolve(reference, as: Patient.self)
    }
    guard let current = currentPatient() else {
      throw AppError(.invalidInput, "no patient is named", hint: "chart REF", field: "ref")
    }
    return current
  }

  fileprivate func export(
    _ state: LoadState<ChartDisplay>, to path: String, _ patient: Patient.ID
  ) async throws(AppError) -> Page {
    let html: String
    let identity: PatientIdentity
    switch state {
    case .showing(let display):
      html = ChartDocument.html(display)
      identity = display.patient
    case .failed(let error): throw error
    case .idle, .loading: throw .interrupted
    }
    try await repositories.files.write(html, to: path)
    return Page(
      blocks: [
        .notice(Notice(.success, "chart written to \(path)")),
        .fields([
          Field("patient", identity.displayName), Field("birth date", identity.birth),
          Field("identifier", identity.identifier ?? "none recorded"),
        ]), .notice(Notice(.info, "the file holds patient data: keep it and pass it on accordingly")),
      ],
      records: [
        Record(
          "exported",
          ["path": .string(path), "patient": identity.record, "bytes": .integer(html.utf8.count)])
      ])
  }
}
