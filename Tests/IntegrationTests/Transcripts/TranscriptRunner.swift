import Foundation
import JSON
import TestSupport

/// Plays a transcript against the built programs.
///
/// Every line is a process of its own, at a desk of its own, on a clock that begins at 09:00 on 2026-12-01.
struct TranscriptRunner {
  private var desk: Desk
  private var mock: MockServerProcess?
  private var serverArguments: [String] = []
  private var shift: Int64
  private let preload: String
  private var masks = TranscriptMasks()
  private var input = Program.Input.nothing
  private var signal: Int32?
  private var isTerminal = false
  private var unset: Set<String> = []
  private var lock: Int32 = -1

  static let start = "2026-12-01T09:00:00Z"

  init(_ desk: Desk) async throws {
    let clock = try await ShiftedClock.environment(at: Self.start)
    self.desk = desk
    preload = clock["LD_PRELOAD"] ?? ""
    shift = clock["CLINIC_TEST_CLOCK_SHIFT"].flatMap { Int64($0) } ?? 0
    self.desk.environment["COLUMNS"] = "100"
    masks.folder = desk.folder
  }

  /// What was played so far: the transcript with what came, where that is not what is expected.
  private(set) var played = Transcript()

  /// Plays all of it.
  mutating func play(_ transcript: Transcript) async throws {
    played = transcript
    for index in played.steps.indices {
      switch played.steps[index] {
      case .remark: continue
      case .event(let name, let argument, let lines): try await happen(name, argument, lines)
      case .exchange(let exchange): played.steps[index] = .exchange(try await run(exchange))
      }
    }
  }

  /// Ends what still runs.
  mutating func end() async {
    free()
    await mock?.kill()
    mock = nil
  }

  private var clock: [String: String] {
    ["LD_PRELOAD": preload, "CLINIC_TEST_CLOCK_SHIFT": String(shift), "CLINIC_TEST_CLOCK_WHOLE": "1"]
  }

  private mutating func run(_ exchange: Transcript.Exchange) async throws -> Transcript.Exchange {
    var words = try ShellWords.split(masks.unmasked(exchange.typed))
    guard words.first == "clinic" else { throw ProgramFailure("\"\(exchange.typed)\" does not begin with clinic") }
    words.removeFirst()
    var launch = desk.launch(words)
    launch.environment.merge(clock) { $1 }
    for name in unset { launch.environment[name] = nil }
    launch.input = exchange.input.isEmpty ? input : .text(exchange.input.map { "\($0)\n" }.joined())
    launch.hasOwnSession = true
    if isTerminal {
      let (status, seen) = try await converse(launch, typing: exchange.input)
      return exchange.holding(
        output: masks.lines(TranscriptMasks.plain(seen)).filter { !TranscriptMasks.isProgress($0) }, errors: [],
        status: status)
    }
    let program = try Program.start(launch)
    if let signal {
      // What is with the server was claimed in the store before.
      try await eventually {
        try !program.isRunning || !desk.query("SELECT 1 FROM outbox WHERE state = 'sending'").isEmpty
      }
      program.send(signal)
    }
    signal = nil
    let result = try await program.finished()
    return exchange.holding(
      output: masks.lines(result.output).filter { !TranscriptMasks.isProgress($0) },
      errors: masks.lines(result.errors).filter { !TranscriptMasks.isProgress($0) },
      status: result.status)
  }

  /// Runs a line in a terminal. What stands below it is typed, a line at a prompt or a question each.
  private mutating func converse(_ launch: Program.Launch, typing lines: [String]) async throws -> (
    status: Int32, seen: String
  ) {
    let terminal = try Terminal.start(launch)
    for line in lines {
      try await terminal.prompted()
      // What was seen may be meant by its number.
      _ = masks.lines(terminal.seenSoFar)
      terminal.type(masks.unmasked(line) + "\r")
    }
    return try await terminal.finished()
  }

  // MARK: What happens around the program

