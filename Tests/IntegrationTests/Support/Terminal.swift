import Foundation
import Synchronization
import TestSupport

/// A program in a pseudo-terminal, typed at by the test.
///
/// What is typed waits for what is seen first, so that nothing depends on how fast either side is.
final class Terminal: Sendable {
  private struct State {
    var seen = ""
    /// How much of it was waited for.
    var consumed = 0
    var status: Int32?
    var isOver = false
  }

  private let master: Int32
  private let processID: pid_t
  private let limit: Duration
  private let state = Mutex(State())

  private init(master: Int32, processID: pid_t, limit: Duration) {
    (self.master, self.processID, self.limit) = (master, processID, limit)
  }

  /// Starts a program whose three streams are one terminal, which is also its controlling terminal.
  static func start(_ launch: Program.Launch, columns: UInt16 = 100, rows: UInt16 = 40) throws -> Terminal {
    // ioctl_tty(2): the numbers are macros that Swift does not see.
    let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var index: Int32 = 0
    guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, number, &index) == 0 else {
      throw ProgramFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let processID = try Program.spawn(launch, terminal: "/dev/pts/\(index)")
    let terminal = Terminal(master: master, processID: processID, limit: launch.limit)
    let thread = Thread { terminal.attend() }
    thread.name = "terminal \(processID)"
    thread.start()
    return terminal
  }

  /// Types keys: `\r` is Enter, `\u{4}` is Ctrl-D.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Gives the window another width.
  func resize(columns: UInt16) {
    var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Whether the process was put to sleep.
  var isStopped: Bool { Program.isStopped(processID) }

  /// Continues a process that stopped itself.
  func resume() { kill(processID, SIGCONT) }

  /// Waits until a text is seen behind everything that was waited for before, and gives what came before it.
  @discardableResult
  func expect(_ text: String) async throws -> String {
    let end = ContinuousClock.now + limit
    while true {
      let (found, isOver, rest) = state.withLock { state in
        let rest = String(state.seen.dropFirst(state.consumed))
        guard let range = rest.range(of: text) else { return (String?.none, state.isOver, rest) }
        let before = String(rest[..<range.lowerBound])
        state.consumed += before.count + text.count
        return (before, state.isOver, rest)
      }
      if let found { return found }
      if isOver { throw ProgramFailure("ended before \"\(text)\" was seen; seen since: \(rest.debugDescription)") }
      if ContinuousClock.now > end {
        kill(processID, SIGKILL)
        throw ProgramFailure("\"\(text)\" was not seen; seen since: \(rest.debugDescription)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Everything that was seen so far.
  var seenSoFar: String { state.withLock { $0.seen } }

  /// Waits until the program asks for something: everything it wrote since ends with a prompt or a question.
  func prompted() async throws {
    let end = ContinuousClock.now + limit
    while true {
      let (isAsked, isOver, rest) = state.withLock { state in
        let rest = String(state.seen.dropFirst(state.consumed))
        let isAsked = Self.asks(rest)
        if isAsked { state.consumed += rest.count }
        return (isAsked, state.isOver, rest)
      }
      if isAsked { return }
      if isOver || ContinuousClock.now > end {
        kill(processID, SIGKILL)
        throw ProgramFailure(
          "\(isOver ? "ended" : "waited in vain") for a prompt; seen since: \(rest.debugDescription)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Whether a text ends with a prompt (`nora at patients> `, or its last line) or a question (`… [y/N] `).
  private static func asks(_ text: String) -> Bool {
    let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).last ?? ""
    return line.hasSuffix("[y/N] ") || line.hasSuffix("> ") && (line.contains(" at ") || line == "> ")
  }

  /// Waits for the program's end.
  ///
  /// - Returns: its exit status, and everything that was seen.
  func finished() async throws -> (status: Int32, seen: String) {
    let end = ContinuousClock.now + limit
    while true {
      let (status, seen, isOver) = state.withLock { ($0.status, $0.seen, $0.isOver) }
      if isOver, let status { return (status, seen) }
      if ContinuousClock.now > end {
        kill(processID, SIGKILL)
        throw ProgramFailure("did not end; seen: \(seen.debugDescription)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Whether what is typed is echoed by the terminal itself, as shells want to find it.
  var echoes: Bool {
    var settings = termios()
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  private func attend() {
    var bytes: [UInt8] = []
    while true {
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(master, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // A terminal that nobody has open any more gives an error.
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
      // A character that is not here in full waits for its rest.
      let whole =
        String(decoding: bytes, as: UTF8.self).hasSuffix("\u{FFFD}") ? nil : String(decoding: bytes, as: UTF8.self)
      if let whole { state.withLock { $0.seen = whole } }
    }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    state.withLock {
      $0.seen = String(decoding: bytes, as: UTF8.self)
      $0.status = signal == 0 ? (status >> 8) & 0xFF : -signal
      $0.isOver = true
    }
    close(master)
  }
}
