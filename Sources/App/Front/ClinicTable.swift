import DesignSystem

/// The command table of the front.
enum ClinicTable {
  /// Understands and explains every line, and does none: for what happens before a store is open.
  static let unbound = table(DependencyContainer.specs.map(ShellCommands.inert))

  /// The table with these commands.
  static func table(_ commands: [Command]) -> CommandTable {
    CommandTable(
      commands: commands, globals: FrontOptions.all,
      topics: HelpTopics.all)
  }
}
