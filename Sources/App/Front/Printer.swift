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

  /// What the words of a line that was not understood say, of which nobody has found the options yet.
  func guessing(_ words: [String]) -> OutputStyle {
    let options = Set(words.prefix { $0 != "--" })
    return OutputStyle(
      isJSON: isJSON || options.contains("--\(FrontOptions.json.name)"),
      isPlain: isPlain || options.contains("--\(FrontOptions.plain.name)"), isVerbose: isVerbose)
  }

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
  let environment: Environment
  private var showsProgress = false
  private var meter = SyncProgressMeter()

  private let interruption: Interruption

  init(streams: FrontStreams, environment: Environment, interruption: Interruption) {
    self.streams = streams
    self.environment = environment
    self.interruption = interruption
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
    try await clearProgress()
    if style.isJSON {
      try await streams.output.write(JSONRenderer().render(page))
      return
    }
    let text = renderer(style, isTerminal: streams.outputIsTerminal, rows: rows).render(page)
    if await !showByPages(text, style) { try await streams.output.write(text) }
    let warnings = errorRenderer(style).warnings(of: page)
    if !warnings.isEmpty { try await tell(warnings) }
  }

  /// Writes a text for another program as it stands.
  func show(_ text: String, of invocation: Invocation, style: OutputStyle) async throws(OutputClosed) {
    let isJSON = style.isJSON
    try await streams.output.write(isJSON ? JSONRenderer().render(Documents.page(text, of: invocation)) : text)
  }

  /// Shows a text that is longer than the screen by a pager, where someone looks at a terminal.
  ///
  /// - Returns: whether it was shown.
  private func showByPages(_ text: String, _ style: OutputStyle) async -> Bool {
    guard streams.inputIsTerminal, streams.outputIsTerminal, !style.isPlain, !environment.usesScreenReader,
      let run = streams.page, let command = environment.pager, let rows = streams.rows(),
      text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= rows
    else { return false }
    let isShown = await run(text, command)
    // Ctrl-C in the pager is the pager's.
    interruption.forget()
    return isShown
  }

  /// Writes an error.
  func show(
    _ error: AppError, status: ExitStatus, at place: ScriptPlace?, style: OutputStyle
  ) async throws(OutputClosed) {
    try await clearProgress()
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
    let moves = streams.errorsAreTerminal && showsMotion(style)
    let pause: Int64 = style.isJSON ? 1_000 : moves ? 0 : 3_000
    let milliseconds = now.secondsSince1970 * 1_000 + Int64(now.nanoseconds / 1_000_000)
    guard let reading = meter.take(progress, at: milliseconds, every: pause) else { return }
    if style.isJSON {
      streams.output.post(JSONRenderer().render(Page(records: [reading.record])))
    } else if moves {
      let width = environment.columns ?? streams.columns() ?? 80
      let line = reading.bar(cells: 20)
      streams.errors.post("\r\u{1B}[K" + VisibleText.flat(line.count < width ? line : reading.text))
      showsProgress = true
    } else {
      streams.errors.post(VisibleText.flat(reading.text) + "\n")
    }
  }

  /// Whether what stands on the screen may be drawn anew.
  func showsMotion(_ style: OutputStyle) -> Bool {
    !style.isPlain && environment.allowsMotion && !environment.usesScreenReader
  }

  /// Whether what is written beside the results has colour.
  func stylesErrors(_ style: OutputStyle) -> Bool {
    streams.errorsAreTerminal && !style.isPlain && environment.allowsColour
  }

  private func clearProgress() async throws(OutputClosed) {
    guard showsProgress else { return }
    showsProgress = false
    // The results may go another way to the same screen: they follow when the line is gone.
    try await streams.errors.write("\r\u{1B}[K")
  }

  private func renderer(
    _ style: OutputStyle, isTerminal: Bool, rows: TextRenderer.RowMarks
  ) -> TextRenderer {
    TextRenderer(
      width: environment.columns ?? streams.columns() ?? 80,
      styled: isTerminal && !style.isPlain && environment.allowsColour,
      screenReader: environment.usesScreenReader, rowMarks: rows)
  }

  private func errorRenderer(_ style: OutputStyle) -> TextRenderer {
    renderer(style, isTerminal: streams.errorsAreTerminal, rows: .none)
  }
}