  private mutating func happen(_ name: String, _ argument: String, _ lines: [String]) async throws {
    switch name {
    case "server":
      serverArguments = try ShellWords.split(argument)
      try await startServer(port: 0)
    case "stop":
      await mock?.kill()
    case "start":
      try await startServer(port: mock?.port ?? 0)
    case "put": try await server().put(try document(argument))
    case "post":
      let resource = try document(argument)
      let type = resource["resourceType"]?.string ?? ""
      _ = try await PlainHTTP.send(try server().port, "POST", "/fhir/\(type)", body: argument)
    case "delete": _ = try await PlainHTTP.send(try server().port, "DELETE", "/fhir/\(argument)")
    case "fault": try await server().fail(try document(argument))
    case "faults":
      guard argument == "none" else { throw ProgramFailure("@faults takes none") }
      _ = try await PlainHTTP.send(try server().port, "DELETE", "/$mock/faults")
    case "advance":
      guard let seconds = Int64(argument) else { throw ProgramFailure("@advance takes seconds") }
      shift += seconds
      _ = try? await PlainHTTP.send(mock?.port ?? 0, "POST", "/$mock/clock", body: "{\"advance\": \(seconds)}")
    case "env":
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ProgramFailure("@env takes NAME=VALUE") }
      desk.environment[parts[0]] = parts[1].replacing("DESK", with: desk.folder)
      unset.remove(parts[0])
    case "unset": unset.formUnion(argument.split(separator: " ").map(String.init))
    case "file": _ = try desk.file(argument, lines.map { masks.unmasked("\($0)\n") }.joined())
    case "folder":
      try FileManager.default.createDirectory(atPath: "\(desk.folder)/\(argument)", withIntermediateDirectories: true)
    case "copy":
      let paths = argument.split(separator: " ").map { "\(desk.folder)/\($0)" }
      guard paths.count == 2 else { throw ProgramFailure("@copy takes two paths") }
      try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
    case "sql": try desk.alter(argument)
    case "stdin":
      guard let kind: Program.Input = ["closed": .closed, "nothing": .nothing][argument] else {
        throw ProgramFailure("@stdin takes closed or nothing")
      }
      input = kind
    case "terminal":
      isTerminal = argument != "off"
      desk.environment["TERM"] = isTerminal ? argument : nil
    case "signal":
      guard let number = ["INT": SIGINT, "TERM": SIGTERM, "HUP": SIGHUP][argument] else {
        throw ProgramFailure("@signal takes INT, TERM or HUP")
      }
      signal = number
    case "repeat":
      let parts = argument.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let count = Int(parts[0]), count > 0 else {
        throw ProgramFailure("@repeat takes a number, an event and what that takes")
      }
      for number in 1...count { try await happen(parts[1], parts[2].replacing("#", with: String(number)), lines) }
    case "busy": try takeLock()
    case "free": free()
    default: throw ProgramFailure("nothing is known of @\(name)")
    }
  }

  private func document(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  private func server() throws -> MockServerProcess {
    guard let mock else { throw ProgramFailure("@server has to come first") }
    return mock
  }

  /// A server that is stopped and started again has what it had.
  private mutating func startServer(port: Int) async throws {
    mock = try await MockServerProcess.start(
      serverArguments + ["--journal", "\(desk.folder)/journal"], port: port, environment: clock)
    desk.server = mock?.base
    masks.port = mock?.port
  }

  /// Holds the store's lock, as another process that syncs would.
  private mutating func takeLock() throws {
    lock = open("\(desk.store)/sync.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw ProgramFailure("the lock cannot be taken") }
    ftruncate(lock, 0)
    _ = pwrite(lock, "process 4711 on desk-2", 22, 0)
  }

  private mutating func free() {
    guard lock >= 0 else { return }
    flock(lock, LOCK_UN)
    close(lock)
    lock = -1
  }
}

/// Puts something constant in the place of what is different in every run.
struct TranscriptMasks {
  var folder = ""
  var port: Int?
  private var ids: [Substring: Int] = [:]

  /// A line as it is run: with the desk's folder, and with the ids that numbers stand for.
  func unmasked(_ line: String) -> String {
    ids.reduce(line.replacing("DESK", with: folder)) { $0.replacing(Self.standIn($1.value), with: $1.key) }
  }

  private static func standIn(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// What a terminal was sent, to be read: without the returns at the ends of lines, and with escapes made visible.
  static func plain(_ seen: String) -> String {
    seen.replacing("\r\n", with: "\n").replacing("\u{1B}", with: "\u{241B}")
  }

  /// Whether a line tells how far something has come: whether one comes depends on how busy the machine is.
  static func isProgress(_ line: String) -> Bool {
    line.hasPrefix("sending: ") || line.hasPrefix("receiving ") || line.contains(#""kind":"progress""#)
  }

  /// The lines of a text.
  mutating func lines(_ text: String) -> [String] {
    var lines = masked(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private mutating func masked(_ text: String) -> String {
    var text = text.replacing(folder, with: "DESK")
    if let port { text = text.replacing("127.0.0.1:\(port)", with: "127.0.0.1:PORT") }
    text.replace(/process [0-9]+ on [^\s,)"]+/, with: "process N on HOST")
    text.replace(/[0-9]+ MB are free/, with: "N MB are free")
    text.replace(/set-aside-[0-9T]+-[0-9a-f]+/, with: "set-aside-N")
    // The minutes that a run may take; what is booked lies on fives.
    text.replace(/(T\d\d:0)[0-4]:\d\d(?:\.\d+)?/) { "\($0.1)0:00" }
    // Two minutes before, from where a pull looks.
    text.replace(/T08:5\d:\d\d/, with: "T08:58:00")
    text.replace(/\b(\d\d:0)[0-4]\b/) { "\($0.1)0" }
    text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/) { match in
      let number = ids[match.output] ?? ids.count + 1
      ids[match.output] = number
      return Self.standIn(number)
    }
    return text
  }
}
