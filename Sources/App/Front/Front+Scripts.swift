import DesignSystem
import Domain

extension Front {
  /// How deep scripts may call scripts: a script that calls itself must end.
  private static let deepest = 8

  /// Runs the file that a line names.
  func runFile(_ invocation: Invocation, from origin: Origin, style: OutputStyle) async throws(OutputClosed)
    -> ExitStatus
  {
    let name = invocation.text("file")
    var inner = Origin()
    inner.parameters = invocation.all("arguments")
    inner.depth = origin.depth + 1
    inner.usesInput = origin.usesInput || name == "-"
    let source: any LineSource
    do throws(AppError) {
      guard inner.depth <= Self.deepest else {
        throw AppError(.invalidInput, "scripts call each other more than \(Self.deepest) deep")
      }
      source = name == "-" ? streams.input : try FileLineSource(path: name)
    } catch {
      let status = ExitStatus(error.code)
      try await printer.show(error, status: status, at: origin.place, style: style)
      return status
    }
    return try await runScript(
      source, name: name == "-" ? "standard input" : name, from: inner, keepsGoing: invocation.flag("keep-going"),
      echoes: invocation.flag("echo"))
  }

  /// Runs lines until they end, one fails, or one quits.
  ///
  /// - Returns: The status of the first line that failed.
  func runScript(
    _ source: any LineSource, name: String, from origin: Origin, keepsGoing: Bool, echoes: Bool = false
  ) async throws(OutputClosed) -> ExitStatus {
    container.isSession = true
    let lines = ScriptLines(source)
    var status = ExitStatus.done
    while interruption.signal == nil {
      let outcome: Outcome
      switch await read(lines) {
      case .success(nil):
        return interruption.signal ?? status
      case .failure(let error):
        outcome = Outcome(status: ExitStatus(error.code))
        let place = ScriptPlace(file: name, line: max(lines.number, 1))
        try await printer.show(error, status: outcome.status, at: place, style: style)
      case .success(let line?):
        var here = origin
        here.place = ScriptPlace(file: name, line: line.number)
        if echoes, !line.isBlank { try await printer.tell(VisibleText.flat("> \(line.text)") + "\n") }
        outcome = try await run(.text(line.text), from: here)
      }
      if outcome.quits { return status }
      if status == .done { status = outcome.status }
      if outcome.status != .done, !keepsGoing { return outcome.status }
    }
    return interruption.signal ?? status
  }

  /// Reads the next line of a script, until a signal comes.
  func read(_ lines: ScriptLines) async -> Result<ScriptLines.Line?, AppError> {
    await interruption.perform {
      do throws(AppError) {
        return Result<ScriptLines.Line?, AppError>.success(try await lines.next())
      } catch {
        return .failure(error)
      }
    }
  }
}
