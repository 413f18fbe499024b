import DesignSystem
import Domain

/// The lines of the shell itself.
nonisolated enum ShellCommands {
  /// All commands, bound to a container. `help`, `run`, `completions` and `quit` are done by the front.
  @MainActor
  static func commands(of container: DependencyContainer) -> [Command] {
    [
      Command(goSpec) { invocation throws(AppError) in
        let place = try container.shell.place(link: invocation.text("link"))
        // Where one is already is not left.
        if place == container.shell.place {
          return try await container.page(at: place, reading: container.context.reading(for: invocation))
        }
        try mayLeave(place.tab, of: container, invocation)
        // Only a place that can be shown is gone to: otherwise one stays where one is.
        let page = try await container.page(at: place, reading: container.context.reading(for: invocation))
        container.shell.dismissPresented(in: place.tab)
        container.shell.open(place)
        return page
      },
      Command(backSpec) { invocation throws(AppError) in
        try mayLeave(container.shell.tab, of: container, invocation)
        guard container.shell.back() else {
          throw AppError(.notAllowed, "this is where \(container.shell.tab.rawValue) begins", hint: "home")
        }
        return try await container.page(
          at: container.shell.place, reading: container.context.reading(for: invocation))
      },
      Command(homeSpec) { invocation throws(AppError) in
        if let first = container.shell.tabs.first { try mayLeave(first.name, of: container, invocation) }
        container.shell.home()
        return try await container.page(
          at: container.shell.place, reading: container.context.reading(for: invocation))
      },
    ] + UserCommands.commands(of: container) + [helpSpec, runSpec, completionsSpec, quitSpec].map(inert)
  }

  /// Asks before something that is not saved is lost with what a tab presents.
  ///
  /// - Throws: `needsConfirmation`.
  @MainActor
  private static func mayLeave(
    _ tab: Tab, of container: DependencyContainer, _ invocation: Invocation
  ) throws(AppError) {
    guard container.guardsUnsaved, !invocation.confirmed, let what = container.shell.unsaved(in: tab) else { return }
    throw AppError(.needsConfirmation, "\(what) is not saved; leave it?")
  }

  /// A command that the front does itself.
  static func inert(_ spec: CommandSpec) -> Command {
    Command(spec) { _ throws(AppError) in Page() }
  }

  static let specs =
    [goSpec, backSpec, homeSpec] + UserCommands.specs + [helpSpec, runSpec, completionsSpec, quitSpec]

  static let goSpec = CommandSpec(
    path: ["go"], summary: "go to a place by its link",
    arguments: [ArgumentSpec("link", .text, summary: "a clinic:// link")],
    examples: ["go clinic://patients/p-1", "go clinic://schedule/2026-12-01", "go clinic://sync/review/3"],
    discussion: ["A link that leads nowhere says why, and leaves you where you are."])

  static let backSpec = CommandSpec(path: ["back"], summary: "go back by one place", examples: ["back"])

  static let homeSpec = CommandSpec(path: ["home"], summary: "go to the recent patients", examples: ["home"])

  static let helpSpec = CommandSpec(
    path: ["help"], summary: "explain a command or a topic",
    arguments: [ArgumentSpec("words", .text, .rest(atLeast: 0), summary: "the words of a command, or a topic")],
    flags: [FlagSpec("man", summary: "write the manual page, for man")],
    examples: ["help", "help patients register", "help topics"])

  static let runSpec = CommandSpec(
    path: ["run"], summary: "run the lines of a file",
    arguments: [
      ArgumentSpec("file", .file, summary: "the script; - for standard input"),
      ArgumentSpec("arguments", .text, .rest(atLeast: 0), summary: "what $1, $2, … stand for in it"),
    ],
    flags: [
      FlagSpec("keep-going", summary: "go on behind a line that fails"),
      FlagSpec("echo", summary: "show each line on standard error before it is run"),
    ],
    examples: ["run day.clinic", "run day.clinic MRN-0909 --keep-going"],
    discussion: [
      "Stops at the first line that fails, and ends with its exit status. A question is never answered by the "
        + "script's next line: lines that ask need --yes."
    ])

  static let completionsSpec = CommandSpec(
    path: ["completions"], summary: "write a script with which a shell completes clinic's lines",
    arguments: [
      ArgumentSpec("shell", .choice(Completions.shells + ["line"])),
      ArgumentSpec("text", .text, .rest(atLeast: 0), summary: "for line: what was typed so far, as one word"),
    ],
    examples: ["completions bash", "completions line -- 'patients s'"],
    discussion: [
      "The scripts ask \"completions line\" for what could follow. It answers with a word a line, behind a tab with its "
        + "meaning; \":files\" stands for the names of files. Scripts/install puts the scripts where shells find them."
    ])

  static let quitSpec = CommandSpec(path: ["quit"], summary: "leave the session", examples: ["quit"])
}
