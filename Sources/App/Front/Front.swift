import DesignSystem
import Domain
import Sync

/// Runs lines: one, those of scripts, and those of a session.
final class Front {
  /// A line as it came.
  nonisolated enum Input: Sendable {
    /// As text: typed, piped, or from a file.
    case text(String)
    /// As words: the arguments of the process.
    case words([String])
  }

  /// What became of a line.
  nonisolated struct Outcome: Hashable, Sendable {
    var status = ExitStatus.done
    /// Whether the session or script ends with this line.
    var quits = false
  }

  /// Where a line comes from.
  nonisolated struct Origin: Hashable, Sendable {
    var place: ScriptPlace?
    /// What `$1`, `$2`, … stand for.
    var parameters: [String]?
    /// How many scripts run around it.
    var depth = 0
    /// Whether it comes from standard input, which then cannot answer a question.
    var usesInput = false
  }

  let container: DependencyContainer
  let table: CommandTable
  let printer: Printer
  let interruption: Interruption
  let streams: FrontStreams
  /// How answers are written unless a line says otherwise.
  let style: OutputStyle
  /// Whether every question is answered with yes.
  let isConfirmed: Bool
  /// The rows that were printed; `nil` outside an interactive session.
  var rows: RowBindings?

  init(
    container: DependencyContainer, printer: Printer, interruption: Interruption, streams: FrontStreams,
    style: OutputStyle, isConfirmed: Bool
  ) {
    self.container = container
    table = ClinicTable.table(container.commands)
    self.printer = printer
    self.interruption = interruption
    self.streams = streams
    self.style = style
    self.isConfirmed = isConfirmed
  }

  /// Runs one line.
  func run(_ input: Input, from origin: Origin = Origin()) async throws(OutputClosed) -> Outcome {
    let parsed: ParsedLine
    do throws(UsageError) {
      parsed = try parse(input, from: origin)
    } catch {
      var typed: String?
      if case .text(let text) = input { typed = text }
      let words = typed?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
      try await printer.show(error, in: typed, at: origin.place, style: style.guessing(words))
      return Outcome(status: .notUnderstood)
    }
    let style = style.merging(parsed.globals)
    switch parsed.action {
    case .none: return Outcome()
    case .help(let words): return Outcome(status: try await help(words, from: origin, style: style))
    case .run(let command, let invocation):
      if let text = Documents.text(for: invocation, in: table) {
        try await printer.show(text, of: invocation, style: style)
        return Outcome()
      }
      switch command.spec.path {
      case ShellCommands.helpSpec.path:
        return Outcome(status: try await help(invocation.all("words"), from: origin, style: style))
      case ShellCommands.quitSpec.path:
        return try await quit(invocation, from: origin, style: style)
      case ShellCommands.runSpec.path:
        return Outcome(status: try await runFile(invocation, from: origin, style: style))
      default:
        var status = try await execute(command, invocation, from: origin, style: style)
        if status == .done, invocation.flag(FrontOptions.sync.name), command.spec.path != ["sync"] {
          status = try await send(from: origin, style: style)
        }
        return Outcome(status: status)
      }
    }
  }

  /// Ends the session or script, unless something would be lost that is not saved.
  private func quit(
    _ invocation: Invocation, from origin: Origin, style: OutputStyle
  ) async throws(OutputClosed) -> Outcome {
    guard container.guardsUnsaved, !invocation.confirmed, !isConfirmed, let what = container.shell.unsaved.first else {
      return Outcome(quits: true)
    }
    let question = AppError(.needsConfirmation, "\(what) is not saved; leave it?")
    if printer.canAsk(style), !origin.usesInput { return Outcome(quits: try await ask(question)) }
    return Outcome(status: try await report(.failure(question), from: origin, style: style))
  }

  /// Sends what is unsent, as `--sync` asks for.
  func send(from origin: Origin = Origin(), style: OutputStyle) async throws(OutputClosed) -> ExitStatus {
    let sync = container.sync
    letSyncEndByItself()
    defer { interruption.endsByItself = { false } }
    return try await finish(from: origin, style: style) { () async throws(AppError) -> Page in
      try await sync.sync(SyncOptions(pulls: false))
    }
  }

  private func parse(_ input: Input, from origin: Origin) throws(UsageError) -> ParsedLine {
    switch input {
    case .words(let words):
      return try table.parse(words: words, rows: nil)
    case .text(let text):
      let parsed = try table.parse(line: text, rows: rows, parameters: origin.parameters)
      if let late = parsed.globals.names.first(where: FrontOptions.atStart.contains) {
        throw UsageError("--\(late) is decided when the program starts", hint: "leave, and start: clinic --\(late) …")
      }
      return parsed
    }
  }

