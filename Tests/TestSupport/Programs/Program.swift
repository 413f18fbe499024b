package import Foundation
import Synchronization

/// A program that runs beside the test.
///
/// What it writes is read as it comes, on a thread of its own, so that no pipe fills up and no task blocks. After its
/// time limit it is killed.
package final class Program: Sendable {
  /// What its standard input is.
  package enum Input: Sendable {
    /// The null device.
    case nothing
    /// No descriptor at all.
    case closed
    /// A pipe that holds this text, and ends.
    case text(String)
    /// A file.
    case file(String)
  }

  /// How it is started.
  package struct Launch: Sendable {
    package var path: String
    package var arguments: [String]
    package var environment: [String: String]
    package var input: Input
    /// Whether the reader of its results is gone from the beginning.
    package var outputHasNoReader = false
    /// Whether it gets a session of its own, without a terminal.
    package var hasOwnSession = false
    /// The longest time that it may run.
    package var limit: Duration

    package init(
      path: String, arguments: [String] = [], environment: [String: String] = [:], input: Input = .nothing,
      outputHasNoReader: Bool = false, hasOwnSession: Bool = false, limit: Duration = .seconds(60)
    ) {
      (self.path, self.arguments, self.environment, self.input) = (path, arguments, environment, input)
      (self.outputHasNoReader, self.hasOwnSession, self.limit) = (outputHasNoReader, hasOwnSession, limit)
    }
  }

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var status: Int32?
    var exceededLimit = false
    var hasEnded = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var waitingForLines: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var lines: Int { output.count { $0 == 0x0A } }
  }

  package let processID: pid_t
  private let launch: Launch
  private let state = Mutex(State())

  private init(processID: pid_t, launch: Launch) {
    self.processID = processID
    self.launch = launch
  }

  /// One is started at a time: else it might inherit the ends of another's pipes and keep them open.
  private static let starting = Mutex(())

  /// Starts it.
  package static func start(_ launch: Launch) throws -> Program {
    try starting.withLock { _ in try startAlone(launch) }
  }

  private static func startAlone(_ launch: Launch) throws -> Program {
    let output = try Self.pipe()
    let errors = try Self.pipe()
    let input = try Self.open(launch.input)
    defer { for descriptor in [input, output.write, errors.write] where descriptor >= 0 { close(descriptor) } }
    let processID = try spawn(launch, input: input, output: output.write, errors: errors.write)
    let program = Program(processID: processID, launch: launch)
    let reader = launch.outputHasNoReader ? -1 : output.read
    if launch.outputHasNoReader { close(output.read) }
    let thread = Thread { program.attend(output: reader, errors: errors.read) }
    thread.name = "program \(processID)"
    thread.start()
    return program
  }

  /// Sends it a signal, unless it has ended.
  package func send(_ signal: Int32) {
    state.withLock { state in
      if state.status == nil { kill(processID, signal) }
    }
  }

  /// Whether it still runs.
  package var isRunning: Bool { state.withLock { $0.status == nil } }

  /// Whether it was put to sleep (proc(5), `stat`).
  package var isStopped: Bool { Self.isStopped(processID) }

  /// Whether a process was put to sleep.
  package static func isStopped(_ processID: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8) else { return false }
    return text.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// What it has written so far.
  package var outputSoFar: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

  /// Waits for its end.
  ///
  /// - Throws: `ProgramFailure` when it had to be killed at its time limit.
  @discardableResult
  package func finished() async throws -> Finished {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.hasEnded { state.waiting.append(continuation) }
        return state.hasEnded
      }
      if isOver { continuation.resume() }
    }
    let (result, exceeded) = state.withLock { state in
      (
        Finished(
          arguments: launch.arguments, status: state.status ?? -1,
          output: String(decoding: state.output, as: UTF8.self), errors: String(decoding: state.errors, as: UTF8.self)),
        state.exceededLimit
      )
    }
    if exceeded { throw ProgramFailure("killed after \(launch.limit): \(result)") }
    return result
  }

  /// The first line that it writes, or what came before its end.
  package func firstLine() async -> String { await line(0) }

  /// A line that it writes, counted from 0, or what came of it before its end.
  package func line(_ index: Int) async -> String {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        let isThere = state.hasEnded || state.lines > index
        if !isThere { state.waitingForLines.append((index + 1, continuation)) }
        return isThere
      }
      if isThere { continuation.resume() }
    }
    return outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(index).first.map(String.init)
      ?? ""
  }

  // MARK: On the program's thread

  private func attend(output: Int32, errors: Int32) {
    let end = ContinuousClock.now + launch.limit
    var open = [output, errors].filter { $0 >= 0 }
    while !isOver(open) {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // With nothing left to read, only its end is waited for.
      poll(&polled, nfds_t(polled.count), polled.isEmpty ? 5 : 50)
      for one in polled where one.revents != 0 && !read(one.fd, isOutput: one.fd == output) {
        close(one.fd)
        open.removeAll { $0 == one.fd }
      }
      if ContinuousClock.now > end {
        state.withLock { $0.exceededLimit = $0.status == nil }
        send(SIGKILL)
      }
    }
    finish()
  }

  /// Whether it has ended and everything it wrote is read.
  private func isOver(_ open: [Int32]) -> Bool {
    state.withLock { state in
      if state.status == nil {
        var status: Int32 = 0
        guard waitpid(processID, &status, WNOHANG) == processID else { return false }
        let signal = status & 0x7F
        state.status = signal == 0 ? (status >> 8) & 0xFF : -signal
      }
      return open.isEmpty
    }
  }

  private func read(_ descriptor: Int32, isOutput: Bool) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    let waiting = state.withLock { state in
      if isOutput { state.output += chunk.prefix(count) } else { state.errors += chunk.prefix(count) }
      let lines = state.waitingForLines.isEmpty ? 0 : state.lines
      defer { state.waitingForLines.removeAll { $0.count <= lines } }
      return state.waitingForLines.filter { $0.count <= lines }
    }
    for (_, continuation) in waiting { continuation.resume() }
    return true
  }

  private func finish() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { (state.waiting, state.waitingForLines) = ([], []) }
      return state.waiting + state.waitingForLines.map(\.continuation)
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// How a program ended.
package struct Finished: Sendable, CustomStringConvertible {
  package var arguments: [String]
  /// The exit status; the negative number of the signal that ended it.
  package var status: Int32
  package var output: String
  package var errors: String

  package var description: String {
    "\(arguments.joined(separator: " ")): status \(status)\nstdout: \(output)\nstderr: \(errors)"
  }
}

/// Why a program could not be used.
package struct ProgramFailure: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
