import DesignSystem
import Domain

extension Front {
  /// Talks with someone at a terminal until they leave.
  func converse(_ visible: VisiblePatient) async throws(OutputClosed) -> ExitStatus {
    rows = RowBindings()
    container.isSession = true
    container.guardsUnsaved = true
    container.onUserChange = { [weak self] in self?.rows = RowBindings() }
    if let reason = await container.restorePlace() { try await printer.note(reason, style: style) }
    try await printer.note("clinic \(Version.text): type a line, or help; quit or Ctrl-D leaves", style: style)
    let (prompt, signals) = makePrompt()
    let status: Result<ExitStatus, OutputClosed>
    do throws(OutputClosed) {
      status = .success(try await converse(visible, at: prompt))
    } catch {
      status = .failure(error)
    }
    await prompt.end()
    withExtendedLifetime(signals) {}
    return try status.get()
  }

  private func converse(_ visible: VisiblePatient, at prompt: any LinePrompt) async throws(OutputClosed) -> ExitStatus {
    while true {
      switch await ask(visible, at: prompt) {
      case .success(let line?):
        let outcome = try await run(.text(line))
        await container.rememberPlace()
        if outcome.quits { return .done }
      case .failure(let error):
        try await printer.show(error, status: ExitStatus(error.code), at: nil, style: style)
      case .success(nil):
        if interruption.signal != .interrupted { return interruption.signal ?? .done }
      }
      if interruption.signal == .terminated { return .terminated }
      // Ctrl-C means the running line, or what was being typed, and never the session.
      interruption.forget()
    }
  }

  /// Asks for a line, and tells meanwhile what changes where one is.
  private func ask(_ visible: VisiblePatient, at prompt: any LinePrompt) async -> Result<String?, AppError> {
    let text = await promptText(visible)
    let watch = Task {
      await PlaceWatch(container: container).follow {
        for line in $0 { prompt.say(line) }
      } stateChanged: {
        prompt.change(await promptText(visible))
      }
    }
    let result = await interruption.perform {
      do throws(AppError) {
        return Result<String?, AppError>.success(try await prompt.line(text).map(ScriptLines.text))
      } catch {
        return .failure(error)
      }
    }
    watch.cancel()
    // What it was looking at must not be mixed with what the line does.
    await watch.value
    return result
  }

  private func makePrompt() -> (any LinePrompt, TerminalSignals?) {
    guard streams.editsLines, printer.environment.canEdit else {
      return (PlainPrompt(source: streams.input, sink: streams.errors), nil)
    }
    let completer = LineCompleter(
      table: table, patients: container.repositories.patients, clock: container.context.clock,
      zone: container.context.zone)
    let editor = LineEditor(
      history: container.settings.historyFile.map { HistoryFile(path: $0, table: table) },
      movesInPlace: printer.showsMotion(style)
    ) { await completer.completion(of: $0) }
    return (editor, TerminalSignals(editor))
  }

  /// Who one is and where, the patient who is open, and what is unsent. Whoever it names is the patient whom a line may
  /// mean.
  private func promptText(_ visible: VisiblePatient) async -> PromptText {
    let place = container.shell.place
    var patient: Patient.ID?
    var parts = ["\(VisibleText.flat(container.context.author.displayName)) at \(container.shell.tab.rawValue)"]
    if let id = await container.patient(at: place),
      let value = await container.repositories.patients.patient(id, policy: .localOnly).first()?.value
    {
      parts.append(VisibleText.flat(PatientIdentity(value, today: container.context.today).text))
      patient = id
    }
    visible.id = patient
    if container.settings.isOffline { parts.append("offline") }
    if let what = container.shell.unsaved(in: container.shell.tab) {
      parts.append("not saved: \(VisibleText.flat(what))")
    }
    if let status = await container.repositories.sync.status().first()?.value {
      if status.unsent > 0 { parts.append("\(status.unsent) unsent") }
      if status.inReview > 0 { parts.append("\(status.inReview) for review") }
    }
    return PromptText(parts: parts, isStyled: printer.stylesErrors(style))
  }
}

/// The patient whom the prompt shows: the only one whom a line may mean without naming.
final class VisiblePatient {
  /// Who it is; `nil` where no prompt shows one.
  var id: Patient.ID?
}
