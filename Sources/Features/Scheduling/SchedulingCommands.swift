public import DesignSystem
import Domain

/// The lines of the scheduling feature.
public nonisolated enum SchedulingCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = [scheduleSpec, slotsSpec, showSpec, bookSpec, moveSpec, cancelSpec, arriveSpec, noShowSpec]

  /// All commands, bound to a feature.
  @MainActor
  public static func commands(of feature: SchedulingFeature) -> [Command] {
    [
      Command(scheduleSpec) { invocation throws(AppError) in
        let request = try await feature.schedule(invocation)
        let page = try await feature.schedule(request, reading: feature.context.reading(for: invocation))
        if request.isWeek {
          feature.coordinator.showWeek(of: request.day)
        } else {
          feature.coordinator.showSchedule(of: request.day)
        }
        return page
      },
      Command(slotsSpec) { invocation throws(AppError) in
        let request = try await feature.freeSlots(invocation)
        let page = try await feature.slots(request, reading: feature.context.reading(for: invocation))
        feature.coordinator.showSlots(of: request.day)
        return page
      },
      Command(showSpec) { invocation throws(AppError) in
        let id = try await feature.appointment(invocation)
        let page = try await feature.page(at: .appointment(id), reading: feature.context.reading(for: invocation))
        feature.coordinator.showAppointment(id)
        return page
      },
      Command(bookSpec) { invocation throws(AppError) in
        let model = BookingViewModel(
          repositories: feature.repositories, coordinator: feature.coordinator, errors: feature.errors,
          context: feature.context, hours: feature.defaults.hours)
        await model.book(
          try await feature.booking(invocation), entered: invocation.line, confirmed: invocation.confirmed,
          reading: feature.context.reading(for: invocation))
        return try model.state.page(SchedulingScreen.page)
      },
      Command(moveSpec) { invocation throws(AppError) in
        let start = try feature.start(invocation)
        var minutes: Int?
        if let seconds = invocation.seconds("duration") { minutes = try Self.minutes(seconds) }
        return try await feature.perform(.move(to: start, minutes: minutes), invocation)
      },
      Command(cancelSpec) { invocation throws(AppError) in
        try await feature.perform(.cancel(reason: invocation.option("reason")), invocation)
      },
      Command(arriveSpec) { invocation throws(AppError) in try await feature.perform(.arrive, invocation) },
      Command(noShowSpec) { invocation throws(AppError) in try await feature.perform(.noShow, invocation) },
    ]
  }

  static let scheduleSpec = CommandSpec(
    path: ["schedule"], summary: "show the appointments of a day or a week",
    arguments: [ArgumentSpec("day", .date, .optional, summary: "the day in the clinic; today if not given")],
    options: [
      OptionSpec("practitioner", .ref, summary: "only with this practitioner"),
      OptionSpec("location", .ref, summary: "only at this location"),
      OptionSpec("patient", .patient, summary: "only with this patient"),
      OptionSpec(
        "by", .choice(ScheduleRequest.Grouping.allCases.map(\.rawValue)),
        summary: "apart by whom they are with, or by where they are"),
    ],
    flags: [FlagSpec("week", summary: "the whole week of the day, from Monday on")],
    examples: [
      "schedule", "schedule tomorrow", "schedule 2026-12-01 --practitioner dr-1", "schedule --week --by practitioner",
    ],
    discussion: [
      "Working hours are told where they are known: from the server's schedules, else from \"hours\" in the profile."
    ])

  static let slotsSpec = CommandSpec(
    path: ["slots"], summary: "show the times of a day that can still be booked",
    arguments: [ArgumentSpec("day", .date, .optional, summary: "the day in the clinic; today if not given")],
    options: [
      OptionSpec("practitioner", .ref, summary: "of this practitioner; else the profile's, else of everyone"),
      OptionSpec("location", .ref, summary: "at this location; else the profile's"),
      OptionSpec("length", .duration, summary: "how long they shall be; as the server has them, or half an hour"),
    ],
    examples: ["slots tomorrow", "slots 2026-12-01 --practitioner dr-1 --length 45min"],
    discussion: [
      "The open time is the server's, where it has schedules and slots, else that of \"hours\" in the profile. What is "
        + "booked, here or at the server as far as it is known, is taken off."
    ])

  static let showSpec = CommandSpec(
    path: ["appointments", "show"], summary: "show one appointment", arguments: [appointmentArgument],
    examples: ["appointments show 2"])

  static let bookSpec = CommandSpec(
    path: ["appointments", "book"], summary: "book an appointment for a patient",
    arguments: [
      ArgumentSpec("ref", .patient, summary: "the patient: an id, an identifier or a row's number"),
      ArgumentSpec("when", .dateTime, summary: "the start, on the clinic's clock"),
      ArgumentSpec("duration", .duration, summary: "how long it lasts"),
    ],
    options: [
      OptionSpec("practitioner", .ref, summary: "with whom; else the profile's practitioner"),
      OptionSpec("location", .ref, summary: "where; else the profile's location"),
      OptionSpec("reason", summary: "why it takes place"),
    ],
    flags: [FlagSpec("overbook", summary: "book although it collides with another"), .earlier, .later],
    examples: [
      "appointments book MRN-0909 2026-12-01 09:00 30min --practitioner dr-1",
      "appointments book 3 tomorrow 9:30 1h --reason 'follow-up'",
    ],
    effects: .write,
    discussion: [
      "What it collides with (the same patient, practitioner or location) is named; --overbook books it. A time outside "
        + "of working hours, where these are known, asks first; --yes is the answer in scripts."
    ])

  static let moveSpec = CommandSpec(
    path: ["appointments", "move"], summary: "move an appointment to another time",
    arguments: [
      appointmentArgument, ArgumentSpec("when", .dateTime, summary: "the new start, on the clinic's clock"),
      ArgumentSpec("duration", .duration, .optional, summary: "how long it lasts; as before if not given"),
    ],
    flags: [FlagSpec("overbook", summary: "move it although it collides with another"), .earlier, .later],
    examples: ["appointments move 2 2026-12-02 10:00", "appointments move 2 fri 10:00 45min"], effects: .write,
    discussion: ["Asks before it moves one outside of working hours; --yes is the answer in scripts."])

  static let cancelSpec = CommandSpec(
    path: ["appointments", "cancel"], summary: "call an appointment off", arguments: [appointmentArgument],
    options: [OptionSpec("reason", summary: "why")],
    examples: ["appointments cancel 2 --reason 'patient called' --yes"], effects: .write,
    discussion: ["Asks first; --yes is the answer in scripts."])

  static let arriveSpec = CommandSpec(
    path: ["appointments", "arrive"], summary: "note that the patient is here", arguments: [appointmentArgument],
    examples: ["appointments arrive 2"], effects: .write)

  static let noShowSpec = CommandSpec(
    path: ["appointments", "noshow"], summary: "note that the patient did not come", arguments: [appointmentArgument],
    examples: ["appointments noshow 2"], effects: .write)

  private static let appointmentArgument = ArgumentSpec(
    "ref", .ref, summary: "the appointment: an id, an identifier or a row's number")

  /// A length in whole minutes, as appointments have.
  static func minutes(_ seconds: Int, field: String = "duration") throws(AppError) -> Int {
    guard seconds % 60 == 0, seconds <= 86_400 else {
      throw AppError(
        .invalidInput, "an appointment lasts whole minutes, a day at most", hint: "write it as 30min or 1h30",
        field: field)
    }
    return seconds / 60
  }
}

