/// A line that was understood.
public struct ParsedLine: Sendable {
  /// What the line asks for.
  public enum Action: Sendable {
    /// Nothing: the line has at most global options.
    case none
    /// Help about these words, which may be none; from `--help`.
    case help([String])
    /// A command.
    case run(Command, Invocation)
  }

  /// What is to be done.
  public var action: Action
  /// The global options and flags. A command's invocation contains them too.
  public var globals: OptionValues
}

/// Values of options by name, in the order given, and flags.
public struct OptionValues: Sendable, Equatable {
  var values: [String: [String]] = [:]
  var flags: Set<String> = []

  /// No options at all.
  public init() {}

  /// The last value of an option, if given.
  public func option(_ name: String) -> String? { values[name]?.last }

  /// All values of an option, in the order given.
  public func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Whether a flag is given.
  public func flag(_ name: String) -> Bool { flags.contains(name) }

  /// The names of the options and flags that are given, sorted.
  public var names: [String] { (Array(values.keys) + Array(flags)).sorted() }
}

extension CommandTable {
  /// Understands a typed, piped or scripted line.
  /// - Parameters:
  ///   - rows: The rows printed in this session; nil outside one, where row numbers are refused.
  ///   - parameters: The arguments of the script; nil where `$1` has no meaning.
  public func parse(
    line: String, rows: RowBindings?, parameters: [String]? = nil
  ) throws(UsageError) -> ParsedLine {
    let words = try LineParser(parameters: parameters).words(in: line)
    do throws(UsageError) {
      return try parse(words: words.map(\.text), rows: rows)
    } catch {
      var located = error
      if let word = error.word, words.indices.contains(word) { located.column = words[word].column }
      throw located
    }
  }

  /// Understands words that are already split, such as the arguments of the process.
  public func parse(words: [String], rows: RowBindings?) throws(UsageError) -> ParsedLine {
    var reader = WordReader(words: words, globals: globals)
    try reader.readLeadingGlobals()
    let rest = Array(words[reader.index...])
    guard let command = command(matching: rest) else {
      if reader.wantsHelp || rest.contains(where: WordReader.isHelp) {
        return ParsedLine(action: .help(rest.filter { !$0.hasPrefix("-") }), globals: reader.globalValues)
      }
      if rest.isEmpty { return ParsedLine(action: .none, globals: reader.globalValues) }
      throw unknownCommand(rest, at: reader.index)
    }
    let spec = command.spec
    if reader.wantsHelp || rest.prefix(while: { $0 != "--" }).contains(where: WordReader.isHelp) {
      return ParsedLine(action: .help(spec.path), globals: reader.globalValues)
    }
    reader.index += spec.path.count
    try reader.readAll(of: spec)
    let invocation = try reader.invocation(of: spec, rows: rows)
    return ParsedLine(action: .run(command, invocation), globals: reader.globalValues)
  }

  private func unknownCommand(_ words: [String], at index: Int) -> UsageError {
    let typed = words.prefix { !$0.hasPrefix("-") }
    guard let first = typed.first else {
      return UsageError("a command is missing before \"\(words[0])\"", hint: "help", word: index)
    }
    let members = commands.map(\.spec).filter { $0.path.count > 1 && $0.path[0] == first }
    if !members.isEmpty {
      let names = members.map { $0.path.dropFirst().joined(separator: " ") }
      guard typed.count > 1 else {
        return UsageError(
          "\"\(first)\" needs a word behind it: \(names.joined(separator: ", "))", hint: "help \(first)", word: index)
      }
      let second = typed[typed.startIndex + 1]
      let meant = Suggestions.closest(to: second, among: names)
      return UsageError(
        "unknown command \"\(first) \(second)\"",
        hint: meant.map { "did you mean \"\(first) \($0)\"?" }
          ?? "\"\(first)\" knows: \(names.joined(separator: ", "))",
        word: index + 1)
    }
    return UsageError(
      "unknown command \"\(first)\"",
      hint: meantCommand(by: Array(typed)).map { "did you mean \"\($0)\"?" } ?? "help lists all commands", word: index)
  }

  /// The command that was probably meant: its whole name with a typing error, its first word with one, or its last
  /// word alone.
  private func meantCommand(by typed: [String]) -> String? {
    let specs = commands.map(\.spec)
    for length in Set(specs.map(\.path.count)).sorted(by: >) where length <= typed.count {
      let names = specs.filter { $0.path.count == length }.map(\.name)
      if let meant = Suggestions.closest(to: typed.prefix(length).joined(separator: " "), among: names) {
        return meant
      }
    }
    if let spec = specs.first(where: { $0.path.last == typed[0] }) { return spec.name }
    return Suggestions.closest(to: typed[0], among: specs.map { $0.path[0] })
  }
}
