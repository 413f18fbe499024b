extension ArgumentSpec {
  /// What stands for it in usage lines and messages.
  var placeholder: String {
    if case .choice = kind { kind.placeholder } else { name.uppercased() }
  }

  /// `NAME`, `[NAME]`, `NAME...` or `[NAME...]`.
  var usage: String {
    switch arity {
    case .required: placeholder
    case .optional: "[\(placeholder)]"
    case .rest(let atLeast): atLeast > 0 ? "\(placeholder)..." : "[\(placeholder)...]"
    }
  }
}

extension OptionSpec {
  /// `--name VALUE`, in brackets if it may be left out, with dots if it repeats.
  var usage: String {
    let form = "--\(name) \(placeholder)" + (repeats ? "..." : "")
    return isRequired ? form : "[\(form)]"
  }
}

extension CommandSpec {
  /// The usage line: capitals stand for values, `[ ]` for what may be left out, `...` for what may repeat, `|` for a choice.
  public var usage: String {
    let parts = path + arguments.map(\.usage) + options.map(\.usage) + flags.map { "[--\($0.name)]" }
    return parts.joined(separator: " ")
  }
}

extension CommandTable {
  /// What `help WORDS` answers: everything, a group of commands, one command or a topic.
  /// - Throws: if the words name none of these.
  public func help(for words: [String]) throws(UsageError) -> Page {
    if words.isEmpty { return overview }
    if words == ["topics"] { return topicList }
    if words.count == 1, let topic = topics.first(where: { $0.name == words[0] }) {
      return Page(title: topic.name, blocks: [.paragraph(sentence(topic.summary))] + topic.blocks)
    }
    if let command = command(at: words) {
      let group = commands.map(\.spec).filter { $0.path.count > words.count && $0.path.starts(with: words) }
      return help(on: command.spec, related: group)
    }
    let group = commands.map(\.spec).filter { $0.path.starts(with: words) }
    if !group.isEmpty {
      return Page(title: words.joined(separator: " "), blocks: [commandFields(group)], records: group.map(record))
    }
    let typed = words.joined(separator: " ")
    let known = commands.map(\.spec.name) + commands.compactMap(\.spec.path.first) + topics.map(\.name) + ["topics"]
    throw UsageError(
      "no help about \"\(typed)\"",
      hint: Suggestions.closest(to: typed, among: known).map { "did you mean \"help \($0)\"?" } ?? "help")
  }

  private var overview: Page {
    let specs = commands.map(\.spec)
    var blocks: [Block] = []
    var groups: [String] = []
    for spec in specs where !groups.contains(spec.path[0]) { groups.append(spec.path[0]) }
    let single = groups.filter { name in specs.count(where: { $0.path[0] == name }) == 1 }
    for group in groups where !single.contains(group) {
      blocks += [.heading(group), commandFields(specs.filter { $0.path[0] == group }), .spacer]
    }
    if !single.isEmpty {
      let title = single.count == groups.count ? "commands" : "other commands"
      blocks += [.heading(title), commandFields(specs.filter { single.contains($0.path[0]) }), .spacer]
    }
    if !globals.options.isEmpty || !globals.flags.isEmpty {
      blocks += [.heading("options of every line"), optionFields(globals.options, globals.flags), .spacer]
    }
    blocks.append(
      .paragraph(
        "\"help COMMAND\" explains a command; \"help topics\" lists what else is explained"
          + (topics.contains { $0.name == "start" } ? "; \"help start\" shows a first day." : ".")))
    return Page(title: "commands", blocks: blocks, records: specs.map(record))
  }

  private var topicList: Page {
    Page(
      title: "help topics",
      blocks: topics.isEmpty
        ? [.paragraph("There are no topics.")] : [.fields(topics.map { Field($0.name, $0.summary) })],
      records: topics.map { Record("helpTopic", ["name": .string($0.name), "summary": .string($0.summary)]) })
  }

  private func help(on spec: CommandSpec, related: [CommandSpec]) -> Page {
    var blocks: [Block] = [.commandLines([spec.usage]), .spacer, .paragraph(sentence(spec.summary))]
    blocks += spec.discussion.map { .paragraph($0) }
    let explained = spec.arguments.filter { !$0.summary.isEmpty }
    if !explained.isEmpty {
      blocks += [.spacer, .heading("arguments"), .fields(explained.map { Field($0.placeholder, $0.summary) })]
    }
    if !spec.options.isEmpty || !spec.flags.isEmpty {
      blocks += [.spacer, .heading("options"), optionFields(spec.options, spec.flags)]
    }
    if !spec.examples.isEmpty { blocks += [.spacer, .heading("examples"), .commandLines(spec.examples)] }
    if !related.isEmpty { blocks += [.spacer, .heading("see also"), commandFields(related)] }
    let everywhere = globals.options.map(\.name) + globals.flags.map(\.name)
    if !everywhere.isEmpty {
      let names = everywhere.map { "--\($0)" }.joined(separator: ", ")
      blocks += [.spacer, .paragraph("Every line also understands \(names); see \"help\".", role: .muted)]
    }
    return Page(title: spec.name, blocks: blocks, records: [record(spec)])
  }

  private func commandFields(_ specs: [CommandSpec]) -> Block {
    .fields(specs.map { Field(([$0.name] + $0.arguments.map(\.usage)).joined(separator: " "), $0.summary) })
  }

  private func optionFields(_ options: [OptionSpec], _ flags: [FlagSpec]) -> Block {
    .fields(
      options.map { option in
        var notes = [option.summary]
        if option.isRequired { notes.append("required") }
        if option.repeats { notes.append("may repeat") }
        return Field("--\(option.name) \(option.placeholder)", notes.joined(separator: "; "))
      } + flags.map { Field("--\($0.name)", $0.summary) })
  }

  private func record(_ spec: CommandSpec) -> Record {
    Record(
      "command",
      [
        "name": .string(spec.name), "usage": .string(spec.usage), "summary": .string(spec.summary),
        "writes": .bool(spec.effects == .write), "examples": .strings(spec.examples),
      ])
  }

  /// A summary as a sentence of its own.
  private func sentence(_ phrase: String) -> String {
    phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
  }
}
