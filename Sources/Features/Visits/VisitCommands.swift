import DesignSystem
import Domain

/// The lines about visits.
nonisolated enum VisitCommands {
  static let specs =
    [listSpec, startSpec, showSpec] + steps.map(\.spec)

  @MainActor
  static func commands(of feature: VisitsFeature) -> [Command] {
    [
      Command(listSpec) { invocation throws(AppError) in
        try await feature.page(at: .overview, reading: feature.context.reading(for: invocation))
      },
      Command(startSpec) { invocation throws(AppError) in
        let reading = feature.context.reading(for: invocation)
        let model = VisitStartViewModel(
          repositories: feature.repositories, coordinator: feature.coordinator, errors: feature.errors,
          context: feature.context)
        var request = try await feature.subject(invocation, reading)
        request.isWalkIn = invocation.flag("walk-in")
        request.isWaiting = invocation.flag("waiting")
        request.reason = invocation.option("reason")
        await model.start(request, confirmed: invocation.confirmed, reading: reading)
        return try model.state.page { $0.page() }
      },
      Command(showSpec) { invocation throws(AppError) in
        let id = try await feature.visit(invocation)
        let page = try await feature.page(at: .visit(id), reading: feature.context.reading(for: invocation))
        feature.coordinator.showVisit(id)
        return page
      },
    ]
      + steps.map { step in
        Command(step.spec) { invocation throws(AppError) in
          let model = feature.visit(try await feature.visit(invocation))
          await model.perform(step.action, confirmed: invocation.confirmed)
          return try model.change.page { $0.page() }
        }
      }
  }

  static let listSpec = CommandSpec(
    path: ["visits"], summary: "show the visits that are open", examples: ["visits"])

  static let startSpec = CommandSpec(
    path: ["visits", "start"], summary: "start a visit, from an appointment or of a patient",
    arguments: [
      ArgumentSpec(
        "ref", .patient, summary: "the appointment or the patient: an id, an identifier or a row's number")
    ],
    options: [OptionSpec("reason", summary: "why; else the appointment's reason")],
    flags: [
      FlagSpec("walk-in", summary: "without an appointment, although the patient has one today"),
      FlagSpec("waiting", summary: "the patient is here and waits: the visit has not begun"),
    ],
    examples: [
      "visits start 2", "visits start MRN-0909 --walk-in --reason 'sore throat'", "visits start Appointment/a-1",
    ],
    effects: .write,
    discussion: [
      "Of a patient who has one appointment today, the visit belongs to it, unless it is a walk-in. "
        + "The appointment becomes arrived, and fulfilled when the visit is finished. A patient whose record was merged into "
        + "another is seen on the other one. Asks about what is out of the ordinary; --yes is the answer in scripts."
    ])

  static let showSpec = CommandSpec(
    path: ["visits", "show"], summary: "show a visit with what was measured and written in it",
    arguments: [visitArgument], options: [.patient], examples: ["visits show", "visits show 1"])

  struct Step: Sendable {
    var action: VisitAction
    var spec: CommandSpec
  }

  static let steps = [
    step(.triage, "triage", "note that the patient was looked at first"),
    step(.begin, "begin", "begin a visit whose patient waited or was away"),
    step(.leave, "leave", "note that the patient leaves for a while"),
    step(
      .finish, "finish", "end a visit",
      "Asks when vital signs, a note or its signature are missing; --yes is the answer in scripts. The appointment that "
        + "led to it becomes fulfilled."),
    step(
      .cancel, "cancel", "call off a visit that has not begun", "Asks first; --yes is the answer in scripts."),
    step(
      .retract, "retract", "mark a visit as entered in error",
      "It stays in the record, apart from the others. Asks first; --yes is the answer in scripts."),
  ]

  private static func step(
    _ action: VisitAction, _ word: String, _ summary: String, _ discussion: String...
  ) -> Step {
    Step(
      action: action,
      spec: CommandSpec(
        path: ["visits", word], summary: summary, arguments: [visitArgument], options: [.patient],
        examples: ["visits \(word)", "visits \(word) 1" + (discussion.isEmpty ? "" : " --yes")], effects: .write,
        discussion: discussion))
  }

  private static let visitArgument = ArgumentSpec(
    "ref", .ref, .optional, summary: "the visit: an id or a row's number; else the patient's open visit")
}

extension VisitsFeature {
  /// The visit that a line names, else the open one of the patient whom it means.
  fileprivate func visit(_ invocation: Invocation) async throws(AppError) -> Encounter.ID {
    if let reference = invocation.optionalRef("ref") {
      guard invocation.optionalRef("patient") == nil else {
        throw AppError(.invalidInput, "a visit and --patient exclude each other")
      }
      return try await resolver.resolve(reference, as: Encounter.self)
    }
    let patient = try await patient(invocation)
    let open = await repositories.encounters.openVisits(of: patient)
    guard let first = open.first else {
      throw AppError(.notFound, "\(patient.key) has no open visit", hint: "visits start \(patient.key)")
    }
    guard open.count == 1 else {
      throw AppError(
        .ambiguous,
        "\(patient.key) has \(open.count) open visits: "
          + open.map(\.key.description).joined(separator: ", "), hint: "name one")
    }
    return first.id
  }

  /// The appointment or the patient that a line names. A bare word may be either: what is known here decides.
  fileprivate func subject(
    _ invocation: Invocation, _ reading: ReadMode
  ) async throws(AppError) -> VisitRequest {
    let reference = invocation.ref("ref")
    switch reference {
    case .row(_, let target) where target.kind == Appointment.resourceType:
      return VisitRequest(appointment: Appointment.ID(target.id))
    case .row:
      return VisitRequest(patient: try await resolver.resolve(reference, as: Patient.self))
    case .text(let word):
      if word.hasPrefix("\(Appointment.resourceType)/") {
        return VisitRequest(appointment: try await resolver.resolve(reference, as: Appointment.self))
      }
      if word.contains("/") { return VisitRequest(patient: try await resolver.resolve(reference, as: Patient.self)) }
      return try await subject(named: reference)
    }
  }

  private func subject(named reference: RecordReference) async throws(AppError) -> VisitRequest {
    var patient: Patient.ID?
    var appointment: Appointment.ID?
    var failure: AppError?
    do throws(AppError) { patient = try await resolver.resolve(reference, as: Patient.self) } catch {
      if error.code != .notFound { throw error }
      failure = error
    }
    do throws(AppError) { appointment = try await resolver.resolve(reference, as: Appointment.self) } catch {
      if error.code != .notFound { throw error }
    }
    // A word that has the form of an id resolves to either type, known or not.
    if let found = appointment, !(await isKnown(patient)),
      await repositories.appointments.appointment(found, policy: .localOnly).first()?.value != nil
    {
      return VisitRequest(appointment: found)
    }
    if let patient { return VisitRequest(patient: patient) }
    throw failure ?? AppError(.notFound, "nothing of that name is known here")
  }

  private func isKnown(_ patient: Patient.ID?) async -> Bool {
    guard let patient else { return false }
    let answer = await repositories.patients.patient(patient, policy: .localOnly).first()
    return answer?.value != nil || answer?.isDeleted == true
  }
}
