import DesignSystem
import Domain

extension Front {
  /// Talks with someone at a terminal until they leave.
  func converse(_ visible: VisiblePatient) async throws(OutputClosed) -> ExitStatus {
    rows = RowBindings()
    let lines = ScriptLines(streams.input)
    try await printer.note("clinic \(Version.text): type a line, or help; quit or Ctrl-D leaves", style: style)
    while true {
      try await printer.tell(await prompt(visible))
      switch await read(lines) {
      case .success(let line?):
        let outcome = try await run(.text(line.text))
        if outcome.quits { return .done }
      case .failure(let error):
        try await printer.show(error, status: ExitStatus(error.code), at: nil, style: style)
      case .success(nil):
        try await printer.tell("\n")
        if interruption.signal != .interrupted { return interruption.signal ?? .done }
      }
      if interruption.signal == .terminated { return .terminated }
      // Ctrl-C means the running line, or what was being typed, and never the session.
      interruption.forget()
    }
  }

  /// Where one is, the patient who is open, and what is unsent. Whoever it names is the patient whom a line may mean.
  private func prompt(_ visible: VisiblePatient) async -> String {
    let place = container.shell.place
    visible.id = nil
    var parts = [container.shell.tab.rawValue]
    if let id = await container.patient(at: place),
      let patient = await container.repositories.patients.patient(id, policy: .localOnly).first()?.value
    {
      let identity = PatientIdentity(patient, today: container.context.today)
      parts.append(VisibleText.flat(identity.text))
      visible.id = id
    }
    if let status = await container.repositories.sync.status().first()?.value {
      if container.settings.isOffline { parts.append("offline") }
      if status.unsent > 0 { parts.append("\(status.unsent) unsent") }
      if status.inReview > 0 { parts.append("\(status.inReview) for review") }
    }
    return parts.joined(separator: " | ") + "> "
  }
}

/// The patient whom the prompt shows: the only one whom a line may mean without naming.
final class VisiblePatient {
  /// Who it is; `nil` where no prompt shows one.
  var id: Patient.ID?
}
