import DesignSystem
import Domain

/// Where in a script a line stands.
nonisolated struct ScriptPlace: Hashable, Sendable {
  /// The script's name as it was given.
  var file: String
  /// The line's number, from 1.
  var line: Int

  /// `day.clinic:12`.
  var text: String { "\(file):\(line)" }
}

/// How the answers to a line are written.
nonisolated struct OutputStyle: Hashable, Sendable {
  /// For programs.
  var isJSON = false
  /// Without colour and motion.
  var isPlain = false
  /// Telling more on standard error.
  var isVerbose = false

  /// What a line's options say, beside those of the program's start.
  func merging(_ options: OptionValues) -> OutputStyle {
    OutputStyle(
      isJSON: isJSON || options.flag(FrontOptions.json.name),
      isPlain: isPlain || options.flag(FrontOptions.plain.name),
      isVerbose: isVerbose || options.flag(FrontOptions.verbose.name))
  }
}

/// Writes pages and errors: results on standard output, everything else on standard error. For programs, errors and
/// warnings are lines of the one stream of results.
final class Printer {
  private let streams: FrontStreams
  private let environment: Environment
  private var showsProgress = false
  private var meter = SyncProgressMeter()

  init(streams: FrontStreams, environment: Environment) {
    self.streams = streams
    self.environment = environment
  }

  /// Whether someone is there to be asked.
  func canAsk(_ style: OutputStyle) -> Bool {
    streams.inputIsTerminal && streams.errorsAreTerminal && !style.isJSON
  }

  /// Writes a page.
  ///
  /// - Parameter rows: How rows are marked.
  func show(
    _ page: Page, style: OutputStyle, rows: TextRenderer.RowMarks
  ) async throws(OutputClosed) {
    clearProgress()
    if style.isJSON {
      try await streams.output.write(JSONRenderer().render(page))
      return
    }
    try await streams.output.write(renderer(style, isTerminal: streams.outputIsTerminal, rows: rows).render(page))
    let warnings = errorRenderer(style).warnings(of: page)
    if !warnings.isEmpty { try await tell(warnings) }
  }

  /// Writes an error.
  func show(
    _ error: AppError, status: ExitStatus, at place: ScriptPlace?, style: OutputStyle
  ) async throws(OutputClosed) {
    clearProgress()
    if style.isJSON {
      try await streams.output.write(
        JSONRenderer().render(error, exit: Int(status.rawValue), line: place?.line))
    } else {
      try await tell(errorRenderer(style).render(error, at: place?.text))
    }
  }

  /// Writes what was wrong with a line.
  func show(
    _ error: UsageError, in line: String?, at place: ScriptPlace?, style: OutputStyle
  ) async throws(OutputClosed) {
    if style.isJSON {
      let status = ExitStatus.notUnderstood
      try await streams.output.write(
        JSONRenderer().render(error, exit: Int(status.rawValue), line: place?.line))
    } else {
      try await tell(errorRenderer(style).render(error, in: line, at: place?.text))
    }
  }

  /// Writes something beside the results for people; nothing when programs read.
  func note(_ text: String, style: OutputStyle) async throws(OutputClosed) {
    if !style.isJSON { try await tell(VisibleText.flat(text) + "\n") }
  }

  /// Writes a text on standard error as it stands.
  func tell(_ text: String) async throws(OutputClosed) {
    try await streams.errors.write(text)
  }

  /// Shows how far a sync has come: a bar to someone who wants things to move, a line every few seconds to everyone else,
  /// an event to programs.
  func progress(_ progress: SyncProgress, at now: Instant, style: OutputStyle) {
    let moves = streams.errorsAreTerminal && !style.isPlain && environment.allowsMotion && !environment.usesScreenReader
    let pause: Int64 = style.isJSON ? 1_000 : moves ? 0 : 3_000
    let milliseconds = now.secondsSince1970 * 1_000 + Int64(now.nanoseconds / 1_000_000)
    guard let reading = meter.take(progress, at: milliseconds, every: pause) else { return }
    if style.isJSON {
      streams.output.post(JSONRenderer().render(Page(records: [reading.record])))
    } else if moves {
      let width = environment.columns ?? streams.columns ?? 80
      let line = reading.bar(cells: 20)
      streams.errors.post("\r\u{1B}[K" + VisibleText.flat(line.count < width ? line : reading.text))
      showsProgress = true
    } else {
      streams.errors.post(VisibleText.flat(reading.text) + "\n")
    }
  }

  private func clearProgress() {
    guard showsProgress else { return }
    streams.errors.post("\r\u{1B}[K")
    showsProgress = false
  }

  private func renderer(
    _ style: OutputStyle, isTerminal: Bool, rows: TextRenderer.RowMarks
  ) -> TextRenderer {
    TextRenderer(
      width: environment.columns ?? streams.columns ?? 80,
      styled: isTerminal && !style.isPlain && environment.allowsColour,
      screenReader: environment.usesScreenReader, rowMarks: rows)
  }

  private func errorRenderer(_ style: OutputStyle) -> TextRenderer {
    renderer(style, isTerminal: streams.errorsAreTerminal, rows: .none)
  }
}
