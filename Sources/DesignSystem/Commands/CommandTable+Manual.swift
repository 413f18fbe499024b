extension CommandTable {
  /// The manual page of the program, in the macros of man(7).
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - summary: What it is, in one phrase without a full stop.
  ///   - description: Paragraphs.
  public func manual(program: String, version: String, summary: String, description: [String]) -> String {
    var page = ManualPage()
    page.macro("TH", program.uppercased(), "1", "", "\(program) \(version)", "User Commands")
    page.macro("SH", "NAME")
    page.text("\(program) - \(summary)")
    page.macro("SH", "SYNOPSIS")
    page.lines([program, "\(program) COMMAND"])
    page.macro("SH", "DESCRIPTION")
    for paragraph in description { page.paragraph(paragraph) }
    page.macro("SH", "COMMANDS")
    for spec in commands.map(\.spec) { section(of: spec, in: &page) }
    page.macro("SH", "OPTIONS OF EVERY LINE")
    for option in globals.options { page.item("--\(option.name) \(option.placeholder)", option.summary) }
    for flag in globals.flags { page.item("--\(flag.name)", flag.summary) }
    for topic in topics {
      page.macro("SH", topic.name.uppercased().split(separator: "-").joined(separator: " "))
      for block in topic.blocks { page.block(block) }
    }
    return page.source
  }

  private func section(of spec: CommandSpec, in page: inout ManualPage) {
    page.macro("SS", spec.name)
    page.lines([spec.usage])
    page.paragraph(spec.summary.prefix(1).uppercased() + spec.summary.dropFirst() + ".")
    for paragraph in spec.discussion { page.paragraph(paragraph) }
    for argument in spec.arguments where !argument.summary.isEmpty {
      page.item(argument.placeholder, argument.summary)
    }
    for option in spec.options {
      let notes = [option.summary] + (option.isRequired ? ["required"] : []) + (option.repeats ? ["may repeat"] : [])
      page.item("--\(option.name) \(option.placeholder)", notes.joined(separator: "; "))
    }
    for flag in spec.flags { page.item("--\(flag.name)", flag.summary) }
    if !spec.examples.isEmpty {
      page.paragraph(spec.examples.count == 1 ? "Example:" : "Examples:")
      page.lines(spec.examples)
    }
  }
}

/// Source of a manual page, line by line.
private struct ManualPage {
  private(set) var source = ""

  mutating func macro(_ name: String, _ arguments: String...) {
    source += ".\(name)"
    for argument in arguments { source += " \"\(Self.escaped(argument).replacing("\"", with: "\\(dq"))\"" }
    source += "\n"
  }

  mutating func text(_ text: String) {
    let escaped = Self.escaped(VisibleText.flat(text))
    // A line that begins so would be a macro.
    source += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  mutating func paragraph(_ text: String) {
    source += ".PP\n"
    self.text(text)
  }

  /// Lines that are not filled.
  mutating func lines(_ lines: [String]) {
    source += ".PP\n.nf\n"
    for line in lines { text(line) }
    source += ".fi\n"
  }

  mutating func item(_ label: String, _ text: String) {
    source += ".TP\n"
    self.text(label)
    self.text(text.isEmpty ? "\u{A0}" : text)
  }

  mutating func block(_ block: Block) {
    switch block {
    case .heading(_, let text): macro("SS", text)
    case .paragraph(let text, _): paragraph(text)
    case .fields(let fields): for field in fields { item(field.label, field.value) }
    case .commandLines(let commands): lines(commands)
    case .list(let items, _): for item in items { self.item("•", item) }
    case .notice(let notice): paragraph(notice.text)
    case .table, .badges, .plot, .spacer: break
    }
  }

  /// Backslashes as themselves, and dashes that can be copied as dashes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