extension SchedulingFeature {
  fileprivate func resolve<Model: ResourceModel>(
    _ option: String, as model: Model.Type, in invocation: Invocation
  ) async throws(AppError) -> Model.ID? {
    guard let reference = invocation.optionalRef(option) else { return nil }
    let id = try await repositories.resolver.resolve(reference, as: Model.self)
    // A name that is mistaken for an id must not look like someone who has nothing to do.
    if await !isKnown(id.key) {
      throw AppError(.notFound, "\(id.key) is not known here", hint: "sync, or give another id")
    }
    return id
  }

  private func isKnown(_ key: ResourceKey) async -> Bool {
    switch key.type {
    case Practitioner.resourceType:
      await repositories.practitioners.practitioner(Practitioner.ID(key.id), policy: .localOnly).first()?.value != nil
    case Location.resourceType:
      await repositories.locations.location(Location.ID(key.id), policy: .localOnly).first()?.value != nil
    default: await repositories.patients.patient(Patient.ID(key.id), policy: .localOnly).first()?.value != nil
    }
  }

  fileprivate func schedule(_ invocation: Invocation) async throws(AppError) -> ScheduleRequest {
    ScheduleRequest(
      day: invocation.day("day", today: context.today) ?? context.today, isWeek: invocation.flag("week"),
      grouping: invocation.option("by").flatMap(ScheduleRequest.Grouping.init),
      patient: try await resolve("patient", as: Patient.self, in: invocation),
      practitioner: try await resolve("practitioner", as: Practitioner.self, in: invocation),
      location: try await resolve("location", as: Location.self, in: invocation))
  }

