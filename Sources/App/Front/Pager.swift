import Dispatch
import Foundation

/// Shows a long text page by page, by another program on the same terminal.
nonisolated enum Pager {
  /// Runs a pager, as a shell would, and waits until it is left.
  ///
  /// - Returns: whether it could be run; if not, nothing was shown.
  static func show(_ text: String, by command: String) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: run(command, on: Array(text.utf8))) }
    }
  }

  private static func run(_ command: String, on text: [UInt8]) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = start(command, input: ends[0])
    close(ends[0])
    guard let process else {
      close(ends[1])
      return false
    }
    // Who leaves the pager early reads no more: that ends the writing, and is no failure.
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(ends[1])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // What the shell says of a program that is not there or cannot be run.
    return status & 0x7F != 0 || ![126, 127].contains((status >> 8) & 0xFF)
  }

  private static func start(_ command: String, input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // This program ignores them; the pager must not.
    var none = sigset_t()
    var ordinary = sigset_t()
    sigemptyset(&none)
    sigemptyset(&ordinary)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGTSTP] { sigaddset(&ordinary, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ordinary)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let arguments = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { for text in arguments { free(text) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ) == 0 ? process : nil
  }
}
