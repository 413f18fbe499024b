public import DesignSystem
import Domain

/// The lines of the sync feature.
public nonisolated enum SyncCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = [
    syncSpec, statusSpec, whySpec, outboxSpec, outboxShowSpec, outboxDiscardSpec, reviewSpec, reviewShowSpec,
  ]

  /// All commands, bound to a feature.
  @MainActor
  public static func commands(of feature: SyncFeature) -> [Command] {
    syncing(feature) + outbox(feature) + review(feature)
  }

  @MainActor
  private static func syncing(_ feature: SyncFeature) -> [Command] {
    [
      Command(syncSpec) { invocation throws(AppError) in
        if invocation.flag("plan") {
          let model = feature.syncModel
          await model.loadPlan()
          return try model.plan.page { SyncScreen.page(plan: $0) }
        }
        let options = SyncOptions(
          pushes: !invocation.flag("no-push"), pulls: !invocation.flag("no-pull"),
          maximumTime: invocation.seconds("max-time").map { .seconds($0) })
        guard options.pushes || options.pulls else {
          throw AppError(.invalidInput, "--no-push and --no-pull together leave nothing to do")
        }
        return try await feature.sync(options)
      },
      Command(statusSpec) { invocation throws(AppError) in
        let page = try await feature.page(at: .status, reading: feature.context.reading(for: invocation))
        feature.coordinator.showSyncStatus()
        return page
      },
      Command(whySpec) { invocation throws(AppError) in
        let model = feature.outboxModel
        await model.explain(invocation.ref("ref"))
        return try model.explanation.page(OutboxScreen.page)
      },
    ]
  }

  @MainActor
  private static func outbox(_ feature: SyncFeature) -> [Command] {
    [
      Command(outboxSpec) { invocation throws(AppError) in
        let page = try await feature.page(at: .outbox, reading: feature.context.reading(for: invocation))
        feature.coordinator.showOutbox()
        return page
      },
      Command(outboxShowSpec) { invocation throws(AppError) in
        try await feature.page(
          at: .outboxItem(try number("entry", invocation)), reading: feature.context.reading(for: invocation))
      },
      Command(outboxDiscardSpec) { invocation throws(AppError) in
        let model = feature.outboxModel
        await model.discard(try number("entry", invocation), confirmed: invocation.confirmed)
        return try model.discarding.page { OutboxScreen.page(discarded: $0, zone: feature.context.zone) }
      },
    ]
  }

  @MainActor
  private static func review(_ feature: SyncFeature) -> [Command] {
    [
      Command(reviewSpec) { invocation throws(AppError) in
        let choice = try decision(invocation)
        guard invocation.optionalText("item") != nil else {
          guard choice == nil else {
            throw AppError(.invalidInput, "a decision needs the number of its item", hint: "review", field: "item")
          }
          let page = try await feature.page(at: .review, reading: feature.context.reading(for: invocation))
          feature.coordinator.showReview()
          return page
        }
        let number = try number("item", invocation)
        guard let choice else { return try await show(number, feature, invocation) }
        let model = feature.reviewModel
        await model.decide(number, choice, confirmed: invocation.confirmed)
        return try model.decision.page { ReviewScreen.page($0, number: number) }
      },
      Command(reviewShowSpec) { invocation throws(AppError) in
        try await show(try number("item", invocation), feature, invocation)
      },
    ]
  }

  @MainActor
  private static func show(
    _ number: ReviewNumber, _ feature: SyncFeature, _ invocation: Invocation
  ) async throws(AppError) -> Page {
    let page = try await feature.page(at: .reviewItem(number), reading: feature.context.reading(for: invocation))
    feature.coordinator.showReviewItem(number)
    return page
  }

  static let syncSpec = CommandSpec(
    path: ["sync"], summary: "send what is unsent, then receive what changed",
    options: [OptionSpec("max-time", .duration, summary: "end cleanly after this time")],
    flags: [
      FlagSpec("plan", summary: "show what would be sent, and send nothing"),
      FlagSpec("no-pull", summary: "only send"), FlagSpec("no-push", summary: "only receive"),
    ],
    examples: ["sync", "sync --plan", "sync --max-time 30s"],
    discussion: [
      "The exit status says what is left: 7 the store cannot be used, 6 another sync is running, 5 sign-in needed, "
        + "4 the server was not reached, 3 something needs a decision, 8 stopped by the time or told to come back later."
    ])

  static let statusSpec = CommandSpec(
    path: ["sync", "status"], summary: "show how far the store and the server are apart", examples: ["sync status"])

  static let whySpec = CommandSpec(
    path: ["why"], summary: "explain why a record looks as it does",
    arguments: [ArgumentSpec("ref", .ref, summary: "an id, an identifier or a row's number")],
    examples: ["why MRN-0909", "why Appointment/a-1"])

  static let outboxSpec = CommandSpec(
    path: ["outbox"], summary: "list what the server has not accepted yet", examples: ["outbox"])

  static let outboxShowSpec = CommandSpec(
    path: ["outbox", "show"], summary: "show one entry of the outbox", arguments: [entryArgument],
    examples: ["outbox show 12"])

  static let outboxDiscardSpec = CommandSpec(
    path: ["outbox", "discard"], summary: "take an unsent write back", arguments: [entryArgument],
    examples: ["outbox discard 12 --yes"], effects: .write,
    discussion: ["What hangs on it goes with it. Asks first; --yes is the answer in scripts."])

  static let reviewSpec = CommandSpec(
    path: ["review"], summary: "list what needs a decision, or decide",
    arguments: [ArgumentSpec("item", .integer, .optional, summary: "the number of an item")],
    options: [OptionSpec("keep", .choice(["mine", "theirs"]), summary: "which values stand in a conflict")],
    flags: [
      FlagSpec("retry", summary: "send the same again"), FlagSpec("discard", summary: "give the write up"),
    ],
    examples: ["review", "review 3 --keep mine", "review 3 --keep theirs --yes", "review 3 --retry"], effects: .write,
    discussion: ["A decision by which an edit made here is lost asks first; --yes is the answer in scripts."])

  static let reviewShowSpec = CommandSpec(
    path: ["review", "show"], summary: "show one item with everything needed to decide",
    arguments: [ArgumentSpec("item", .integer, summary: "the number of the item")], examples: ["review show 3"])

  private static let entryArgument = ArgumentSpec("entry", .integer, summary: "the number of the entry")

  private static func number(_ name: String, _ invocation: Invocation) throws(AppError) -> Int64 {
    guard let number = invocation.integer(name), number > 0 else {
      throw AppError(.invalidInput, "\"\(invocation.text(name))\" is no number of an \(name)", field: name)
    }
    return Int64(number)
  }

  private static func decision(_ invocation: Invocation) throws(AppError) -> ReviewDecision? {
    var choices: [ReviewDecision] = []
    if let keep = invocation.option("keep") { choices.append(keep == "mine" ? .keepMine : .keepTheirs) }
    if invocation.flag("retry") { choices.append(.retry) }
    if invocation.flag("discard") { choices.append(.discard) }
    guard choices.count <= 1 else {
      throw AppError(.invalidInput, "--keep, --retry and --discard exclude each other")
    }
    return choices.first
  }
}
