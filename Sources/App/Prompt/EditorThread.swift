import CEdit
import DesignSystem
import Dispatch
import Foundation
import Synchronization

/// The line editor itself. Lives on one thread, from its beginning to its end.
nonisolated final class EditorThread {
  private let mailbox: EditorMailbox
  private let history: HistoryFile?
  private let movesInPlace: Bool
  private let completer: LineEditor.Completer
  private let output: UnsafeMutablePointer<FILE>?
  private var edit: OpaquePointer?
  private var kept: OpaquePointer?

  /// The prompt as the editor wants it: kept as long as it may look at it.
  private var shownPrompt: UnsafeMutablePointer<CChar>?
  private var prompt = PromptText(parts: [])
  private var decoder = UTF8Decoder()
  /// The line that is being read, and the one that was given up last.
  private var reading = 0
  private var cancelled = 0

  init(
    mailbox: EditorMailbox, history: HistoryFile?, movesInPlace: Bool, completer: @escaping LineEditor.Completer
  ) {
    self.mailbox = mailbox
    self.history = history
    self.movesInPlace = movesInPlace
    self.completer = completer
    // Standard error itself is not buffered: the terminal would be told byte by byte.
    output = fdopen(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "w")
  }

  /// Serves the mailbox until the end.
  func run() {
    open()
    while true {
      guard !mailbox.wait(), let event = mailbox.take() else { continue }
      switch event {
      case .read(let id, let prompt, let continuation): continuation.resume(returning: readLine(id, prompt))
      case .cancel(let id): cancelled = id
      case .say(let text): write(text + "\n")
      case .suspend: raise(SIGSTOP)
      case .resize: if let edit { el_resize(edit) }
      case .change: break
      case .end(let continuation):
        close()
        continuation.resume()
        return
      }
    }
  }

  private func open() {
    _ = clinic_edit_use_utf8()
    guard let output, let edit = clinic_edit_init("clinic", output) else { return }
    self.edit = edit
    // Not retained: this object ends the editor before itself.
    _ = clinic_edit_set_context(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = clinic_edit_set_prompt(edit, { UnsafePointer(EditorThread.of($0)?.shownPrompt) }, Self.mark)
    _ = clinic_edit_set_reader(edit) { EditorThread.of($0)?.readCharacter(into: $1) ?? -1 }
    _ = clinic_edit_set_editor(edit, "emacs")
    let complete: clinic_edit_function = { edit, _ in EditorThread.of(edit)?.complete() ?? UInt8(CC_ERROR) }
    _ = clinic_edit_add_function(edit, "clinic-complete", "Completes the word at the cursor", complete)
    for (key, function) in Self.keys { _ = clinic_edit_bind(edit, key, function) }
    kept = history_init()
    if let kept {
      _ = clinic_edit_history_size(kept, Int32(HistoryFile.longest))
      _ = clinic_edit_history_unique(kept)
      _ = clinic_edit_set_history(edit, kept)
      for line in history?.read() ?? [] { _ = clinic_edit_history_add(kept, line) }
    }
    // The user's own bindings, as for other programs with this editor (editrc(5)).
    _ = el_source(edit, nil)
  }

  private func close() {
    if let kept { history_end(kept) }
    if let edit { el_end(edit) }
    if let output { fclose(output) }
    free(shownPrompt)
    (edit, kept, shownPrompt) = (nil, nil, nil)
  }

  private static func of(_ edit: OpaquePointer?) -> EditorThread? {
    guard let edit, let context = clinic_edit_context(edit) else { return nil }
    return Unmanaged<EditorThread>.fromOpaque(context).takeUnretainedValue()
  }

  /// Marks what takes no columns in a prompt.
  private static let mark: CChar = 1

  /// What people expect beside the editor's own keys.
  private static let keys = [
    ("^I", "clinic-complete"), ("^R", "em-inc-search-prev"), ("^W", "ed-delete-prev-word"),
    ("\\e[H", "ed-move-to-beg"), ("\\e[F", "ed-move-to-end"), ("\\e[1~", "ed-move-to-beg"),
    ("\\e[4~", "ed-move-to-end"), ("\\e[3~", "ed-delete-next-char"), ("\\e[1;5C", "em-next-word"),
    ("\\e[1;5D", "ed-prev-word"),
  ]

  // MARK: - A line

  private func readLine(_ id: Int, _ prompt: PromptText) -> [UInt8]? {
    guard let edit, id != cancelled else { return nil }
    reading = id
    defer { reading = 0 }
    show(prompt)
    if !fits { write(prompt.context + "\n") }
    // The editor itself would do so after it has shown the prompt: a Ctrl-D in between would be lost.
    _ = clinic_edit_prepare_terminal(edit, 1)
    var count: Int32 = 0
    guard let text = el_gets(edit, &count), count > 0, cancelled != id else {
      leaveLine()
      write("\n")
      return nil
    }
    var line = [UInt8](UnsafeRawBufferPointer(start: text, count: Int(count)))
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if let kept, line.contains(where: { $0 != UInt8(ascii: " ") }) {
      _ = clinic_edit_history_add(kept, String(decoding: line, as: UTF8.self))
      history?.add(String(decoding: line, as: UTF8.self))
    }
    return line
  }

  /// The next character for the editor: 1, or 0 when there is no more of this line. Meanwhile the mailbox is served.
  private func readCharacter(into character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    guard let character else { return -1 }
    while true {
      guard mailbox.wait(input: STDIN_FILENO) else {
        if !serve() { return 0 }
        continue
      }
      // One byte at a time: what is typed ahead belongs to whoever reads next.
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count == 1 else { return 0 }
      if let scalar = decoder.next(byte) {
        character.pointee = wchar_t(bitPattern: scalar.value)
        return 1
      }
    }
  }

  /// Does what others want while a line is being typed; false when that line is given up.
  private func serve() -> Bool {
    guard let edit, let event = mailbox.take() else { return true }
    switch event {
    case .cancel(let id):
      cancelled = max(cancelled, id)
      return id != reading
    case .say(let text): above(text)
    case .change(let prompt):
      // Only what has the same shape can be changed in place.
      guard movesInPlace, fits, prompt.fits(columns) else { break }
      clearLine()
      show(prompt)
      _ = clinic_edit_refresh(edit)
    case .resize: el_resize(edit)
    case .suspend:
      _ = clinic_edit_prepare_terminal(edit, 0)
      // To this thread: one that is sent to the process may stop it only after the next steps were taken.
      raise(SIGSTOP)
      _ = clinic_edit_prepare_terminal(edit, 1)
      write("\n")
      _ = clinic_edit_refresh(edit)
    case .read(_, _, let continuation): continuation.resume(returning: nil)
    case .end(let continuation):
      continuation.resume()
      return false
    }
    return true
  }

  // MARK: - Completion

  private func complete() -> UInt8 {
    guard let edit, let before = textBeforeCursor else { return UInt8(CC_ERROR) }
    // Candidates may come from the store, whose answers come to the main actor.
    let answer = Answer()
    let isThere = DispatchSemaphore(value: 0)
    Task { [completer] in
      let completion = await completer(before)
      answer.completion.withLock { $0 = completion }
      isThere.signal()
    }
    // Whoever types does not wait longer for a store that is busy.
    guard isThere.wait(timeout: .now() + .seconds(2)) == .success,
      let completion = answer.completion.withLock({ $0 }), !completion.isEmpty
    else { return UInt8(CC_ERROR) }
    let typed = before.unicodeScalars.count - completion.start
    if let text = completion.insertion {
      el_deletestr(edit, Int32(typed))
      el_insertstr(edit, text)
    }
    if !completion.notes.isEmpty { above(completion.notes.joined(separator: "\n")) }
    return UInt8(CC_REFRESH)
  }

  /// What a task puts down for this thread.
  private final class Answer: Sendable {
    let completion = Mutex<LineCompletion?>(nil)
  }

  private var textBeforeCursor: String? {
    guard let edit, let line = el_line(edit), let start = line.pointee.buffer, let cursor = line.pointee.cursor else {
      return nil
    }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: cursor - start), as: UTF8.self)
  }

  // MARK: - The screen

  private func show(_ prompt: PromptText) {
    self.prompt = prompt
    let parts = fits ? prompt.context : ""
    let mark = "\u{1}"
    let text =
      prompt.isStyled && !parts.isEmpty
      ? "\(mark)\u{1B}[36m\(mark)\(parts)\(mark)\u{1B}[0m\(mark)\(PromptText.sign)" : parts + PromptText.sign
    free(shownPrompt)
    shownPrompt = strdup(text)
  }

  private var fits: Bool { prompt.fits(columns) }

  private var columns: Int { TerminalSize.columns(STDIN_FILENO) ?? 80 }

  /// In which row, from 0, the cursor stands below the beginning of the prompt.
  private var row: Int {
    let shown = fits ? prompt.text : PromptText.sign
    return (DisplayWidth.of(shown) + DisplayWidth.of(textBeforeCursor ?? "")) / columns
  }

  /// Removes prompt and line from the screen; the cursor then stands where the prompt began.
  private func clearLine() {
    write((row > 0 ? "\u{1B}[\(row)A" : "") + "\r\u{1B}[J")
  }

  /// Goes behind the line's last row.
  private func leaveLine() {
    guard let edit, let line = el_line(edit), let start = line.pointee.buffer, let end = line.pointee.lastchar else {
      return
    }
    let all = String(decoding: UnsafeRawBufferPointer(start: start, count: max(0, end - start)), as: UTF8.self)
    let last = (DisplayWidth.of(fits ? prompt.text : PromptText.sign) + DisplayWidth.of(all)) / columns
    if last > row { write("\u{1B}[\(last - row)B") }
  }

  /// Puts a text above prompt and line.
  private func above(_ text: String) {
    guard let edit else { return }
    clearLine()
    write(text + "\n")
    _ = clinic_edit_refresh(edit)
  }

  private func write(_ text: String) {
    guard let output else { return }
    fputs(text, output)
    fflush(output)
  }
}
