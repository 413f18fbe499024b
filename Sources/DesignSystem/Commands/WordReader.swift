/// Sorts the words of one line into options, flags and arguments.
struct WordReader {
  let words: [String]
  let globals: GlobalSpecs
  /// The next word.
  var index = 0
  private(set) var wantsHelp = false
  private(set) var globalValues = OptionValues()
  private var values = OptionValues()
  /// Arguments, with the index of their word.
  private var positionals: [(text: String, word: Int)] = []
  /// Where the last value of each option stood.
  private var places: [String: [Int]] = [:]

  init(words: [String], globals: GlobalSpecs) {
    self.words = words
    self.globals = globals
  }

  static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

  /// `-5` and `-3d` are values, and `-` alone is a name for standard input.
  static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    guard let second = word.dropFirst().unicodeScalars.first else { return false }
    return !(("0"..."9").contains(second) || second == ".")
  }

  mutating func readLeadingGlobals() throws(UsageError) {
    while index < words.count, Self.isOption(words[index]), words[index] != "--" {
      if Self.isHelp(words[index]) {
        wantsHelp = true
        index += 1
      } else {
        try readOption(of: nil)
      }
    }
  }

  mutating func readAll(of spec: CommandSpec) throws(UsageError) {
    while index < words.count {
      if words[index] == "--" {
        for place in words.indices[(index + 1)...] { positionals.append((words[place], place)) }
        index = words.count
      } else if Self.isOption(words[index]) {
        try readOption(of: spec)
      } else {
        positionals.append((words[index], index))
        index += 1
      }
    }
  }

  /// Reads the option at `index`, with its value.
  private mutating func readOption(of spec: CommandSpec?) throws(UsageError) {
    let place = index
    let word = words[place]
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let typed = String(parts[0])
    let name = typed.hasPrefix("--") ? String(typed.dropFirst(2)) : ""
    let inline = parts.count > 1 ? String(parts[1]) : nil
    index += 1

    let ownFlag = spec?.flags.contains { $0.name == name } ?? false
    if ownFlag || globals.flags.contains(where: { $0.name == name }) {
      if inline != nil { throw UsageError("option \"\(typed)\" takes no value", hint: typed, word: place) }
      if ownFlag { values.flags.insert(name) } else { globalValues.flags.insert(name) }
      return
    }
    let ownOption = spec?.options.first { $0.name == name }
    guard let option = ownOption ?? globals.options.first(where: { $0.name == name }) else {
      throw unknownOption(typed, of: spec, at: place)
    }
    let value: String
    if let inline { value = inline } else { value = try nextValue(of: option, at: place) }
    if var problem = option.kind.problem(with: value) {
      problem.message = "option \"--\(name)\": \(problem.message)"
      problem.word = inline == nil ? place + 1 : place
      throw problem
    }
    let earlier = ownOption == nil ? globalValues.all(name) : values.all(name)
    if !earlier.isEmpty, !option.repeats {
      throw UsageError("option \"--\(name)\" is given twice", hint: "give it once", word: place)
    }
    places[name, default: []].append(inline == nil ? place + 1 : place)
    if ownOption == nil {
      globalValues.values[name, default: []].append(value)
    } else {
      values.values[name, default: []].append(value)
    }
  }

  private mutating func nextValue(of option: OptionSpec, at place: Int) throws(UsageError) -> String {
    guard index < words.count, !Self.isOption(words[index]) else {
      let beginsWithDash = index < words.count && words[index] != "--"
      let form = "--\(option.name) \(option.placeholder)"
      throw UsageError(
        "option \"--\(option.name)\" needs a value",
        hint: beginsWithDash ? "\(form), or --\(option.name)=\(words[index]) if that is the value" : form, word: place)
    }
    defer { index += 1 }
    return words[index]
  }

  private func unknownOption(_ typed: String, of spec: CommandSpec?, at place: Int) -> UsageError {
    let own = (spec?.options.map(\.name) ?? []) + (spec?.flags.map(\.name) ?? [])
    let all = own + globals.options.map(\.name) + globals.flags.map(\.name) + ["help"]
    let bare = String(typed.drop { $0 == "-" })
    let hint =
      Suggestions.closest(to: bare, among: all).map { "did you mean \"--\($0)\"?" }
      ?? (spec.map { "help \($0.name)" } ?? "help")
    return UsageError("unknown option \"\(typed)\"", hint: hint, word: place)
  }

  /// Gives the arguments their names and resolves references.
  func invocation(of spec: CommandSpec, rows: RowBindings?) throws(UsageError) -> Invocation {
    var given = values
    var spots = places
    var left = positionals[...]
    for argument in spec.arguments {
      let taken = try take(argument, of: spec, from: &left)
      if taken.isEmpty { continue }
      given.values[argument.name] = taken.map(\.text)
      spots[argument.name] = taken.map(\.word)
    }
    if let extra = left.first {
      throw UsageError(
        "\"\(extra.text)\" is one word too many",
        hint: spec.arguments.isEmpty ? spec.usage : "\(spec.usage); put several words of one value into quotes",
        word: extra.word)
    }
    for option in spec.options where option.isRequired && given.all(option.name).isEmpty {
      throw UsageError("option \"--\(option.name)\" is missing", hint: spec.usage)
    }
    let referring =
      spec.arguments.filter { $0.kind.isReference }.map(\.name)
      + spec.options.filter { $0.kind.isReference }.map(\.name)
    var references: [String: [RecordReference]] = [:]
    for name in referring {
      for (position, text) in given.all(name).enumerated() {
        do throws(RowError) {
          references[name, default: []].append(try RecordReference(parsing: text, rows: rows))
        } catch {
          throw UsageError(error.message, hint: error.hint, word: spots[name]?[position])
        }
      }
    }
    return Invocation(
      spec: spec, values: given.values.merging(globalValues.values) { own, _ in own },
      flags: given.flags.union(globalValues.flags), references: references)
  }

  private func take(
    _ argument: ArgumentSpec, of spec: CommandSpec, from left: inout ArraySlice<(text: String, word: Int)>
  ) throws(UsageError) -> [(text: String, word: Int)] {
    var taken: [(text: String, word: Int)] = []
    let most: Int
    let least: Int
    switch argument.arity {
    case .required: (least, most) = (1, 1)
    case .optional: (least, most) = (0, 1)
    case .rest(let atLeast): (least, most) = (atLeast, .max)
    }
    while taken.count < most, var next = left.popFirst() {
      // `tomorrow 9:30` is one value in two words.
      if argument.kind == .dateTime, ValueKind.date.problem(with: next.text) == nil, let time = left.first,
        TimeOfDay(parsing: time.text) != nil
      {
        next.text += " " + time.text
        left.removeFirst()
      }
      // Of a day and a time, the wrong time is named alone.
      if argument.kind == .dateTime, ValueKind.date.problem(with: next.text) == nil, let time = left.first,
        time.text.contains(":"), var problem = ValueKind.time.problem(with: time.text)
      {
        problem.message = "\(argument.placeholder): \(problem.message)"
        problem.word = time.word
        throw problem
      }
      // Of a day and a time, the wrong day is named alone.
      let isPair = argument.kind == .dateTime && left.first.map { TimeOfDay(parsing: $0.text) != nil } ?? false
      if var problem = (isPair ? ValueKind.date : argument.kind).problem(with: next.text) {
        problem.message = "\(argument.placeholder): \(problem.message)"
        problem.word = next.word
        throw problem
      }
      taken.append(next)
    }
    if taken.count < least {
      throw UsageError("\(argument.placeholder) is missing", hint: spec.usage)
    }
    return taken
  }
}