  fileprivate func freeSlots(_ invocation: Invocation) async throws(AppError) -> FreeSlotsRequest {
    FreeSlotsRequest(
      day: invocation.day("day", today: context.today) ?? context.today,
      practitioner: try await practitioner(invocation), location: try await location(invocation),
      minutes: try invocation.seconds("length").map { seconds throws(AppError) in
        try SchedulingCommands.minutes(seconds, field: "length")
      })
  }

  /// The practitioner whom a line names, else the profile's.
  private func practitioner(_ invocation: Invocation) async throws(AppError) -> Practitioner.ID? {
    if let named = try await resolve("practitioner", as: Practitioner.self, in: invocation) { return named }
    guard let word = defaults.practitioner else { return nil }
    return try await repositories.resolver.resolve(.text(word), as: Practitioner.self)
  }

  /// The location that a line names, else the profile's.
  private func location(_ invocation: Invocation) async throws(AppError) -> Location.ID? {
    if let named = try await resolve("location", as: Location.self, in: invocation) { return named }
    guard let word = defaults.location else { return nil }
    return try await repositories.resolver.resolve(.text(word), as: Location.self)
  }

  fileprivate func appointment(_ invocation: Invocation) async throws(AppError) -> Appointment.ID {
    try await repositories.resolver.resolve(invocation.ref("ref"), as: Appointment.self)
  }

  fileprivate func start(_ invocation: Invocation) throws(AppError) -> Instant {
    try context.zone.instant(
      for: try reading(invocation), choice: try ClockChoice(invocation), field: "when")
  }

  private func reading(_ invocation: Invocation) throws(AppError) -> LocalDateTime {
    guard let reading = invocation.localDateTime("when", today: context.today) else {
      throw AppError(
        .invalidInput, "\"\(invocation.text("when"))\" is no day and time", hint: "write it as tomorrow 9:30",
        field: "when")
    }
    return reading
  }

  fileprivate func booking(_ invocation: Invocation) async throws(AppError) -> BookingRequest {
    let patient = try await repositories.resolver.resolve(invocation.ref("ref"), as: Patient.self)
    var request = BookingRequest(
      patient: patient, start: try reading(invocation), choice: try ClockChoice(invocation),
      minutes: try SchedulingCommands.minutes(invocation.seconds("duration") ?? 0))
    request.practitioner = try await practitioner(invocation)
    request.location = try await location(invocation)
    request.reason = invocation.option("reason")
    request.allowsOverlap = invocation.flag("overbook")
    return request
  }

  fileprivate func perform(_ action: AppointmentAction, _ invocation: Invocation) async throws(AppError) -> Page {
    let model = AppointmentViewModel(
      id: try await appointment(invocation), appointments: repositories.appointments, schedules: repositories.schedules,
      errors: errors, context: context, hours: defaults.hours)
    await model.perform(action, allowingOverlap: invocation.flag("overbook"), confirmed: invocation.confirmed)
    return try model.change.page { $0.page() }
  }
}
