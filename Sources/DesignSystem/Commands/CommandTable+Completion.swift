/// What could come next on a line.
public struct Completion: Sendable, Equatable {
  /// A word that could stand there.
  public struct Candidate: Sendable, Hashable {
    /// The word, without quotes.
    public var word: String
    /// What it means, as a phrase; empty where the word says it.
    public var summary: String

    /// Creates a candidate.
    public init(_ word: String, summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  /// The word being typed, as far as it goes and without quotes; candidates replace it.
  public var prefix: String
  /// Where that word begins on the line, in Unicode scalars from 0.
  public var start = 0
  /// Words that the table knows, sorted and beginning with the prefix.
  public var candidates: [Candidate]
  /// The kind of value that may stand here instead, for which a feature may know candidates.
  public var kind: ValueKind?
}

extension CommandTable {
  /// What could follow the text before the cursor, which may stand inside a quote. A comment is followed by nothing.
  public func completion(for line: String) -> Completion {
    // A mark at the cursor finds the word that is being typed, whatever quotes and blanks are around it.
    let mark = "\u{1}"
    for end in ["", "'", "\""] {
      guard let words = try? LineParser().words(in: line + mark + end) else { continue }
      guard let last = words.last, last.text.hasSuffix(mark) else { break }
      let position = Position(words: words.dropLast().map(\.text), table: self)
      var completion = position.completion(of: String(last.text.dropLast()))
      completion.start = last.column - 1
      return completion
    }
    return Completion(prefix: "", candidates: [], kind: nil)
  }

  /// The same for words that are already split, the last one being typed: for shells.
  public func completion(for words: [String]) -> Completion {
    Position(words: words.dropLast().map { $0 }, table: self).completion(of: words.last ?? "")
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
    if prefix.hasPrefix("-"), !optionsEnded { return completion(ofOption: prefix) }
    let words = arguments == 0 ? matching(prefix, following) : []
    guard let argument = argument else { return Completion(prefix: prefix, candidates: words, kind: nil) }
    var completion = values(of: argument.kind, prefix: prefix)
    completion.candidates = matching(prefix, words + completion.candidates)
    return completion
  }

  /// `--na…`, or `--name=va…`.
  private func completion(ofOption prefix: String) -> Completion {
    if let equals = prefix.firstIndex(of: "="),
      let option = options.first(where: { "--" + $0.name == prefix[..<equals] })
    {
      let head = prefix[...equals]
      var completion = values(of: option.kind, prefix: String(prefix[prefix.index(after: equals)...]))
      completion.prefix = prefix
      completion.candidates = completion.candidates.map { .init(head + $0.word, summary: $0.summary) }
      // Only the table's own words can be put behind the name.
      completion.kind = nil
      return completion
    }
    let fresh = options.filter { $0.repeats || !used.contains($0.name) }
    let candidates =
      fresh.map { Completion.Candidate("--" + $0.name, summary: $0.summary) }
      + flags.filter { !used.contains($0.name) }.map { .init("--" + $0.name, summary: $0.summary) }
      + [.init("--help", summary: "explain the command")]
    return Completion(prefix: prefix, candidates: matching(prefix, candidates), kind: nil)
  }

  /// The words that can follow in the names of commands.
  private var following: [Completion.Candidate] {
    let specs = table.commands.map(\.spec).filter { $0.path.count > typed.count && $0.path.starts(with: typed) }
    return specs.map { spec in
      let word = spec.path[typed.count]
      let group = specs.filter { $0.path[typed.count] == word }
      if spec.path.count == typed.count + 1 { return .init(word, summary: spec.summary) }
      // A word that names several commands is told by what can follow it.
      if let whole = group.first(where: { $0.path.count == typed.count + 1 }) {
        return .init(word, summary: whole.summary)
      }
      return .init(word, summary: group.map { $0.path[typed.count + 1] }.joined(separator: ", "))
    }
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
    return Completion(prefix: prefix, candidates: matching(prefix, words.map { .init($0) }), kind: kind)
  }

  private func matching(_ prefix: String, _ candidates: [Completion.Candidate]) -> [Completion.Candidate] {
    var seen: Set<String> = []
    return candidates.filter { $0.word.hasPrefix(prefix) && seen.insert($0.word).inserted }
      .sorted { $0.word < $1.word }
  }
}
