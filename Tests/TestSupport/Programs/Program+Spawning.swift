package import Foundation

// glibc has it from 2.34 on, but declares it for GNU sources only, which Swift's module of glibc is not.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32

extension Program {
  /// A pipe.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw ProgramFailure("no pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// The descriptor to read from; -1 for none.
  static func open(_ input: Input) throws -> Int32 {
    switch input {
    case .closed: return -1
    case .nothing: return Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
    case .file(let path):
      let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw ProgramFailure("cannot open \(path)") }
      return descriptor
    case .text(let text):
      let ends = try pipe()
      let bytes = Array(text.utf8)
      // A pipe takes this much without a reader.
      guard bytes.count <= 60_000, write(ends.write, bytes, bytes.count) == bytes.count else {
        throw ProgramFailure("the input is too long: use a file")
      }
      close(ends.write)
      return ends.read
    }
  }

  /// Starts the process on these descriptors; an input of -1 is none.
  static func spawn(_ launch: Launch, input: Int32, output: Int32, errors: Int32) throws -> pid_t {
    try spawn(launch) { actions in
      if input >= 0 {
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      } else {
        posix_spawn_file_actions_addclose(&actions, STDIN_FILENO)
      }
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    }
  }

  /// Starts the process on a terminal, which becomes its controlling terminal: it is the first that the leader of a new
  /// session opens.
  package static func spawn(_ launch: Launch, terminal: String) throws -> pid_t {
    var launch = launch
    launch.hasOwnSession = true
    return try spawn(launch) { actions in
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    }
  }

  /// Starts the process, with signals as a shell would leave them.
  private static func spawn(
    _ launch: Launch, streams: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    streams(&actions)
    // What other tests have open is not for this program.
    _ = closeFrom(&actions, 3)
    var none = sigset_t()
    var ordinary = sigset_t()
    sigemptyset(&none)
    sigemptyset(&ordinary)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGTSTP] { sigaddset(&ordinary, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ordinary)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    if launch.hasOwnSession { flags |= 0x80 }  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = ([launch.path] + launch.arguments).map { strdup($0) } + [nil]
    let environment = launch.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var processID: pid_t = 0
    let code = posix_spawn(&processID, launch.path, &actions, &attributes, arguments, environment)
    guard code == 0 else { throw ProgramFailure("\(launch.path) cannot run: \(String(cString: strerror(code)))") }
    return processID
  }

  /// A program of this package, from the folder that the tests were built into.
  package static func built(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  /// A program of the system, looked for as a shell does.
  package static func onPath(_ name: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    let paths = folders.map { folder in "\(folder)/\(name)" }
    guard let path = paths.first(where: { path in FileManager.default.isExecutableFile(atPath: path) }) else {
      throw ProgramFailure("\(name) is not on the PATH")
    }
    return path
  }
}
