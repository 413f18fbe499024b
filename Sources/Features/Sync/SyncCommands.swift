public import DesignSystem
import Domain

/// The lines of the sync feature.
public nonisolated enum SyncCommands {
  /// What the lines look like, without a feature behind them.
  public static let specs = [
    syncSpec, statusSpec, whySpec, outboxSpec, outboxShowSpec, outboxDiscardSpec, outboxExportSpec, reviewSpec,
    reviewShowSpec,
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
          return try model.plan.page { SyncScreen.page(plan: $0, zone: feature.context.zone) }
        }
        let options = SyncOptions(
          pushes: !invocation.flag("no-push"), pulls: !invocation.flag("no-pull"),
          maximumTime: invocation.seconds("max-time").map { .seconds($0) }, waits: invocation.flag("wait"),
          untilEmpty: invocation.flag("until-empty"), logFile: invocation.option("log"),
          maximumBytes: invocation.bytes("max-bytes"))
        guard options.pushes || options.pulls else {
          throw AppError(.invalidInput, "--no-push and --no-pull together leave nothing to do")
        }
        guard invocation.flag("watch") else { return try await feature.sync(options) }
        guard !options.untilEmpty else {
          throw AppError(.invalidInput, "--watch and --until-empty exclude each other")
        }
        return try await feature.watch(options)
      },
      Command(statusSpec) { invocation throws(AppError) in
        let model = feature.syncModel
        await model.loadStatus(reading: feature.context.reading(for: invocation))
        feature.coordinator.showSyncStatus()
        let (age, review) = (invocation.seconds("warn-age"), invocation.integer("warn-review"))
        guard age != nil || review != nil else { return try model.status.page(SyncScreen.page) }
        guard review ?? 0 >= 0 else {
          throw AppError(.invalidInput, "\(review ?? 0) is no number of items", field: "warn-review")
        }
        let limits = SyncStatusDisplay.Limits(age: age, review: review ?? 0)
        model.presentTroubles(beyond: limits)
        return try model.status.page { SyncScreen.health($0, beyond: limits, at: feature.context.clock.now()) }
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
      Command(outboxExportSpec) { invocation throws(AppError) in
        let model = feature.outboxModel
        await model.export(to: invocation.text("file"), replaces: invocation.confirmed)
        return try model.exporting.page(OutboxScreen.page)
      },
    ]
  }

  static let syncSpec = CommandSpec(
    path: ["sync"], summary: "send what is unsent, then receive what changed",
    options: [
      OptionSpec("max-time", .duration, summary: "end cleanly after this time"),
      OptionSpec("max-bytes", .size, summary: "end cleanly when so much was sent and received; with --watch, per pass"),
      OptionSpec("log", .file, summary: "add a line for machines to this file for every pass"),
    ],
    flags: [
      FlagSpec("wait", summary: "wait for another sync to end, instead of failing"),
      FlagSpec("until-empty", summary: "go on, with pauses, until nothing is left that could be sent"),
      FlagSpec("watch", summary: "go on until it is ended, with pauses that grow while nothing happens"),
      FlagSpec("plan", summary: "show the requests of a sync, in order and why, and send nothing"),
      FlagSpec("no-pull", summary: "only send"), FlagSpec("no-push", summary: "only receive"),
    ],
    examples: [
      "sync", "sync --plan", "sync --watch", "sync --wait --until-empty --max-time 30min --log sync.log",
      "sync --max-bytes 10MB",
    ],
    discussion: [
      "The exit status says what is left: 7 the store cannot be used, 6 another sync is running, 5 sign-in needed, "
        + "4 the server was not reached, 3 something needs a decision, 8 stopped by the time or the bytes, or told to come "
        + "back later. What was cut goes on with the next sync.",
      "The signals TERM and HUP let it finish what is with the server, for up to 5 seconds; then it ends with status 143. --max-time bounds waiting too. "
        + "The log holds counts and kinds of trouble, never a patient's data, and may be rotated at any time.",
    ])

  static let statusSpec = CommandSpec(
    path: ["sync", "status"], summary: "show how far the store and the server are apart",
    options: [
      OptionSpec(
        "warn-age", .duration, summary: "fail when the last complete sync or an unsent write is older than this"),
      OptionSpec("warn-review", .integer, summary: "fail when more items need a decision; 0 if not given"),
    ],
    examples: ["sync status", "sync status --warn-age 4h", "sync status --warn-age 4h --warn-review 5"],
    discussion: [
      "With --warn-age or --warn-review it is one line, for monitoring. The exit status is 3 when more items than that need a "
        + "decision, else 8 when something is older than that, else 0. No request is made."
    ])

  static let whySpec = CommandSpec(
    path: ["why"], summary: "explain why a record looks as it does",
    arguments: [ArgumentSpec("ref", .patient, summary: "an id, an identifier or a row's number")],
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

  static let outboxExportSpec = CommandSpec(
    path: ["outbox", "export"], summary: "write what is unsent into a file, as a FHIR transaction",
    arguments: [ArgumentSpec("file", .file, summary: "the file; only its owner may read it")],
    examples: ["outbox export unsent.json"],
    discussion: [
      "Each record is in it once, as its edits together make it; those that need a decision as well. Nothing is sent, and "
        + "the outbox stays as it is. A file that is there is replaced after a question; --yes is the answer in scripts."
    ])

  private static let entryArgument = ArgumentSpec("entry", .integer, summary: "the number of the entry")

  static func number(_ name: String, _ invocation: Invocation) throws(AppError) -> Int64 {
    guard let number = invocation.integer(name), number > 0 else {
      throw AppError(.invalidInput, "\"\(invocation.text(name))\" is no number of an \(name)", field: name)
    }
    return Int64(number)
  }
}
