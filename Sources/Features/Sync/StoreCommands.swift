public import DesignSystem
import Domain

/// The lines that care for the store.
public nonisolated enum StoreCommands {
  /// What the lines look like, without a store behind them.
  public static let specs = [doctorSpec, checkSpec, backupSpec, restoreSpec, adoptSpec]

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

  static let adoptSpec = CommandSpec(
    path: ["store", "adopt"], summary: "let this machine send what a copied store holds",
    examples: ["store adopt --yes"], effects: .write,
    discussion: [
      "A store that finds itself on another machine sends nothing, since two copies would send the same writes. Adopt it "
        + "when the other one will not be used again."
    ])

  private static let fileArgument = ArgumentSpec("file", .file, summary: "the file with the copy")
}