  private func help(
    _ words: [String], from origin: Origin, style: OutputStyle
  ) async throws(OutputClosed) -> ExitStatus {
    let page: Page
    do throws(UsageError) {
      page = try table.help(for: words)
    } catch {
      try await printer.show(error, in: nil, at: origin.place, style: style)
      return .notUnderstood
    }
    try await printer.show(page, style: style, rows: .none)
    return .done
  }

  private func execute(
    _ command: Command, _ invocation: Invocation, from origin: Origin, style: OutputStyle
  ) async throws(OutputClosed) -> ExitStatus {
    var invocation = invocation
    if isConfirmed { invocation.confirmed = true }
    let asked = invocation
    if command.spec.path == ["sync"] { letSyncEndByItself() }
    defer { interruption.endsByItself = { false } }
    if !asked.confirmed, printer.canAsk(style), !origin.usesInput {
      // The first run may only come back with a question.
      let result = await perform { () async throws(AppError) -> Page in try await command.run(asked) }
      guard case .failure(let error) = result, error.code == .needsConfirmation else {
        return try await report(result, from: origin, style: style)
      }
      _ = container.errors.take()
      guard try await ask(error) else {
        try await printer.note("Nothing was done.", style: style)
        return .needsPerson
      }
      invocation.confirmed = true
    }
    let final = invocation
    return try await finish(from: origin, style: style) { () async throws(AppError) -> Page in
      try await command.run(final)
    }
  }

  /// On a request to terminate, a sync finishes what is with the server.
  private func letSyncEndByItself() {
    let sync = container.repositories.sync
    interruption.endsByItself = { sync.requestStop() }
  }

  private func finish(
    from origin: Origin, style: OutputStyle, _ work: @escaping () async throws(AppError) -> Page
  ) async throws(OutputClosed) -> ExitStatus {
    try await report(await perform(work), from: origin, style: style)
  }

  private func perform(_ work: @escaping () async throws(AppError) -> Page) async -> Result<Page, AppError> {
    await interruption.perform {
      do throws(AppError) {
        return Result<Page, AppError>.success(try await work())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Writes what a command gave: its page, then what was presented on the way, the decisive error last.
  private func report(
    _ result: Result<Page, AppError>, from origin: Origin, style: OutputStyle
  ) async throws(OutputClosed) -> ExitStatus {
    switch result {
    case .success(let page):
      rows?.bind(page)
      try await printer.show(page, style: style, rows: rows == nil ? .ids : .numbers)
    case .failure(let error):
      container.errors.present(error)
    }
    let presented = container.errors.take()
    var errors = presented.filter { $0.presentation != .logLine || result.isFailure }.map(\.error)
    if style.isVerbose {
      for quiet in presented where !errors.contains(quiet.error) {
        try await printer.note("note: \(quiet.error.message)", style: style)
      }
    }
    let status = interruption.signal ?? ExitStatus.decisive(of: errors.map { ExitStatus($0.code) })
    if let index = errors.firstIndex(where: { ExitStatus($0.code) == status }) {
      errors.append(errors.remove(at: index))
    }
    for (index, error) in errors.enumerated() {
      let explained = error.code == .needsConfirmation ? error.refusingToGuess : error
      if style.isJSON, index < errors.count - 1 {
        // One error line ends a line's output; what is beside it is a warning.
        try await printer.show(Page(warnings: [explained.message]), style: style, rows: .none)
      } else {
        try await printer.show(explained, status: status, at: origin.place, style: style)
      }
    }
    return status
  }

  private func ask(_ question: AppError) async throws(OutputClosed) -> Bool {
    try await printer.tell(VisibleText.flat("\(question.message) [y/N] "))
    let lines = ScriptLines(streams.input)
    let answer = await interruption.perform { try? await lines.next() }
    if answer == nil { try await printer.tell("\n") }
    guard let text = answer?.text.lowercased() else { return false }
    return ["y", "yes"].contains(text.filter { !$0.isWhitespace })
  }
}

extension AppError {
  /// A question that nobody is there to answer.
  nonisolated var refusingToGuess: AppError {
    var error = self
    error.hint = "add --yes to do it without being asked" + (hint.map { "; or look first: \($0)" } ?? "")
    return error
  }
}

extension Result {
  fileprivate nonisolated var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
