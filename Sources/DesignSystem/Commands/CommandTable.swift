/// All commands of a front. It parses lines, explains commands and completes words from the same specifications.
public struct CommandTable: Sendable {
  /// In the order in which `help` lists them.
  public var commands: [Command]
  /// Options and flags that every line understands, before or behind the command's name.
  public var globals: GlobalSpecs
  /// Texts that `help` offers beside the commands.
  public var topics: [HelpTopic]

  /// Creates a table. `problems()` tells whether it contradicts itself.
  public init(commands: [Command], globals: GlobalSpecs = GlobalSpecs(), topics: [HelpTopic] = []) {
    self.commands = commands
    self.globals = globals
    self.topics = topics
  }

  /// The command with exactly this path.
  public func command(at path: [String]) -> Command? {
    commands.first { $0.spec.path == path }
  }

  /// The command whose path is the longest beginning of `words`. Abbreviations are not understood: a script that uses
  /// one would change its meaning when a command is added.
  func command(matching words: [String]) -> Command? {
    commands.filter { words.starts(with: $0.spec.path) }.max { $0.spec.path.count < $1.spec.path.count }
  }

  /// The command that the words of a line name, behind options that every line understands.
  public func command(named words: [String]) -> Command? {
    var reader = WordReader(words: words, globals: globals)
    guard (try? reader.readLeadingGlobals()) != nil else { return nil }
    return command(matching: Array(words[reader.index...]))
  }

  /// Contradictions in the specifications, for a test: names given twice, arguments in an impossible order, examples
  /// that do not parse.
  public func problems() -> [String] {
    var problems: [String] = []
    var paths: Set<[String]> = []
    for spec in commands.map(\.spec) {
      if !paths.insert(spec.path).inserted { problems.append("\(spec.name): defined twice") }
      if spec.summary.isEmpty || spec.summary.hasSuffix(".") {
        problems.append("\(spec.name): the summary is empty or ends with a full stop")
      }
      let names =
        spec.arguments.map(\.name) + (spec.options + globals.options).map(\.name)
        + (spec.flags + globals.flags).map(\.name)
      for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
        problems.append("\(spec.name): the name \(name) is used twice")
      }
      problems += orderProblems(of: spec)
      for example in spec.examples {
        do {
          let words = try LineParser().words(in: example).map(\.text)
          let parsed = try parse(words: words, rows: RowBindings(targets: Self.exampleRows))
          guard case .run(let command, _) = parsed.action, command.spec.path == spec.path else {
            problems.append("\(spec.name): the example \"\(example)\" is another command")
            continue
          }
        } catch {
          problems.append("\(spec.name): the example \"\(example)\": \(error.message)")
        }
      }
    }
    return problems
  }

  /// Examples may use the numbers of rows.
  private static let exampleRows = Array(repeating: RowTarget(kind: "Patient", id: "example"), count: 9)

  private func orderProblems(of spec: CommandSpec) -> [String] {
    var problems: [String] = []
    var seenOptional = false
    for (index, argument) in spec.arguments.enumerated() {
      switch argument.arity {
      case .required:
        if seenOptional { problems.append("\(spec.name): \(argument.name) follows an optional argument") }
      case .optional:
        seenOptional = true
      case .rest:
        if index != spec.arguments.count - 1 { problems.append("\(spec.name): \(argument.name) must be last") }
      }
    }
    return problems
  }
}

/// Options and flags that every line understands.
public struct GlobalSpecs: Sendable, Equatable {
  /// Options with a value.
  public var options: [OptionSpec]
  /// Options without a value.
  public var flags: [FlagSpec]

  /// Creates global options; none unless given.
  public init(options: [OptionSpec] = [], flags: [FlagSpec] = []) {
    self.options = options
    self.flags = flags
  }
}

/// A text of `help` that is not about one command.
public struct HelpTopic: Sendable, Equatable {
  /// One word, as in `help dates`.
  public var name: String
  /// One phrase without a full stop.
  public var summary: String
  /// The text itself.
  public var blocks: [Block]

  /// Creates a topic.
  public init(_ name: String, summary: String, blocks: [Block]) {
    self.name = name
    self.summary = summary
    self.blocks = blocks
  }
}
