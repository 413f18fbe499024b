public import DesignSystem
import Domain

/// The lines that care for the store.
public nonisolated enum StoreCommands {
  /// What the lines look like, without a store behind them.
  public static let specs = [
    doctorSpec, checkSpec, backupSpec, restoreSpec, salvageSpec, moveSpec, pruneSpec, adoptSpec,
  ]

  /// All commands, bound to a store.
  @MainActor
  public static func commands(of upkeep: StoreUpkeep) -> [Command] {
    [
      Command(doctorSpec) { _ throws(AppError) in
        let model = upkeep.model
        await model.diagnose()
        return try model.diagnosis.page(StoreScreen.page)
      },
      Command(checkSpec) { _ throws(AppError) in
        let model = upkeep.model
        await model.runCheck()
        return try model.check.page(StoreScreen.page)
      },
      Command(backupSpec) { invocation throws(AppError) in
        let model = upkeep.model
        await model.backUp(to: invocation.text("file"), replaces: invocation.confirmed)
        return try model.copy.page(StoreScreen.page)
      },
      Command(restoreSpec) { invocation throws(AppError) in
        let model = upkeep.model
        await model.restore(from: invocation.text("file"), confirmed: invocation.confirmed)
        return try model.restoration.page(StoreScreen.page)
      },
      Command(salvageSpec) { invocation throws(AppError) in
        let model = upkeep.model
        await model.salvage(confirmed: invocation.confirmed)
        return try model.salvaging.page(StoreScreen.page)
      },
      Command(moveSpec) { invocation throws(AppError) in
        let model = upkeep.model
        await model.move(to: invocation.text("dir"))
        return try model.move.page(StoreScreen.page)
      },
      Command(pruneSpec) { invocation throws(AppError) in
        let model = upkeep.model
        let count = invocation.integer("keep-opened") ?? Self.openedKept
        guard count >= 0 else {
          throw AppError(.invalidInput, "\(count) is no number of patients", field: "keep-opened")
        }
        await model.prune(keepingOpened: count, confirmed: invocation.confirmed)
        return try model.pruning.page(StoreScreen.page)
      },
      Command(adoptSpec) { invocation throws(AppError) in
        let model = upkeep.model
        await model.adopt(confirmed: invocation.confirmed)
        return try model.adoption.page { _ in StoreScreen.adopted() }
      },
    ]
  }

  static let doctorSpec = CommandSpec(
    path: ["doctor"], summary: "look at everything that keeps the program working", examples: ["doctor"],
    discussion: [
      "Each line has a verdict: ok, attention, or fault. A fault is also the exit status. The server is asked for what it "
        + "can do and whether it lets us in, unless --offline is given. No patient's data is shown."
    ])

  static let checkSpec = CommandSpec(
    path: ["store", "check"], summary: "check the store, record by record", examples: ["store check"],
    discussion: [
      "Checks the file, and that every record is shown as the server's document and the edits here make it. Reads it all."
    ])

  static let backupSpec = CommandSpec(
    path: ["store", "backup"], summary: "copy the store into a file", arguments: [fileArgument],
    examples: ["store backup /backup/clinic.sqlite --yes"],
    discussion: [
      "The copy is of one moment, also while others work; only its owner may read it. It holds patients' data and what "
        + "is unsent. A file that is there is replaced after a question; --yes is the answer in scripts."
    ])

  static let restoreSpec = CommandSpec(
    path: ["store", "restore"], summary: "put a copy in the place of the store", arguments: [fileArgument],
    examples: ["store restore /backup/clinic.sqlite --yes"], effects: .write,
    discussion: [
      "The copy is checked first. The present store is set aside in its folder and never deleted. Refused while another "
        + "process syncs or has the store open. On another machine, \"store adopt\" has to follow."
    ])

  static let salvageSpec = CommandSpec(
    path: ["store", "salvage"], summary: "go on with what can be read of a damaged store",
    examples: ["store salvage --yes"], effects: .write,
    discussion: [
      "The damaged store is set aside in its folder and never deleted. What is unsent is saved first; where it is not "
        + "certain whether the server has it already, it is put on the review list. Refused for a sound store, and while "
        + "another process syncs or has the store open."
    ])

  static let moveSpec = CommandSpec(
    path: ["store", "move"], summary: "move the store into another folder",
    arguments: [ArgumentSpec("dir", .file, summary: "a folder without a store; it is made when it is not there")],
    examples: ["store move /data/clinic"], effects: .write,
    discussion: [
      "Refused while another process syncs or has the store open. What stays behind in the old folder names the new one, "
        + "so that no line begins an empty store there by mistake. Name the new folder with --store DIR, or as \"store\" in "
        + "the profile. To take the store to another machine, use \"store backup\" and there \"store restore\"."
    ])

  static let adoptSpec = CommandSpec(
    path: ["store", "adopt"], summary: "let a store that was copied, or whose server moved, send what it holds",
    examples: ["store adopt", "store adopt --yes"], effects: .write,
    discussion: [
      "A store that finds itself on another machine sends nothing, since two copies would send the same writes. Adopt it "
        + "when the other one will not be used again.",
      "A store that is pointed at another server, by --server or the profile, is not opened. Adopt it only where the same records moved there: all is "
        + "received anew, and each record is read before an edit of it is sent.",
    ])

  static let pruneSpec = CommandSpec(
    path: ["store", "prune"], summary: "drop what left the clinic's scopes",
    options: [
      OptionSpec(
        "keep-opened", .integer, placeholder: "N",
        summary: "keep so many of the patients last opened, with their charts; \(openedKept) if not given")
    ], examples: ["store prune", "store prune --keep-opened 20 --yes"], effects: .write,
    discussion: [
      "What is dropped stays at the server, and comes again when it is opened. Never dropped: what is unsent or needs a "
        + "decision, what the profile's scopes hold, and what any of that refers to."
    ])

  /// How many of the patients last opened are kept.
  private static let openedKept = 100

  static let fileArgument = ArgumentSpec("file", .file, summary: "the file with the copy")
}
