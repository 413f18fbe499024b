import DesignSystem
import Domain
import Sync

/// The version of the program.
nonisolated enum Version {
  static let text = "0.1.0"
}

/// The whole program, as a function that tests can call.
enum ClinicCommand {
  /// Opens the store that settings name, and all that stands on it.
  typealias Opener = @Sendable (Settings) async throws(AppError) -> Repositories

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - arguments: The process's arguments without its name.
  ///   - stores: What cares for a store that cannot be opened.
  ///   - open: Makes the repositories, once it is known that a store is needed.
  /// - Returns: The exit status.
  static func run(
    arguments: [String], environment variables: [String: String], streams: FrontStreams,
    interruption: Interruption = Interruption(), clock: WallClock,
    stores: @escaping @Sendable (Settings) -> (any StoreMaintaining)? = { _ in nil }, open: Opener
  ) async -> Int32 {
    let environment = Environment(variables)
    let start = Start(
      arguments: arguments, environment: environment, streams: streams,
      printer: Printer(streams: streams, environment: environment, interruption: interruption),
      interruption: interruption, clock: clock,
      stores: stores)
    do throws(OutputClosed) {
      let status = try await start.run(open)
      return (interruption.signal ?? status).rawValue
    } catch {
      // Whoever read the results has what they wanted: that is no failure.
      return ExitStatus.done.rawValue
    }
  }
}

/// The start of the program: what its arguments ask for, and what has to be opened for it.
private struct Start {
  let arguments: [String]
  let environment: Environment
  let streams: FrontStreams
  let printer: Printer
  let interruption: Interruption
  let clock: WallClock
  let stores: @Sendable (Settings) -> (any StoreMaintaining)?

  func run(_ open: ClinicCommand.Opener) async throws(OutputClosed) -> ExitStatus {
    let parsed: ParsedLine
    do throws(UsageError) {
      parsed = try ClinicTable.unbound.parse(words: arguments, rows: nil)
    } catch {
      try await printer.show(error, in: nil, at: nil, style: OutputStyle().guessing(arguments))
      return .notUnderstood
    }
    let style = OutputStyle().merging(parsed.globals)
    if parsed.globals.flag(FrontOptions.version.name) { return try await showVersion(style) }
    switch parsed.action {
    case .help(let words):
      // What stands beside --help was not read.
      return try await help(words, style.guessing(arguments))
    case .run(_, let invocation) where Documents.text(for: invocation, in: ClinicTable.unbound) != nil:
      let text = Documents.text(for: invocation, in: ClinicTable.unbound) ?? ""
      try await printer.show(text, of: invocation, style: style)
      return .done
    case .run(let command, let invocation) where command.spec.path == ShellCommands.helpSpec.path:
      return try await help(invocation.all("words"), style)
    case .none, .run:
      return try await work(parsed, style, open)
    }
  }

  private func work(
    _ parsed: ParsedLine, _ style: OutputStyle, _ open: ClinicCommand.Opener
  ) async throws(OutputClosed) -> ExitStatus {
    let settings: Settings
    let repositories: Repositories
    do throws(AppError) {
      settings = try await Settings.resolve(parsed.globals, environment: environment)
    } catch {
      let status = ExitStatus(error.code)
      try await printer.show(error, status: status, at: nil, style: style)
      return status
    }
    do throws(AppError) {
      repositories = try await open(settings)
    } catch {
      if case .run(let command, let invocation) = parsed.action, let stores = stores(settings),
        StoreCommands.specs.contains(command.spec)
      {
        let rescue = Rescue(
          stores: stores, settings: settings, clock: clock, printer: printer, interruption: interruption)
        return try await rescue.run(invocation, isConfirmed: parsed.globals.flag(FlagSpec.yes.name), style: style)
      }
      let status = ExitStatus(error.code)
      try await printer.show(error, status: status, at: nil, style: style)
      return status
    }
    let status: Result<ExitStatus, OutputClosed>
    do throws(OutputClosed) {
      status = .success(try await run(parsed, style, settings, repositories))
    } catch {
      status = .failure(error)
    }
    await repositories.close()
    return try status.get()
  }

  private func run(
    _ parsed: ParsedLine, _ style: OutputStyle, _ settings: Settings, _ repositories: Repositories
  ) async throws(OutputClosed) -> ExitStatus {
    let visible = VisiblePatient()
    let container = DependencyContainer(
      settings: settings, repositories: repositories, files: ConsoleFiles(input: freeInput(parsed)), clock: clock,
      reading: reading(parsed),
      currentPatient: { visible.id },
      progress: { printer.progress($0, at: clock.now(), style: style) },
      announce: { page in
        do throws(OutputClosed) { try await printer.show(page, style: style, rows: .none) } catch { return false }
        return true
      })
    let front = Front(
      container: container, printer: printer, interruption: interruption, streams: streams, style: style,
      isConfirmed: parsed.globals.flag(FlagSpec.yes.name))
    if style.isVerbose { try await tellSettings(settings, style) }
    guard case .none = parsed.action else {
      return try await front.run(.words(arguments)).status
    }
    let status: ExitStatus
    if streams.inputIsTerminal {
      let endSession = repositories.beginSession()
      let outcome: Result<ExitStatus, OutputClosed>
      do throws(OutputClosed) { outcome = .success(try await front.converse(visible)) } catch {
        outcome = .failure(error)
      }
      await endSession()
      status = try outcome.get()
    } else {
      status = try await front.runScript(
        streams.input, name: "standard input", from: Front.Origin(usesInput: true), keepsGoing: false)
    }
    guard status == .done, parsed.globals.flag(FrontOptions.sync.name) else { return status }
    return try await front.send(style: style)
  }

  /// One line alone never waits for the network, nor asks it for anything, unless it says so. A session asks behind its
  /// answers.
  private func reading(_ parsed: ParsedLine) -> ReadMode {
    if parsed.globals.flag(FlagSpec.fresh.name) { return .settled }
    guard case .run = parsed.action else { return .atOnce }
    return isScript(parsed) ? .atOnce : .local
  }

  /// Standard input, where a line may read it: not where lines come from it.
  private func freeInput(_ parsed: ParsedLine) -> (any LineSource)? {
    guard case .run(_, let invocation) = parsed.action else { return nil }
    return isScript(parsed) && invocation.text("file") == "-" ? nil : streams.input
  }

  private func isScript(_ parsed: ParsedLine) -> Bool {
    guard case .run(let command, _) = parsed.action else { return false }
    return command.spec.path == ShellCommands.runSpec.path
  }

  private func help(_ words: [String], _ style: OutputStyle) async throws(OutputClosed) -> ExitStatus {
    let page: Page
    do throws(UsageError) {
      page = try ClinicTable.unbound.help(for: words)
    } catch {
      try await printer.show(error, in: nil, at: nil, style: style)
      return .notUnderstood
    }
    try await printer.show(page, style: style, rows: .none)
    return .done
  }

  private func showVersion(_ style: OutputStyle) async throws(OutputClosed) -> ExitStatus {
    let page = Page(
      blocks: [.paragraph("clinic \(Version.text)")],
      records: [Record("version", ["version": .string(Version.text)])])
    try await printer.show(page, style: style, rows: .none)
    return .done
  }

  private func tellSettings(_ settings: Settings, _ style: OutputStyle) async throws(OutputClosed) {
    let server = settings.server ?? "none"
    try await printer.note(
      "store \(settings.storeDirectory), server \(server), zone \(settings.zone), profile \(settings.profile)"
        + (settings.isOffline ? ", offline" : ""), style: style)
  }
}
