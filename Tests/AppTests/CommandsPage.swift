import DesignSystem

/// `Docs/Commands.md`, made from the table that parses.
enum CommandsPage {
  static func markdown(_ table: CommandTable) -> String {
    var lines = [
      "# Commands", "",
      "Made from the command table: change the table, then run the tests with `UPDATE_FIXTURES=1`.",
      "The same lines work as arguments of `clinic`, in scripts, from a pipe and at the prompt.", "",
    ]
    for spec in table.commands.map(\.spec) { lines += section(spec) }
    lines += ["## Options of every line", ""]
    lines += self.table(table.globals.options.map(row) + table.globals.flags.map(row))
    lines += ["Help topics: " + table.topics.map { "`help \($0.name)` (\($0.summary))" }.joined(separator: ", ") + "."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ spec: CommandSpec) -> [String] {
    var lines = [
      "## `\(spec.name)`", "", "```", spec.usage, "```", "",
      spec.summary.prefix(1).uppercased() + spec.summary.dropFirst() + ".",
    ]
    lines += spec.discussion
    lines.append("")
    let arguments = spec.arguments.filter { !$0.summary.isEmpty }.map { ("`\($0.name.uppercased())`", $0.summary) }
    let rows = arguments + spec.options.map(row) + spec.flags.map(row)
    if !rows.isEmpty { lines += table(rows) }
    if !spec.examples.isEmpty { lines += ["```"] + spec.examples + ["```", ""] }
    return lines
  }

  private static func row(_ option: OptionSpec) -> (String, String) {
    var notes = [option.summary]
    if option.isRequired { notes.append("required") }
    if option.repeats { notes.append("may repeat") }
    return ("`--\(option.name) \(option.placeholder)`", notes.joined(separator: "; "))
  }

  private static func row(_ flag: FlagSpec) -> (String, String) { ("`--\(flag.name)`", flag.summary) }

  private static func table(_ rows: [(String, String)]) -> [String] {
    // A bar inside a code span would still end the cell.
    ["| What | Meaning |", "| --- | --- |"]
      + rows.map {
        "| \($0.0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")) | \($0.1) |"
      }
      + [""]
  }
}
