import DesignSystem

/// Texts for other programs that the command table gives: completion scripts and the manual page. They need no store.
nonisolated enum Documents {
  /// The text that a line asks for; `nil` where it asks for something else.
  static func text(for invocation: Invocation, in table: CommandTable) -> String? {
    switch invocation.spec.path {
    case ShellCommands.completionsSpec.path:
      let what = invocation.text("shell")
      return what == "line"
        ? Completions.candidates(for: invocation.text("text"), in: table) : Completions.script(for: what)
    case ShellCommands.helpSpec.path where invocation.flag("man"):
      return manual(table)
    default:
      return nil
    }
  }

  private static func manual(_ table: CommandTable) -> String {
    table.manual(
      program: "clinic", version: Version.text, summary: "a clinic's records, with or without the network",
      description: [
        "Finds patients, keeps the schedule, and records visits in a store on this machine. Every answer comes from that "
          + "store at once; every change is durable there first, and reaches the clinic's FHIR server later, exactly once.",
        "Without a command it is a session: a prompt on a terminal, lines from a pipe otherwise. With one it does one "
          + "line and ends.",
      ])
  }

  /// How it is written: as it stands, or as a record for programs.
  static func page(_ text: String, of invocation: Invocation) -> Page {
    Page(records: [Record("document", ["name": .string(name(of: invocation)), "text": .string(text)])])
  }

  private static func name(of invocation: Invocation) -> String {
    invocation.spec.path == ShellCommands.helpSpec.path ? "manual" : "completions \(invocation.text("shell"))"
  }
}
