/// What could come next on a line.
public struct Completion: Sendable, Equatable {
  /// The word being typed, as far as it goes; candidates replace it.
  public var prefix: String
  /// Words that the table knows, sorted and beginning with the prefix.
  public var candidates: [String]
  /// The kind of value that may stand here instead, for which a feature may know candidates.
  public var kind: ValueKind?
}

extension CommandTable {
  /// What could follow the text before the cursor. A line that cannot be split, such as one inside a quote, gives nothing.
  public func completion(for line: String) -> Completion {
    guard var words = try? LineParser().words(in: line).map(\.text) else {
      return Completion(prefix: "", candidates: [], kind: nil)
    }
    let startsWord = line.unicodeScalars.last.map { $0 == " " || $0 == "\t" } ?? true
    let prefix = startsWord ? "" : words.popLast() ?? ""
    let position = Position(words: words, table: self)
    return position.completion(of: prefix)
  }
}

/// Where on a line a word is being typed.
private struct Position {
  let table: CommandTable
  /// The words in front that are no global options.
  private var typed: [String] = []
  private var spec: CommandSpec?
  /// The option whose value comes next.
  private var pending: OptionSpec?
  private var used: Set<String> = []
  private var arguments = 0
  private var optionsEnded = false

  init(words: [String], table: CommandTable) {
    self.table = table
    for word in words { take(word) }
  }

  private mutating func take(_ word: String) {
    if pending != nil {
      pending = nil
    } else if word == "--", spec != nil {
      optionsEnded = true
    } else if WordReader.isOption(word), !optionsEnded {
      let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      used.insert(name)
      if parts.count == 1 { pending = options.first { $0.name == name } }
    } else if let longer = table.command(at: typed + [word]), arguments == 0 {
      spec = longer.spec
      typed.append(word)
    } else if spec == nil {
      typed.append(word)
    } else {
      arguments += 1
    }
  }

  private var options: [OptionSpec] { (spec?.options ?? []) + table.globals.options }
  private var flags: [FlagSpec] { (spec?.flags ?? []) + table.globals.flags }

  func completion(of prefix: String) -> Completion {
    if let pending { return values(of: pending.kind, prefix: prefix) }
    if prefix.hasPrefix("-"), !optionsEnded {
      let fresh = options.filter { $0.repeats || !used.contains($0.name) }.map(\.name)
      let names = fresh + flags.map(\.name).filter { !used.contains($0) } + ["help"]
      return Completion(prefix: prefix, candidates: matching(prefix, names.map { "--" + $0 }), kind: nil)
    }
    let paths = table.commands.map(\.spec.path)
    let following = paths.filter { $0.count > typed.count && $0.starts(with: typed) }.map { $0[typed.count] }
    let words = arguments == 0 ? matching(prefix, following) : []
    guard let argument = argument else { return Completion(prefix: prefix, candidates: words, kind: nil) }
    var completion = values(of: argument.kind, prefix: prefix)
    completion.candidates = (words + completion.candidates).sorted()
    return completion
  }

  private var argument: ArgumentSpec? {
    guard let spec, let last = spec.arguments.last else { return nil }
    if arguments < spec.arguments.count { return spec.arguments[arguments] }
    if case .rest = last.arity { return last }
    return nil
  }

  private func values(of kind: ValueKind, prefix: String) -> Completion {
    let words: [String] =
      switch kind {
      case .choice(let words): words
      case .date, .dateTime: ["today", "tomorrow", "yesterday"]
      default: []
      }
    return Completion(prefix: prefix, candidates: matching(prefix, words), kind: kind)
  }

  private func matching(_ prefix: String, _ words: [String]) -> [String] {
    Set(words.filter { $0.hasPrefix(prefix) }).sorted()
  }
}
